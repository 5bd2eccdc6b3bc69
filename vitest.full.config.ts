import { configDefaults, defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

/** The tests of `npm run test:full`. */
export default defineConfig({
  test: {
    ...base.test,
    include: ["**/*.full.test.ts", "**/*.both.test.ts"],
    exclude: configDefaults.exclude,
    // Server processes and browsers that a failed test leaves behind must not disturb the next file.
    isolate: true,
    provide: { full: true },
  },
})
