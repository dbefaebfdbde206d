import { looksLikePlaceholder, looksRandom, textureOf } from "./randomness.ts";

/** Every name that `assignedKind` can take for a secret's holds one of these. */
export const NAME_WORDS: readonly string[] = [
  "pass",
  "pwd",
  "secret",
  "token",
  "credential",
  "apikey",
  "api_key",
  "api-key",
  "api key",
  "accesskey",
  "access_key",
  "access-key",
  "privatekey",
  "private_key",
  "private-key",
  "authkey",
  "auth_key",
  "auth-key",
  "encryption_key",
  "encryptionkey",
  "signing_key",
  "signingkey",
  "session_key",
  "sessionkey",
  "account_key",
  "accountkey",
  "master_key",
  "masterkey",
  "authorization",
  "mnemonic",
  "seed_phrase",
  "seedphrase",
  "seed phrase",
  "recovery phrase",
  "recovery_phrase",
  "recoveryphrase",
];

/** Names are compared without case and separators. The last word in the name decides. */
const WORDS =
  /(pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|apikey|accesskey|privatekey|authkey|encryptionkey|signingkey|sessionkey|accountkey|masterkey|authorization|mnemonic|seedphrase|recoveryphrase)(?!.*(?:password|passwd|passphrase|pwd|secret|token|apikey|accesskey|privatekey|mnemonic))(.*)$/;

/** After the word these say that the value is something about a secret, not one. */
const ABOUT =
  /name|ref|ids?$|count|type|field|ur[il]|path|file|header|len|size|hash|digest|policy|address|symbol|decimals|expir|lifetime|ttl|limit|manager|version|format|alg|reset|hint|strength|minimum|maximum|valid|used|usage|budget|ize|label|prompt|placeholder|rotat|store|provider|service|class|endpoint|scope|param|input|error|message|require|enable|arn|pattern|regex|days/;

/** Tokens of these kinds name a place in a list. */
const CURSOR = /(?:page|next|prev|continuation|cursor|sync|resume|scroll|csrf|xsrf)token/;

/** Tokens that are money: an address, or a chain's name for an asset. */
const ASSET = /^(?:0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{43,44}|(?:eip155|solana|bip122|cosmos|did|urn|arn|spiffe):.*)$/i;

const PASSWORDS = /^(?:pass|pwd)/;
const PHRASES = /^(?:mnemonic|seedphrase|recoveryphrase)/;

/** Code, templates and references, which stand where the secret will be. */
const REFERENCE =
  /^(?:[$<{[(%!@&*]|process\.|os\.|env[.:]|secrets?\.|vault:|op:\/\/|ref\+|self\.|this\.|config\.)|:\/\//i;

/**
 * The kind of secret that an assignment of `value` to `name` shows, or undefined when it shows none. Only the first 512
 * characters of a value are looked at.
 */
export function assignedKind(name: string, value: string): string | undefined {
  const plain = name
    .slice(-64)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
  const [, word, rest] = WORDS.exec(plain) ?? [];
  if (word === undefined || rest === undefined || ABOUT.test(rest) || CURSOR.test(plain)) return undefined;
  if (word === "pass" && !/(?:^|[^A-Za-z])[Pp]ass$|[a-z]Pass$|PASS$/.test(name)) return undefined;
  const judged = value.slice(0, 512);
  if (PHRASES.test(word)) return isMnemonic(judged) ? "mnemonic" : undefined;
  if (/\s/.test(judged) || REFERENCE.test(judged) || looksLikePlaceholder(judged)) return undefined;
  if (PASSWORDS.test(word)) return isPassword(judged) ? "password" : undefined;
  if (word === "token" && ASSET.test(judged)) return undefined;
  // On a chain an authorization is a signature that everybody sees.
  if (word === "authorization" && judged.startsWith("0x")) return undefined;
  return judged.length >= 16 && looksRandom(judged) ? keyKind(plain, word, judged) : undefined;
}

/** A name that holds a list of bytes, as wallets write their keys. */
export const isKeyName = (name: string): boolean =>
  /(?:secret|private)_?-?(?:key)?$|keypair$/i.test(name.slice(-64).replaceAll(/[\s"']/g, ""));

function keyKind(name: string, word: string, value: string): string {
  if (/^(?:0x)?[0-9a-f]{64}$/i.test(value) && word === "privatekey") return "eth-private-key";
  if (name.includes("aws") && name.includes("secret")) return "aws-secret-access-key";
  if (name.includes("aws") && name.includes("session")) return "aws-session-token";
  const vendor = /mailchimp|cloudflare|discord|twilio|datadog|algolia|openai|azure|github|gitlab|slack/.exec(name)?.[0];
  if (vendor !== undefined) return `${vendor}-key`;
  return { apikey: "api-key", token: "token", secret: "secret", authorization: "authorization" }[word] ?? "key";
}

/** At least 8 characters, mixed as a chosen or made password is and a word is not. */
function isPassword(value: string): boolean {
  const { length, digits, lower, upper, symbols, distinct } = textureOf(value);
  if (length < 8 || distinct < 5) return false;
  const classes = [digits, lower, upper, symbols].filter((count) => count > 0).length;
  return classes >= 3 || (digits > 0 && lower + upper > 0) || (lower > 0 && upper > 0 && looksRandom(value));
}

/** 12, 15, 18, 21 or 24 words of 3 to 8 small letters, as all lists of seed words have them. */
function isMnemonic(value: string): boolean {
  const words = value.trim().split(/[\s,]+/);
  return (
    words.length >= 12 && words.length <= 24 && words.length % 3 === 0 && words.every((w) => /^[a-z]{3,8}$/.test(w))
  );
}
