import { configDefaults, defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "services/*/test/**/*.test.ts", "test/**/*.test.ts"],
    // `npm run test:full` runs them: they start server processes or browsers, read recorded data, or take more than a few
    // seconds. Files named `*.both.test.ts` run in both, see `packages/testing/src/bothRuns.ts`.
    exclude: [...configDefaults.exclude, "**/*.full.test.ts"],
    globalSetup: ["test/setup/services.ts"],
    // Compiles schemas, so that tests run them in the same way as `npm start` does.
    setupFiles: ["effect/schema/SchemaJITCompiler/enable"],
    // Processes instead of threads: suites load native addons and measure their own memory. Each loads the modules once,
    // for all of its files, which saves a fifth of the time. So a test must not depend on the state of a module.
    pool: "forks",
    isolate: false,
    // Suites hold real servers to real deadlines. More of them at once than the smallest supported machine has cores makes them flaky.
    maxWorkers: 2,
    provide: { full: false },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
