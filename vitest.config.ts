import { configDefaults, defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "services/*/test/**/*.test.ts", "test/**/*.test.ts"],
    // Takes minutes: `npm run test:full` runs it.
    exclude: [...configDefaults.exclude, "test/full/**"],
    globalSetup: ["test/setup/services.ts"],
    // As npm start runs the product: schemas are compiled.
    setupFiles: ["effect/schema/SchemaJITCompiler/enable"],
    // Processes, not threads: suites load native addons and measure their own memory.
    pool: "forks",
    // Suites hold real servers to real deadlines: more of them at once than the smallest supported machine has cores makes those flaky.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
