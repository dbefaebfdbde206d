import { ed25519Key } from "@countersign/api";
import { decodeBase64url, encodeBase64url, encodeUtf8, type Signer } from "@countersign/core";

/** What a token is for: one credential's answer to one hold as it stands. */
export interface TokenFor {
  readonly tenant: string;
  readonly hold: string;
  readonly version: number;
  readonly credential: string;
}

/** The `review` key ring. */
export interface TokenKeys {
  /** Signs now. */
  signer(): Signer;
  /** Public halves whose tokens are taken now, 32 bytes each. */
  known(): readonly Uint8Array[];
}

/** Ten minutes: long enough to read what would run, short enough that it is still what the person has in mind. */
export const TOKEN_LIFETIME_MS = 600_000;

/** Shown with a hold and sent with the answer, so that an answer is given by somebody who has just looked. */
export async function issueToken(subject: TokenFor, keys: TokenKeys, now: number): Promise<string> {
  const until = now + TOKEN_LIFETIME_MS;
  return `${until}.${encodeBase64url(await keys.signer().sign(textOf(subject, until)))}`;
}

export async function acceptsToken(token: string, subject: TokenFor, keys: TokenKeys, now: number): Promise<boolean> {
  const [, digits = "", encoded = ""] = /^([1-9][0-9]{0,14})\.([A-Za-z0-9_-]{86})$/.exec(token) ?? [];
  const signature = decodeBase64url(encoded);
  const until = Number(digits);
  if (signature === undefined || now >= until || until > now + TOKEN_LIFETIME_MS) return false;
  const text = textOf(subject, until);
  const answers = await Promise.all(keys.known().map(async (bytes) => ed25519Key(bytes)?.verify(text, signature)));
  return answers.includes(true);
}

/** Nothing else that a gate signs begins like this, and no id has a line feed. */
const textOf = ({ tenant, hold, version, credential }: TokenFor, until: number): Uint8Array =>
  encodeUtf8(["countersign-review-token-v1", tenant, hold, version, credential, until].join("\n"));
