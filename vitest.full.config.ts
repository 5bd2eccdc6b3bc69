import { configDefaults, defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

/** The tests of `npm run test:full`. */
export default defineConfig({
  test: { ...base.test, include: ["**/*.full.test.ts"], exclude: configDefaults.exclude },
})
