import {
  createKey,
  listKeys,
  type Problem,
  problemOf,
  problemOfFault,
  revokeKey,
  rotateKey,
  writeKey,
} from "@countersign/api";
import {
  err,
  formatApiKey,
  formatInstant,
  hashSecret,
  instantFromMillis,
  type JsonObject,
  type Keys,
  type Ledger,
  millisOf,
  newId,
  ok,
  type PutKey,
  parseInstant,
  type RandomBytes,
  type Result,
  SECRET_LENGTH,
  type Sha256,
  scopesBeyond,
} from "@countersign/core";
import { actorOf, type Caller } from "../caller.ts";
import { handler, service } from "../face/service.ts";

export interface KeysFace {
  readonly store: Ledger & Keys;
  readonly clock: () => number;
  readonly random: RandomBytes;
  readonly sha256: Sha256;
}

const DAY = 86_400_000;

/** Credentials of the tenant's agents, enforcers and people. */
export const keysService = (face: KeysFace) =>
  service("keys", [
    handler(listKeys, async (_, { tenant }) => {
      const keys = await face.store.keys(tenant);
      return keys.ok ? ok({ items: keys.value.map(writeKey) }) : err(problemOfFault(keys.error));
    }),
    handler(createKey, async ({ name, scopes, holder, expires_at: until }, caller) => {
      const beyond = scopesBeyond(holder.kind, scopes);
      if (beyond.length > 0)
        return err(
          problemOf({
            code: "request.invalid",
            message: `a key of an ${holder.kind} is never for ${beyond.join(", ")}`.replace("an person", "a person"),
            path: "/scopes",
          }),
        );
      const end = readExpiry(until, face.clock());
      if (!end.ok) return end;
      return draw(face, { name, scopes: [...new Set(scopes)], holder, expiresAt: end.value }, caller);
    }),
    handler(rotateKey, async ({ id, overlap_seconds: overlap }, caller) => {
      const found = await face.store.key(caller.tenant, id);
      if (!found.ok) return err(problemOfFault(found.error));
      if (found.value === null || found.value.revokedAt !== null) return err(problemOf("key.unknown"));
      const { name, scopes, holder, expiresAt } = found.value;
      const follows = { id, overlap: overlap === undefined ? DAY : overlap * 1000 };
      return draw(face, { name, scopes, holder, expiresAt, follows }, caller);
    }),
    handler(revokeKey, async ({ id }, caller) => {
      const revoked = await face.store.commit(caller.tenant, { kind: "key.revoke", id, by: actorOf(caller) });
      if (!revoked.ok) return err(problemOfFault(revoked.error));
      return ok({ id, revoked_at: timeOf(revoked.value.at) });
    }),
  ]);

const timeOf = (millis: number): string => formatInstant(instantFromMillis(millis));

async function draw(
  { store, clock, random, sha256 }: KeysFace,
  parts: Pick<PutKey, "name" | "scopes" | "holder" | "expiresAt" | "follows">,
  caller: Caller,
): Promise<Result<JsonObject, Problem>> {
  const id = newId("key", clock(), random);
  const secret = random(SECRET_LENGTH);
  const hash = hashSecret(secret, sha256);
  const made = await store.commit(caller.tenant, { kind: "key.put", id, hash, ...parts, by: actorOf(caller) });
  if (!made.ok) return err(problemOfFault(made.error));
  const expires = parts.expiresAt === null ? null : timeOf(parts.expiresAt);
  return ok({ id, key: formatApiKey(caller.tenant, id, secret), expires_at: expires });
}

function readExpiry(text: string | undefined, now: number): Result<number | null, Problem> {
  if (text === undefined) return ok(null);
  const read = parseInstant(text);
  const millis = read.ok ? millisOf(read.value) : now;
  if (millis > now) return ok(millis);
  return err(
    problemOf({
      code: "request.invalid",
      message: read.ok ? "the key would have expired before it was made" : read.error.message,
      path: "/expires_at",
      expected: "a time to come, as RFC 3339 has it",
    }),
  );
}
