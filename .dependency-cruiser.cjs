// Reads TypeScript through typescript < 7; with 7 in its place it finds no modules and passes. Every exports map has
// our source condition first, or a forbidden import resolves into dist and vanishes from the graph. scripts/boundaries.mjs plants a
// forbidden import and expects a failure, and checks the number of modules.
const may = (from, ...to) => ({
  from: { path: `^packages/${from}/` },
  to: { path: `^packages/(${[from, ...to].join("|")})/` },
});
const never = (name, from, to) => ({ name, severity: "error", from, to });

module.exports = {
  allowedSeverity: "error",
  allowed: [
    may("core"),
    may("evm", "core"),
    may("store", "core"),
    may("api", "core"),
    may("server", "core", "api"),
    may("proxy", "core", "api"),
    may("console", "api"),
    may("guards", "api"),
    may("cli", "core", "evm", "store", "api", "server", "proxy", "guards"),
    // Tests start real parts: a store behind a server, a gate behind a proxy.
    { from: { path: "^packages/[^/]+/src/(testing/|.*[.]test[.]ts$)" }, to: { path: "^packages/" } },
    { from: {}, to: { pathNot: "^packages/" } },
  ],
  forbidden: [
    never("no-cycles", {}, { circular: true }),
    never("resolvable", {}, { couldNotResolve: true }),
    never(
      "core-is-pure",
      { path: "^packages/core/src/", pathNot: "([.]test[.]ts$|/testing)" },
      { dependencyTypes: ["core"] },
    ),
    never(
      "deciding-knows-no-gate",
      { path: "^packages/core/src/(?!gate/|index[.]ts|testing)", pathNot: "[.]test[.]ts$" },
      { path: "^packages/core/src/gate/" },
    ),
    never(
      "front-door-only",
      { path: "^packages/([^/]+)/" },
      { path: "^packages/", pathNot: ["^packages/$1/", "/src/(index|testing)[.]ts$"] },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["countersign-source", "import", "types", "default"],
    },
    exclude: { path: "^packages/[^/]+/(dist|bin)/" },
  },
};
