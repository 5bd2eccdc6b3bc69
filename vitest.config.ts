import { configDefaults, defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "services/*/test/**/*.test.ts", "test/**/*.test.ts"],
    // Files named `*.full.test.ts` run only in `npm run test:full`, because they start server processes or browsers,
    // read recorded data, or take more than a few seconds. Files named `*.both.test.ts` run both here and in `npm run
    // test:full`, see `packages/testing/src/bothRuns.ts`.
    exclude: [...configDefaults.exclude, "**/*.full.test.ts"],
    globalSetup: ["test/setup/services.ts"],
    // Makes effect compile schemas to functions, as `npm start` does, so that the tests run the same code.
    setupFiles: ["effect/schema/SchemaJITCompiler/enable"],
    // Tests run in processes instead of threads, because they load native addons and measure the memory of their
    // process. Each process loads the modules only once for all its test files, which saves a fifth of the time.
    // Therefore, a test must not depend on the initial state of a module.
    pool: "forks",
    isolate: false,
    // Tests run real servers with real deadlines. They become flaky if more test files run at the same time than the
    // smallest supported machine has cores.
    maxWorkers: 2,
    // Servers under test log thousands of lines. Those of a test that fails are printed.
    silent: "passed-only",
    provide: { full: false },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
