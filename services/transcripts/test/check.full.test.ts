/** Programs of this service, started as the operator starts them, and what happens if they are killed. */
import { execFile, spawn } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { eventually } from "@matchpoint/testing/realTime"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Effect } from "effect"
import { inject } from "vitest"
import { testWeights } from "./media.ts"

const names = (directory: string) => Effect.sync(() => readdirSync(directory))

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const check = (environment: Readonly<Record<string, string>>) =>
  Effect.callback<{ readonly code: number; readonly output: string }>((resume) => {
    const env = { PATH: "/usr/local/bin:/usr/bin:/bin", ...environment }
    execFile(process.execPath, [at("../src/main.ts"), "check"], { env }, (error, stdout, stderr) => {
      resume(Effect.succeed({ code: typeof error?.code === "number" ? error.code : 0, output: stdout + stderr }))
    })
  })

describe("npm run transcripts -- check", () => {
  it.live("names what is missing and how to install it, and fails", () =>
    Effect.gen(function* () {
      const { code, output } = yield* check({ MATCHPOINT_TRANSCRIPTS_PATH: "/nonexistent" })
      assert.strictEqual(code, 1)
      for (const part of ["yt-dlp", "ffmpeg", "ffprobe", "whisper-server", "weights"]) {
        assert.match(output, new RegExp(`^MISSING +${part} `, "m"))
      }
      assert.include(output, "apt-get install yt-dlp")
      assert.include(output, "MATCHPOINT_TRANSCRIPTS_WEIGHTS is not set")
    }),
  )

  it.live("an invalid setting is an error that names it", () =>
    Effect.gen(function* () {
      const { code, output } = yield* check({ MATCHPOINT_TRANSCRIPTS_ENGINE: "wisper" })
      assert.strictEqual(code, 1)
      assert.include(output, "MATCHPOINT_TRANSCRIPTS_ENGINE")
    }),
  )

  const dataDirectory = inject("dataDirectory")
  const isComplete = dataDirectory !== null && inject("ytDlp") !== null && inject("ffmpeg") !== null
  it.live.skipIf(!isComplete)("succeeds if everything is there", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = yield* Effect.promise(() => testWeights(dataDirectory ?? "", directory))
      const { code, output } = yield* check({ MATCHPOINT_TRANSCRIPTS_ENGINE: "whisper-node", MATCHPOINT_TRANSCRIPTS_WEIGHTS: file })
      assert.strictEqual(code, 0, output)
      assert.match(output, /^ok +weights +weights\.bin, 8 MB$/m)
    }),
  )
})

describe.skipIf(process.platform !== "linux")("Sandbox", () => {
  it.live("if the server is killed, its programs end, and the next start removes their files", () =>
    Effect.gen(function* () {
      const parent = yield* temporaryDirectory
      const owner = () =>
        spawn(process.execPath, [at("sandboxOwner.ts")], { env: { TMPDIR: parent }, stdio: ["ignore", "pipe", "inherit"] })
      const started = (child: ReturnType<typeof owner>) =>
        Effect.callback<number>((resume) => void child.stdout.once("data", (text) => resume(Effect.succeed(Number(text)))))
      const first = owner()
      const pid = yield* started(first)
      assert.isTrue(existsSync(`/proc/${pid}`))
      first.kill("SIGKILL")
      yield* eventually(Effect.sync(() => !existsSync(`/proc/${pid}`)))
      const left = join(parent, (yield* names(parent))[0] ?? "")
      assert.isTrue(existsSync(left))
      const second = owner()
      yield* started(second)
      assert.isFalse(existsSync(left))
      second.kill("SIGTERM")
      yield* eventually(Effect.map(names(parent), (found) => found.length === 0))
    }),
  )
})
