/**
 * Type-checks the repository with the compiler of @effect/tsgo, which is TypeScript's compiler with Effect's
 * diagnostics added. One run reports both type errors and diagnostics. tsconfig.json sets the severities of the
 * diagnostics.
 */
import { execFileSync, spawnSync } from "node:child_process"

const compiler = execFileSync(process.execPath, ["node_modules/@effect/tsgo/dist/effect-tsgo.cjs", "get-exe-path"], { encoding: "utf8" })
process.exitCode = spawnSync(compiler.trim(), ["-p", "tsconfig.json"], { stdio: "inherit" }).status ?? 1
