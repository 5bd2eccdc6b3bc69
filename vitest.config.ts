import { configDefaults, defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "services/*/test/**/*.test.ts", "test/**/*.test.ts"],
    // Excludes tests that start server processes or browsers, read recorded data, or take more than about ten seconds.
    // `npm run test:full` runs them.
    exclude: [...configDefaults.exclude, "**/*.full.test.ts"],
    globalSetup: ["test/setup/services.ts"],
    // Compiles schemas, so that tests run them in the same way as `npm start` does.
    setupFiles: ["effect/schema/SchemaJITCompiler/enable"],
    // Test files run in processes instead of threads, because some load native addons and measure their own memory.
    pool: "forks",
    // Maximum number of test files that run at the same time. Many tests check that a real server responds within a
    // real time limit, so they become unreliable if more files run at once than the smallest supported machine has
    // cores.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
