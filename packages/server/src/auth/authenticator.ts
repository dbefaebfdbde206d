import { type Problem, problemOf, problemOfFault } from "@countersign/api";
import { authenticate, err, ok, type Result, type Sha256, type Store } from "@countersign/core";
import { type Caller, LOCAL } from "../caller.ts";

/** Says who sent a request, from its Authorization header and the address it came from. */
export type Authenticator = (
  authorization: string | undefined,
  address: string | undefined,
) => Promise<Result<Caller, Problem>>;

export interface AuthOptions {
  readonly keys: Pick<Store, "key" | "now">;
  readonly clock: () => number;
  readonly sha256: Sha256;
  /** Whether a caller without a credential on loopback is the agent `local`, or nobody. */
  readonly anonymous: "loopback" | "nobody";
}

const BEARER = /^Bearer +([A-Za-z0-9_-]{1,256})$/;
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

/** A wrong credential is refused also where none would have been needed: whoever sends one means it. */
export const createAuthenticator =
  ({ keys, clock, sha256, anonymous }: AuthOptions): Authenticator =>
  async (authorization, address) => {
    if (authorization === undefined) {
      return anonymous === "loopback" && address !== undefined && LOOPBACK.test(address)
        ? ok(LOCAL)
        : err(problemOf("credential.missing"));
    }
    const presented = BEARER.exec(authorization)?.[1] ?? "";
    const known = await authenticate(presented, keys, clock(), sha256);
    if (!known.ok)
      return err(known.error.code === "key.refused" ? problemOf("credential.unknown") : problemOfFault(known.error));
    const { tenant, credential, scopes, holder } = known.value;
    return ok({ tenant, credential, scopes: new Set(scopes), holder });
  };
