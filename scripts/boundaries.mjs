// Holds the walls between packages, and proves that it would notice a hole: a forbidden import is planted in a scratch
// file, and the run fails unless it is reported. Also keeps clock and randomness out of core, by syntax.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cruise } from "dependency-cruiser";
import extractOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import ts from "typescript";

const options = await extractOptions("./.dependency-cruiser.cjs");

async function run() {
  const { output } = await cruise(["packages"], options);
  return output.summary;
}

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** `Date.now`, `new Date()`, `Math.random`: time and randomness are arguments in core. */
function impurities(file) {
  const tree = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2023, true);
  const found = [];
  const visit = (node) => {
    const text = node.kind === ts.SyntaxKind.PropertyAccessExpression ? node.getText(tree) : "";
    const emptyDate = ts.isNewExpression(node) && node.expression.getText(tree) === "Date" && !node.arguments?.length;
    if (text === "Date.now" || text === "Math.random" || emptyDate) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
      found.push(`${file}:${line + 1} ${emptyDate ? "new Date()" : text}: core takes time and randomness as arguments`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const failures = [];
const real = await run();
const expected = readdirSync("packages").flatMap((name) => sources(`packages/${name}/src`)).length;
for (const violation of real.violations) failures.push(`${violation.rule.name}: ${violation.from} -> ${violation.to}`);
if (real.totalCruised < expected) failures.push(`only ${real.totalCruised} of at least ${expected} modules were seen`);

const planted = "packages/core/src/plantedByBoundaries.ts";
writeFileSync(planted, 'import "@countersign/api";\n');
try {
  const broken = await run();
  if (!broken.violations.some((violation) => violation.from === planted))
    failures.push("the planted import of api into core was not noticed");
} finally {
  rmSync(planted);
}

for (const file of sources("packages/core/src")) {
  if (!/[.]test[.]ts$|[/]testing/.test(file)) failures.push(...impurities(file));
}

for (const failure of failures) console.error(failure);
console.log(
  `boundaries: ${real.totalCruised} modules, ${real.totalDependenciesCruised} imports, ${failures.length} violations`,
);
process.exit(failures.length === 0 ? 0 : 1);
