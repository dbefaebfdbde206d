import type { CompiledSchema } from "@hyperjump/json-schema/experimental";
import { DIALECT } from "./guard.ts";
import { type Library, replaceKeywords } from "./keywords.ts";

let loading: Promise<Library> | undefined;

/**
 * The schema library, set up once a process when the first schema is compiled: loading it takes longer than all else
 * a command does. Changes the library for the whole process: it retrieves nothing any more, and the keywords of
 * `replaceKeywords` take the place of its own.
 */
export function loadLibrary(): Promise<Library> {
  loading ??= setUp();
  return loading;
}

async function setUp(): Promise<Library> {
  await import("@hyperjump/json-schema/draft-2020-12");
  const [browser, experimental, instance, { RE2JS }] = await Promise.all([
    import("@hyperjump/browser"),
    import("@hyperjump/json-schema/experimental"),
    import("@hyperjump/json-schema/instance/experimental"),
    import("re2js"),
  ]);
  const library = { browser, experimental, instance, engine: RE2JS };
  for (const scheme of ["http", "https", "file"]) browser.removeUriSchemePlugin(scheme);
  replaceKeywords(library);
  await compileMetaSchema(library);
  return library;
}

/**
 * The library compiles the schema of schemas on first use, looks it up in what the caller of that moment brought, and
 * keeps it for everybody. So it is compiled here, where nobody brings anything.
 */
async function compileMetaSchema({ experimental }: Library): Promise<void> {
  const document = experimental.buildSchemaDocument({ type: "object" }, "https://schema.invalid/", DIALECT);
  await experimental.compile(await experimental.getSchema(document.baseUri, cacheOf({ [document.baseUri]: document })));
}

/** What the library looks documents up in; its types know it only as a whole browser. */
export const cacheOf = (documents: Readonly<Record<string, unknown>>) => ({ _cache: documents }) as never;

/** Names of unknown keywords that the library may remember; it never forgets them by itself. */
const REMEMBERED = 50_000;
let seen = 0;

/** To be told of every compiled schema: from time to time what the library remembers of them is thrown away. */
export function forgetUnknownKeywords({ experimental }: Library, { ast }: CompiledSchema): void {
  for (const keywords of Object.values(ast)) seen += Array.isArray(keywords) ? keywords.length : 1;
  if (seen < REMEMBERED) return;
  seen = 0;
  // Adding a keyword clears its memory; this one is there already.
  const id = "https://json-schema.org/keyword/type";
  experimental.addKeyword({ ...experimental.getKeyword(id), id });
}
