import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

/** The tests of `npm run test:full`. */
export default defineConfig({ test: { ...base.test, include: ["test/full/**/*.test.ts"], exclude: [] } })
