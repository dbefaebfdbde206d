import "./textCoding.ts";
import { parseURL, serializeHost, serializePath, type URLRecord } from "whatwg-url";

/** A URL as the WHATWG standard takes it apart, by one library on every runtime: two parsers are two opinions. */
export interface ParsedUrl {
  /** Lower case, without the colon. */
  readonly scheme: string;
  readonly username: string;
  readonly password: string;
  /** Serialised: lower case and Punycode in the special schemes, brackets around IPv6. Null: the URL has no authority. */
  readonly host: string | null;
  /** Null: none is written, or it is the scheme's own. */
  readonly port: number | null;
  /** Begins with "/", is empty, or is opaque (`mailto:a@b`). */
  readonly path: string;
  readonly query: string | null;
  readonly fragment: string | null;
}

/** Reads an absolute URL. Null when the standard calls it a failure. Never throws; linear in the text's length. */
export function parseUrl(text: string): ParsedUrl | null {
  return parsePlain(text) ?? parseAny(text);
}

/**
 * The URLs that the standard leaves as they are: http or https, a name in lower case that ends in letters, a port in usual
 * digits, and behind it only characters that are never encoded. Most URLs are such, and one look is much faster than the
 * standard's walk over every character. A test holds it to the library's answer.
 */
const PLAIN =
  /^(https?):[/]{2}((?:[a-z0-9_-]+[.])+[a-z][a-z-]*)(?::([1-9]\d{0,4}))?([/][\w.~!$&'()*+,;=:@%/-]*)?(?:[?]([\w.~!$&()*+,;=:@%/?-]*))?(?:#([\w.~!$&'()*+,;=:@%/?-]*))?$/;
/** A label in Punycode has to be checked, and a path with dots in it resolved. */
const NOT_PLAIN = /(?:[/.])xn--|[/][.]|%2e/i;

function parsePlain(text: string): ParsedUrl | null {
  const parts = PLAIN.exec(text);
  if (parts === null || NOT_PLAIN.test(text)) return null;
  const [, scheme = "", host = "", written, path = "/", query = null, fragment = null] = parts;
  const port = written === undefined ? null : Number(written);
  if (port !== null && port > 65_535) return null;
  const own = port === (scheme === "http" ? 80 : 443);
  return { scheme, username: "", password: "", host, port: own ? null : port, path, query, fragment };
}

/** By the library alone. */
export function parseAny(text: string): ParsedUrl | null {
  const record = parse(text);
  if (record === null) return null;
  return {
    scheme: record.scheme,
    username: record.username,
    password: record.password,
    host: record.host === null ? null : serializeHost(record.host),
    port: record.port,
    path: serializePath(record),
    query: record.query,
    fragment: record.fragment,
  };
}

/** The library throws on Punycode that does not decode; such a host is a failure too. */
function parse(text: string): URLRecord | null {
  try {
    return parseURL(text);
  } catch {
    return null;
  }
}

/** The URL as one string, as the standard serialises it, without the credentials when `credentials` is "left out". */
export function serialiseUrl(url: ParsedUrl, credentials: "kept" | "left out"): string {
  const user = credentials === "kept" ? url.username + (url.password === "" ? "" : `:${url.password}`) : "";
  const authority = url.host === null ? "" : `//${user === "" ? "" : `${user}@`}${url.host}${portOf(url)}`;
  // Without an authority, a path that begins with two slashes would read as one.
  const guard = url.host === null && url.path.startsWith("//") ? "/." : "";
  const query = url.query === null ? "" : `?${url.query}`;
  const fragment = url.fragment === null ? "" : `#${url.fragment}`;
  return `${url.scheme}:${authority}${guard}${url.path}${query}${fragment}`;
}

const portOf = (url: ParsedUrl): string => (url.port === null ? "" : `:${url.port}`);
