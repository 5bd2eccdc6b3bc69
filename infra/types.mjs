/**
 * Type checks the repository with the compiler that @effect/tsgo brings: TypeScript's, with Effect's diagnostics. One
 * pass, because the diagnostics check types as well. tsconfig.json has their severities.
 */
import { execFileSync, spawnSync } from "node:child_process"

const compiler = execFileSync(process.execPath, ["node_modules/@effect/tsgo/dist/effect-tsgo.cjs", "get-exe-path"], { encoding: "utf8" })
process.exitCode = spawnSync(compiler.trim(), ["-p", "tsconfig.json"], { stdio: "inherit" }).status ?? 1
