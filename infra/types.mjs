/**
 * Type-checks the repository with the compiler of @effect/tsgo, which is TypeScript's compiler with Effect's
 * diagnostics added. One run reports both type errors and diagnostics. tsconfig.json sets the severities of the
 * diagnostics. What has not changed since the last run is not checked again: the compiler keeps its results in `.data`.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { availableParallelism } from "node:os"

mkdirSync(".data", { recursive: true })
const compiler = execFileSync(process.execPath, ["node_modules/@effect/tsgo/dist/effect-tsgo.cjs", "get-exe-path"], { encoding: "utf8" })
// Each checker makes the types that it needs for itself, so more of them than cores cost time and memory.
const checkers = String(Math.min(4, availableParallelism()))
const args = ["-p", "tsconfig.json", "--incremental", "--tsBuildInfoFile", ".data/types.tsbuildinfo", "--checkers", checkers]
process.exitCode = spawnSync(compiler.trim(), args, { stdio: "inherit" }).status ?? 1
