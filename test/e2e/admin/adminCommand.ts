/** Runs `npm run admin` as a separate process, without npm. */
import { spawn } from "node:child_process"
import { Effect, Schema } from "effect"
import { bundled } from "../../../infra/bundle.mjs"

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command with `env` as its whole environment: an inherited admin token would be sent to the server. */
export const runAdmin = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.callback<Ran>((resume) => {
    const child = spawn(process.execPath, [main, ...args], { env, stdio: ["ignore", "pipe", "pipe"], timeout: 30_000 })
    const [stdout, stderr]: [Array<string>, Array<string>] = [[], []]
    child.stdout.on("data", (chunk) => stdout.push(String(chunk)))
    child.stderr.on("data", (chunk) => stderr.push(String(chunk)))
    child.once("close", (code) => resume(Effect.succeed({ code, stdout: stdout.join(""), stderr: stderr.join("") })))
    return Effect.sync(() => child.kill())
  })

/** Runs a command with `--json` and decodes its output. Dies with its error output if it fails. */
export const adminJson = Effect.fnUntraced(function* <S extends Schema.Decoder<unknown>>(schema: S, args: ReadonlyArray<string>) {
  const { code, stderr, stdout } = yield* runAdmin([...args, "--json"])
  if (code !== 0) return yield* Effect.die(new Error(`admin ${args.join(" ")} exited with ${code}: ${stderr}`))
  return yield* Effect.orDie(Schema.decodeEffect(Schema.fromJsonString(schema))(stdout))
})

const main = await bundled("services/gateway/src/admin/cli/main.ts")
