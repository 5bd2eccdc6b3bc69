import { configDefaults, defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "services/*/test/**/*.test.ts", "test/**/*.test.ts"],
    // They start server processes or browsers, read recorded data, or take more than about ten seconds: `npm run test:full` runs them.
    exclude: [...configDefaults.exclude, "**/*.full.test.ts"],
    globalSetup: ["test/setup/services.ts"],
    // Schemas are compiled, as with `npm start`.
    setupFiles: ["effect/schema/SchemaJITCompiler/enable"],
    // Processes instead of threads: suites load native addons and measure their own memory.
    pool: "forks",
    // Suites hold real servers to real deadlines. More of them at once than the smallest supported machine has cores makes them flaky.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
