import { decodePrintable } from "./decode.ts";
import { privateKeyEnd } from "./privateKey.ts";
import { looksLikePlaceholder, looksRandom } from "./randomness.ts";
import { type CharSet, newRunSite, type Reader, SETS } from "./reader.ts";

/** From `at` to the end of what was matched, or -1. */
type Matcher = (reader: Reader, at: number) => number;

/**
 * A secret that can be told by its own form. `literal` is looked for first; `match` starts where the literal does, or
 * `back` characters before it.
 */
export interface Shape {
  readonly kind: string;
  readonly literal: string;
  readonly back: number;
  readonly letterCase: "exact" | "any";
  /** `word`: no letter, digit or underscore stands before it. */
  readonly edge: "word" | "none";
  readonly match: Matcher;
  /** Characters at its beginning and end that are no part of the secret. */
  readonly around: readonly [before: number, after: number];
  /** Turns down what has the form and is no secret: placeholders, words. */
  readonly accept: (value: string) => boolean;
}

/** A run of `set` of at least `min` characters; one that goes on beyond `max` is something else. */
function run(set: CharSet, min: number, max = Number.POSITIVE_INFINITY): Matcher {
  const site = newRunSite();
  return (reader, at) => {
    const end = reader.runEnd(site, set, at);
    return end - at >= min && end - at <= max ? end : -1;
  };
}

const exactly = (set: CharSet, length: number): Matcher => run(set, length, length);

/** `length` characters of `set`, whatever follows. */
const take =
  (set: CharSet, length: number): Matcher =>
  (reader, at) => {
    for (let i = at; i < at + length; i += 1) if (!reader.has(set, i)) return -1;
    return at + length;
  };

const text =
  (...choices: readonly string[]): Matcher =>
  (reader, at) => {
    const found = choices.find((choice) => reader.startsWith(choice, at));
    return found === undefined ? -1 : at + found.length;
  };

/** Characters that the search for literals has already compared. */
const skip =
  (length: number): Matcher =>
  (_, at) =>
    at + length;

const maybe =
  (part: Matcher): Matcher =>
  (reader, at) => {
    const end = part(reader, at);
    return end === -1 ? at : end;
  };

const seq =
  (...parts: readonly Matcher[]): Matcher =>
  (reader, at) => {
    let end = at;
    for (const part of parts) {
      end = part(reader, end);
      if (end === -1) return -1;
    }
    return end;
  };

const notPlaceholder = (value: string): boolean => !looksLikePlaceholder(value);

const shape = (kind: string, literal: string, rest: Matcher, more: Partial<Shape> = {}): Shape => ({
  kind,
  literal,
  back: 0,
  letterCase: "exact",
  edge: "word",
  around: [0, 0],
  match: seq(more.letterCase === "any" ? skip(literal.length) : text(literal), rest),
  accept: notPlaceholder,
  ...more,
});

/** The same form after each of several literals. */
const family = (kind: string, literals: readonly string[], rest: Matcher, more: Partial<Shape> = {}): Shape[] =>
  literals.map((literal) => shape(kind, literal, rest, more));

const { digit, hex, anyHex, lowerAlnum, upperAlnum, alnum, word, dashed, dotted, tilded, base58, base64 } = SETS;
const padding = maybe(text("==", "="));
const uuid = seq(
  take(anyHex, 8),
  ...[4, 4, 4].map((length) => seq(text("-"), take(anyHex, length))),
  text("-"),
  take(anyHex, 12),
);
const any = { letterCase: "any" } as const;
const random = { accept: looksRandom } as const;

/** ` name value`, as in a .netrc file. */
const named = (name: string): Matcher =>
  seq(run(SETS.space, 1), text(name), name === "" ? skip(0) : run(SETS.space, 1), run(SETS.nonSpace, 1, 256));

const lastWord = (value: string): string => value.slice(Math.max(value.lastIndexOf(" "), value.lastIndexOf("\t")) + 1);

/** What manuals write where a password belongs, and what stands for one that is filled in later. */
const DEFAULT_PASSWORD =
  /^(?:password|passwd|pass|pwd|pw|secret|changeme|guest|admin|root|user|username|test|postgres|mysql|example|\$.*|%.*%|\{.*|\[.*|\*+|x+|\.+|-+)$/i;

const AWS: readonly Shape[] = [
  ...family("aws-access-key-id", ["AKIA", "ABIA", "ACCA"], exactly(upperAlnum, 16)),
  shape("aws-temporary-key-id", "ASIA", exactly(upperAlnum, 16)),
  shape("aws-bedrock-key", "ABSK", seq(run(base64, 100), padding)),
  shape("aws-bedrock-key", "bedrock-api-key-", run(base64, 60)),
  shape("aws-session-token", "IQoJb3JpZ2luX2Vj", run(SETS.base64pad, 100)),
];

const FORGES: readonly Shape[] = [
  shape("github-pat", "ghp_", run(alnum, 36)),
  shape("github-oauth", "gho_", run(alnum, 36)),
  shape("github-user-to-server", "ghu_", run(alnum, 36)),
  shape("github-server-to-server", "ghs_", run(alnum, 36)),
  shape("github-refresh", "ghr_", run(alnum, 36)),
  shape("github-fine-grained", "github_pat_", run(word, 60)),
  shape("gitlab-pat", "glpat-", run(dotted, 20)),
  shape("gitlab-deploy", "gldt-", run(dashed, 20)),
  shape("gitlab-runner", "glrt-", run(dotted, 20)),
  shape("gitlab-trigger", "glptt-", run(dashed, 20)),
  shape("gitlab-feed", "glft-", run(dashed, 20)),
  shape("gitlab-ci-job", "glcbt-", run(dashed, 20)),
  shape("gitlab-scim", "glsoat-", run(dashed, 20)),
  ...family("gitlab-other", ["glimt-", "glagent-", "gloas-", "glffct-"], run(dashed, 20)),
  ...family("atlassian", ["ATATT3xFfGF0", "ATCTT3xFfGF0", "ATBBT3xFfGF0"], run(SETS.base64any, 60)),
  shape("linear", "lin_api_", run(alnum, 32)),
  shape("linear", "lin_oauth_", run(alnum, 32)),
];

const CHAT: readonly Shape[] = [
  shape("slack-bot", "xoxb-", run(dashed, 20)),
  shape("slack-user", "xoxp-", run(dashed, 20)),
  ...family("slack-other", ["xoxa-", "xoxe-", "xoxo-", "xoxr-", "xoxs-", "xoxc-", "xoxd-"], run(dashed, 20), random),
  shape("slack-app", "xapp-", seq(run(digit, 1, 2), text("-"), run(dashed, 20))),
  ...["services/", "workflows/", "triggers/"].map((path) =>
    shape("slack-webhook", `hooks.slack.com/${path}`, seq(run(SETS.base64any, 24)), any),
  ),
  shape("discord-webhook", "/api/webhooks/", seq(run(digit, 16, 21), text("/"), run(dashed, 50)), { edge: "none" }),
  // The bot's number stands before it.
  shape("telegram-bot", ":AA", run(dashed, 32, 34), {
    back: 8,
    edge: "none",
    match: seq(take(digit, 8), text(":AA"), run(dashed, 32, 34)),
  }),
];

const AI: readonly Shape[] = [
  shape("openai-project", "sk-proj-", run(dashed, 40)),
  shape("openai-service-account", "sk-svcacct-", run(dashed, 40)),
  shape("openai-admin", "sk-admin-", run(dashed, 40)),
  shape("anthropic-api", "sk-ant-api", run(dashed, 40)),
  shape("anthropic-admin", "sk-ant-admin", run(dashed, 40)),
  shape("anthropic-other", "sk-ant-", run(dashed, 40)),
  // Many vendors write their keys so; only what no person wrote counts. None is longer than a few hundred characters.
  shape("openai-legacy", "sk-", run(dashed, 20), {
    accept: (value) => looksRandom(value) || value.slice(0, 512).includes("T3BlbkFJ"),
  }),
  shape("groq", "gsk_", run(alnum, 40)),
  shape("xai", "xai-", run(alnum, 60)),
  shape("perplexity", "pplx-", run(alnum, 40)),
  shape("replicate", "r8_", run(alnum, 32)),
  shape("huggingface", "hf_", run(alnum, 30)),
  shape("huggingface", "api_org_", run(alnum, 30)),
  ...family("langsmith", ["lsv2_pt_", "lsv2_sk_"], seq(run(hex, 32, 32), text("_"), run(hex, 8))),
  shape("nvidia", "nvapi-", run(dashed, 60)),
  shape("tavily", "tvly-", run(dashed, 28), random),
  shape("e2b", "e2b_", run(hex, 40)),
];

const CLOUD: readonly Shape[] = [
  shape("google-api-key", "AIza", run(dashed, 35, 36)),
  shape("google-oauth-secret", "GOCSPX-", run(dashed, 24)),
  shape("google-oauth-access", "ya29.", run(dashed, 30)),
  shape("azure-ad-secret", "Q~", run(tilded, 31, 34), {
    back: 4,
    edge: "none",
    match: seq(take(tilded, 3), take(digit, 1), text("Q~"), run(tilded, 31, 34)),
  }),
  ...family("azure-storage", ["AccountKey=", "SharedAccessKey="], seq(run(base64, 40), padding), any),
  ...family("azure-sas", ["?sig=", "&sig=", ";sig="], run(SETS.base64percent, 40), { edge: "none" }),
  ...family("digitalocean-pat", ["dop_v1_"], run(hex, 64)),
  ...family("digitalocean-oauth", ["doo_v1_", "dor_v1_"], run(hex, 64)),
  shape("heroku", "HRKU-AA", run(dashed, 40)),
  shape("fly-io", "fo1_", run(dashed, 40)),
  ...family("fly-io", ["fm1_", "fm2_", "fm1r_", "fm1a_"], run(SETS.base64pad, 60)),
  shape("cloudflare-origin-ca", "v1.0-", seq(exactly(hex, 24), text("-"), run(hex, 100))),
  shape("databricks", "dapi", seq(run(hex, 32, 32), maybe(seq(text("-"), run(digit, 1, 2))))),
  ...family("doppler", ["dp.pt.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."], run(alnum, 40)),
  shape("doppler", "dp.st.", run(dotted, 40)),
  shape("terraform-cloud", ".atlasv1.", run(dashed, 60), {
    back: 14,
    edge: "none",
    match: seq(take(alnum, 14), text(".atlasv1."), run(dashed, 60)),
  }),
  shape("vault-service", "hvs.", run(dashed, 24)),
  shape("vault-batch", "hvb.", run(dashed, 60)),
  shape("vault-recovery", "hvr.", run(dashed, 24)),
  shape("pulumi", "pul-", exactly(hex, 40)),
  shape("openshift", "sha256~", exactly(dashed, 43)),
  ...family("planetscale", ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], run(dotted, 32)),
  shape("supabase", "sbp_", run(alnum, 40)),
  shape("supabase", "sb_secret_", run(dashed, 20)),
  shape("netlify", "nfp_", run(alnum, 36)),
  shape("prefect", "pnu_", run(alnum, 36)),
  ...family("tailscale", ["tskey-auth-", "tskey-api-", "tskey-client-"], run(dashed, 20)),
  shape("infracost", "ico-", exactly(alnum, 32)),
];

const REGISTRIES: readonly Shape[] = [
  shape("npm-token", "npm_", run(alnum, 36)),
  shape("npmrc-auth-token", "_authToken=", run(dashed, 16), { edge: "none" }),
  shape("npmrc-auth-basic", ":_auth=", run(SETS.base64pad, 12), { edge: "none" }),
  shape("npmrc-auth-basic", ":_password=", run(SETS.base64pad, 8), { edge: "none" }),
  ...family("pypi", ["pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZw"], run(dashed, 50)),
  shape("rubygems", "rubygems_", run(hex, 48)),
  ...family("dockerhub-pat", ["dckr_pat_", "dckr_oat_"], run(dashed, 20)),
  shape("clojars", "CLOJARS_", run(lowerAlnum, 60)),
  shape("artifactory", "AKCp", run(alnum, 60, 80)),
];

const MONEY: readonly Shape[] = [
  ...family("stripe-live-secret", ["sk_live_"], run(alnum, 16)),
  ...family("stripe-test-secret", ["sk_test_"], run(alnum, 16)),
  ...family("stripe-restricted", ["rk_live_", "rk_test_"], run(alnum, 16)),
  shape("stripe-webhook-secret", "whsec_", run(SETS.base64pad, 24)),
  shape("square-secret", "sq0csp-", run(dashed, 40)),
  shape("square-access", "sq0atp-", run(dashed, 22)),
  shape("square-access", "EAAA", exactly(dashed, 60)),
  shape("flutterwave", "FLWSECK_TEST-", run(dashed, 12)),
  shape("flutterwave", "FLWSECK-", run(dashed, 30)),
  ...family("shippo", ["shippo_live_", "shippo_test_"], run(hex, 40)),
  ...family("easypost", ["EZAK", "EZTK"], exactly(alnum, 54)),
  ...["access-production-", "access-development-", "access-sandbox-"].map((start) =>
    shape("plaid-access", start, uuid),
  ),
  ...family("duffel", ["duffel_live_", "duffel_test_"], run(dashed, 40)),
  shape("shopify-access", "shpat_", run(anyHex, 32)),
  shape("shopify-shared", "shpss_", run(anyHex, 32)),
  shape("shopify-custom", "shpca_", run(anyHex, 32)),
  shape("shopify-private", "shppa_", run(anyHex, 32)),
];

const SERVICES: readonly Shape[] = [
  shape("sendgrid", "SG.", seq(run(dashed, 16, 32), text("."), run(dashed, 30))),
  shape("mailgun", "key-", exactly(hex, 32)),
  shape("twilio-key", "SK", exactly(hex, 32)),
  ...family("sendinblue", ["xkeysib-", "xsmtpsib-"], seq(exactly(hex, 64), text("-"), run(alnum, 12))),
  shape("notion", "ntn_", run(alnum, 40)),
  shape("notion", "secret_", exactly(alnum, 43)),
  shape("postman", "PMAK-", seq(run(hex, 24, 24), text("-"), run(hex, 34))),
  ...family("new-relic-user", ["NRAK-", "NRRA-", "NRII-"], run(SETS.dashed, 27)),
  shape("grafana-service-account", "glsa_", seq(run(alnum, 32, 32), text("_"), run(anyHex, 8))),
  shape("grafana-cloud", "glc_eyJ", run(SETS.base64pad, 30)),
  shape("dynatrace", "dt0c01.", seq(run(upperAlnum, 24, 24), text("."), run(upperAlnum, 60))),
  shape("readme", "rdme_", run(lowerAlnum, 60)),
  ...family("sentry-user", ["sntryu_"], run(hex, 60)),
  shape("sentry-org", "sntrys_", run(SETS.base64any, 60)),
  shape("adafruit-io", "aio_", exactly(alnum, 28)),
  ...family("figma", ["figd_", "figr_", "figo_", "figu_"], run(dashed, 36)),
  shape("airtable-pat", "pat", seq(exactly(alnum, 14), text("."), run(hex, 64))),
  shape("onepassword-service", "ops_eyJ", run(SETS.base64pad, 100)),
  shape("mapbox-secret", "sk.eyJ", seq(run(dashed, 40), text("."), run(dashed, 20))),
  shape("typeform", "tfp_", run(dotted, 40)),
  ...family("settlemint", ["sm_pat_", "sm_aat_", "sm_sat_"], exactly(alnum, 16)),
  shape("contentful", "CFPAT-", run(dashed, 40)),
  shape("maxmind", "_mmk", run(alnum, 0, 0), {
    back: 36,
    edge: "none",
    match: seq(take(alnum, 6), text("_"), take(alnum, 29), text("_mmk"), run(word, 0, 0)),
  }),
  ...["na1", "na2", "eu1", "ap1"].map((region) => shape("hubspot", `pat-${region}-`, uuid)),
  shape("apify", "apify_api_", run(alnum, 30)),
];

const WALLETS: readonly Shape[] = [
  shape("age-secret-key", "AGE-SECRET-KEY-1", run(upperAlnum, 50)),
  ...family("bip32-xprv", ["xprv", "yprv", "zprv", "tprv", "uprv", "vprv"], run(base58, 100)),
];

const pattern =
  (sticky: RegExp): Matcher =>
  (reader, at) => {
    sticky.lastIndex = at;
    return sticky.test(reader.text) ? sticky.lastIndex : -1;
  };

const KEY_FILES: readonly Shape[] = [
  shape("private-key", "-----BEGIN ", skip(0), { edge: "none", match: privateKeyEnd, accept: () => true }),
  shape("putty-private-key", "Private-Lines:", pattern(/ {0,4}\d{1,3}\r?\n[A-Za-z0-9+/]{40,76}/y)),
  shape("kube-secret-yaml", "kind: Secret", skip(0), {
    match: pattern(
      /kind: Secret\b[\s\S]{0,512}?\bdata:\s{0,4}\n\s{1,16}[\w.-]{1,64}: {0,4}[A-Za-z0-9+/]{8,4096}={0,2}/y,
    ),
    accept: (value) => notPlaceholder(value.slice(value.lastIndexOf(" ") + 1)),
  }),
];

const HEADERS: readonly Shape[] = [
  shape("jwt", "eyJ", seq(run(dashed, 7), text("."), run(dashed, 4), text("."), run(dashed, 10))),
  shape("bearer-header", "bearer", seq(run(SETS.space, 1), run(SETS.token68, 16)), {
    ...any,
    accept: (value) => looksRandom(lastWord(value)) && notPlaceholder(value),
  }),
  shape("basic-header", "basic", seq(run(SETS.space, 1), run(SETS.base64pad, 8)), {
    ...any,
    // What it carries is user:password; a word after "basic" decodes to no such thing.
    accept: (value) => decodePrintable(lastWord(value))?.includes(":") === true,
  }),
  shape("netrc", "machine", seq(named(""), named("login"), named("password")), {
    ...any,
    accept: (value) => !DEFAULT_PASSWORD.test(lastWord(value)),
  }),
  shape("url-credentials", "://", run(SETS.userinfo, 2, 512), {
    edge: "none",
    around: [3, 1],
    match: seq(skip(3), run(SETS.userinfo, 2, 512), text("@")),
    accept(value) {
      const colon = value.indexOf(":", 3);
      const password = value.slice(colon + 1, -1);
      return colon !== -1 && password.length > 2 && !DEFAULT_PASSWORD.test(password);
    },
  }),
];

export const SHAPES: readonly Shape[] = [
  ...AWS,
  ...FORGES,
  ...CHAT,
  ...AI,
  ...CLOUD,
  ...REGISTRIES,
  ...MONEY,
  ...SERVICES,
  ...WALLETS,
  ...KEY_FILES,
  ...HEADERS,
];
