import { configDefaults, defineConfig } from "vitest/config"
import { LongestFirst } from "./test/setup/LongestFirst.ts"
import base from "./vitest.config.ts"

/** Vitest configuration of `npm run test:full`, which runs only the slow tests. */
export default defineConfig({
  test: {
    ...base.test,
    include: ["**/*.full.test.ts", "**/*.both.test.ts"],
    exclude: configDefaults.exclude,
    // Each test file runs in its own process, so that server processes and browsers that a failed test leaves behind do
    // not disturb the next file.
    isolate: true,
    sequence: { sequencer: LongestFirst },
    provide: { full: true },
  },
})
