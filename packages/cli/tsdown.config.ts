import { defineConfig, type UserConfig } from "tsdown";

/**
 * Libraries with large tables (public suffixes, the mapping of international names), which most asks never look into: each
 * becomes a file of its own that is read at its first use. Named are the functions that our code calls.
 */
const LAZY: Readonly<Record<string, readonly string[]>> = {
  tldts: ["parse"],
  "whatwg-url": ["parseURL", "serializeHost", "serializePath"],
};

const lazyLibraries: UserConfig["plugins"] = {
  name: "lazy-libraries",
  resolveId(id, importer) {
    if (Object.hasOwn(LAZY, id)) return `\0lazy:${id}`;
    if (importer?.startsWith("\0lazy:")) return { id, external: true };
    // Commander starts programs for subcommands that are files of their own, and here none is.
    if (id === "node:child_process" && importer?.includes("/commander/")) return "\0nothing";
    return null;
  },
  load(id) {
    if (id === "\0nothing") return "export {};";
    if (!id.startsWith("\0lazy:")) return null;
    const name = id.slice("\0lazy:".length);
    return [
      "let library;",
      `const load = () => (library ??= require("./library/${name}.cjs"));`,
      ...(LAZY[name] ?? []).map((called) => `export const ${called} = (...given) => load().${called}(...given);`),
    ].join("\n");
  },
};

const shared = {
  format: "cjs",
  outExtensions: () => ({ js: ".cjs" }),
  platform: "node",
  target: "node20.19",
  dts: false,
  minify: true,
  sourcemap: false,
  hash: false,
  report: false,
  logLevel: "warn",
  // libsql loads a library that was built for the machine.
  deps: { alwaysBundle: [/.*/], onlyBundle: false, neverBundle: ["libsql"] },
} satisfies UserConfig;

// One program, split where a face is imported when it is used: `check` must not read the server's code. CommonJS, since the
// loader of modules alone would take a tenth of the time that `check` has.
export default defineConfig([
  {
    ...shared,
    entry: { countersign: "src/program.ts" },
    outDir: "dist/program",
    inputOptions: { resolve: { conditionNames: ["countersign-source", "import", "node", "default"] } },
    plugins: [lazyLibraries],
  },
  {
    ...shared,
    entry: Object.fromEntries(Object.keys(LAZY).map((name) => [name, name])),
    outDir: "dist/program/library",
  },
]);
