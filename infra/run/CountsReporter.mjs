/**
 * A vitest reporter that writes how many tests passed, failed and were skipped to the file named by MATCHPOINT_COUNTS_FILE.
 * What vitest counts apart, a file that doesn't load, a hook that throws, an error nobody caught, counts as one failure each.
 */
import { writeFileSync } from "node:fs"

/** @typedef {import("vitest/node").Reporter} Reporter */

/** @implements {Reporter} */
export default class CountsReporter {
  /**
   * @param {ReadonlyArray<import("vitest/node").TestModule>} modules
   * @param {ReadonlyArray<unknown>} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const file = process.env.MATCHPOINT_COUNTS_FILE
    if (file === undefined) return
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === "passed" || state === "failed") counts[state] += 1
        else counts.skipped += 1
      }
      counts.failed += module.errors().length
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
    }
    writeFileSync(file, JSON.stringify(counts))
  }
}
