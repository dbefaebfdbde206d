import type { CaseResult } from "./runSuite.ts";

/** The results of one suite as JUnit XML, which build servers read. */
export function junit(name: string, results: readonly CaseResult[]): string {
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  const cases = results.map(({ test, failures }) => {
    const head = `    <testcase classname="${escaped(name)}" name="${escaped(test.name)}"`;
    if (failures.length === 0) return `${head}/>`;
    return `${head}>\n      <failure message="${escaped(failures[0] ?? "")}">${escaped(failures.join("\n"))}</failure>\n    </testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${results.length}" failures="${failed}">`,
    `  <testsuite name="${escaped(name)}" tests="${results.length}" failures="${failed}" errors="0" skipped="0">`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

const NAMED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** XML has no spelling at all for most control characters. */
const escaped = (text: string): string =>
  text.replace(/[&<>"']|[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, (one) => NAMED[one] ?? "\uFFFD");
