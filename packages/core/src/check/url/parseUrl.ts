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
