/** `npm run admin` as a process of its own, without npm around it. */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Effect, Schema } from "effect"

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Nothing of the environment around: an admin token in it would be sent. */
export const runAdmin = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.callback<Ran>((resume) => {
    const child = spawn(process.execPath, [main, ...args], { env, stdio: ["ignore", "pipe", "pipe"], timeout: 30_000 })
    const [stdout, stderr]: [Array<string>, Array<string>] = [[], []]
    child.stdout.on("data", (chunk) => stdout.push(String(chunk)))
    child.stderr.on("data", (chunk) => stderr.push(String(chunk)))
    child.once("close", (code) => resume(Effect.succeed({ code, stdout: stdout.join(""), stderr: stderr.join("") })))
    return Effect.sync(() => child.kill())
  })

/** What it prints with `--json`. Dies with what it said if it was not done. */
export const adminJson = Effect.fnUntraced(function* <S extends Schema.Decoder<unknown>>(schema: S, args: ReadonlyArray<string>) {
  const { code, stderr, stdout } = yield* runAdmin([...args, "--json"])
  if (code !== 0) return yield* Effect.die(new Error(`admin ${args.join(" ")} ended with ${code}: ${stderr}`))
  return yield* Effect.orDie(Schema.decodeEffect(Schema.fromJsonString(schema))(stdout))
})

const main = fileURLToPath(new URL("../../../services/gateway/src/admin/cli/main.ts", import.meta.url))
