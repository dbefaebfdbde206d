import { formatInstant, instantFromMillis, type JsonObject, KEY_SCOPES, type StoredKey } from "@countersign/core";
import * as z from "zod/mini";
import { idOf, maybeTime, operation, time } from "./operation.ts";
import { described, list, name } from "./schema.ts";

const keyId = idOf("key");
const scopes = described(
  z.array(z.enum(KEY_SCOPES)).check(z.minLength(1), z.maxLength(KEY_SCOPES.length)),
  "What it may be used for.",
);
const holder = described(
  z.union([
    z.strictObject({ kind: z.literal("agent"), agent: name(128) }),
    z.strictObject({
      kind: z.literal("enforcer"),
      id: name(128),
      agents: z.union([list(name(128), 256), z.literal("any")]),
    }),
    z.strictObject({ kind: z.literal("person"), person: name(128) }),
  ]),
  "Whose it is: one agent's, an enforcer's with the agents it may speak for, or a person's.",
);

const keyMembers = {
  id: keyId,
  name: z.string(),
  scopes: z.array(z.string()),
  holder,
  created_at: time,
  expires_at: maybeTime,
  revoked_at: maybeTime,
};
const drawnKey = z.strictObject({
  id: keyId,
  key: described(z.string(), "`csk_…`: shown now and kept nowhere."),
  expires_at: maybeTime,
});

export const listKeys = operation(
  {
    name: "list_keys",
    title: "List API keys",
    description: "All keys of the tenant, revoked ones too. No secrets.",
    needs: ["admin"],
    changes: "nothing",
  },
  ["GET", "/v1/keys"],
  z.strictObject({}),
  z.strictObject({ items: z.array(z.strictObject(keyMembers)) }),
);

export const createKey = operation(
  {
    name: "create_key",
    title: "Make an API key",
    description: "A key of this tenant. Only a person may be given `review` or `admin`.",
    needs: ["admin"],
    changes: "the log",
  },
  ["POST", "/v1/keys"],
  z.strictObject({
    name: name(128),
    scopes,
    holder,
    expires_at: z.optional(described(z.string(), "RFC 3339, with an offset.")),
  }),
  drawnKey,
);

export const rotateKey = operation(
  {
    name: "rotate_key",
    title: "Replace an API key",
    description: "A new key with the same rights; the present one stays good for the overlap.",
    needs: ["admin"],
    changes: "the log",
  },
  ["POST", "/v1/keys/{id}/rotate"],
  z.strictObject({
    id: keyId,
    overlap_seconds: z.optional(
      described(z.int().check(z.minimum(0), z.maximum(2_592_000)), "A day unless told otherwise."),
    ),
  }),
  drawnKey,
);

export const revokeKey = operation(
  {
    name: "revoke_key",
    title: "Revoke an API key",
    description: "From now on it is refused, and streams that it opened are closed within ten seconds.",
    needs: ["admin"],
    changes: "the log",
  },
  ["DELETE", "/v1/keys/{id}"],
  z.strictObject({ id: keyId }),
  z.strictObject({ id: keyId, revoked_at: time }),
);

const timeOf = (millis: number | null): string | null =>
  millis === null ? null : formatInstant(instantFromMillis(millis));

export const writeKey = ({
  id,
  name: called,
  scopes: may,
  holder: whose,
  createdAt,
  expiresAt,
  revokedAt,
}: StoredKey): JsonObject => ({
  id,
  name: called,
  scopes: may,
  holder: whose as unknown as JsonObject,
  created_at: timeOf(createdAt),
  expires_at: timeOf(expiresAt),
  revoked_at: timeOf(revokedAt),
});
