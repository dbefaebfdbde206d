/** Counts suites over outside data (`sharedSuite` in core/testing names them) and closes with one plain line. */
export default class SuiteReporter {
  onTestRunEnd(modules, errors) {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const suites = { ran: [], skipped: [] };
    for (const module of modules) {
      if (module.state() === "failed" && module.errors().length > 0) counts.failed += 1;
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        counts[state === "passed" ? "passed" : state === "failed" ? "failed" : "skipped"] += 1;
      }
      for (const suite of module.children.allSuites()) {
        const name = /^shared: (.+)$/.exec(suite.name)?.[1];
        if (name !== undefined) suites[suite.options.mode === "skip" ? "skipped" : "ran"].push(name);
      }
    }
    counts.failed += errors.length;
    console.log(
      `shared suites: ${suites.ran.length} ran, ${suites.skipped.length} skipped${suites.skipped.length === 0 ? "" : ` (${suites.skipped.join(", ")})`}`,
    );
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}
