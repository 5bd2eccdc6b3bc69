/** Replays into a real intake, as a library with a test clock and as the command. */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, layer } from "@effect/vitest"
import { cs2Recordings } from "@matchpoint/cs2/feed/replay/cs2Recordings"
import { finalTable } from "@matchpoint/cs2/feed/replay/summary"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { foldAll } from "@matchpoint/cs2/rules/live/fold"
import type { MatchId } from "@matchpoint/domain/ids"
import { samples, textOf } from "@matchpoint/testing/recordedData"
import { Clock, Effect, Layer, Redacted, Result } from "effect"
import { FetchHttpClient, HttpServer } from "effect/http"
import { inject } from "vitest"
import { FeedTarget } from "../../src/replay/FeedTarget.ts"
import { type Progress, playInto } from "../../src/replay/playInto.ts"
import { recognize } from "../../src/replay/recognize.ts"
import { factsOf, feedToken, intakeServer } from "../intake/intakeServer.ts"

const data = inject("dataDirectory")

const recordingIn = (...path: ReadonlyArray<string>) =>
  Result.getOrThrow(recognize([cs2Recordings], new TextEncoder().encode(textOf(...path))))

const serverUrl = Effect.gen(function* () {
  const { address } = yield* HttpServer.HttpServer
  if (address._tag === "UnixPathAddress") return assert.fail("the test server listens on TCP")
  return `http://127.0.0.1:${address.port}`
})

const targetLayer = (token = feedToken) =>
  Layer.unwrap(Effect.map(serverUrl, (url) => FeedTarget.layer({ url, token: Redacted.make(token) }))).pipe(
    Layer.provide(FetchHttpClient.layer),
  )

interface Ran {
  readonly code: number | null
  readonly output: string
}

/** Runs the command. `during` may read its output and send signals. */
const command = (args: ReadonlyArray<string>, during?: (output: string, kill: (signal: NodeJS.Signals) => void) => void) =>
  Effect.callback<Ran>((resume) => {
    const main = fileURLToPath(new URL("../../src/replay.ts", import.meta.url))
    const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    const read = (chunk: Buffer) => {
      output += chunk.toString("utf8")
      during?.(output, (signal) => child.kill(signal))
    }
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    child.on("close", (code) => resume(Effect.succeed({ code, output })))
    return Effect.sync(() => void child.kill("SIGKILL"))
  }).pipe(Effect.timeout("25 seconds"))

const live = { excludeTestServices: true } as const

layer(intakeServer(), live)("replay", (it) => {
  it.effect("plays at full speed and keeps the distances between facts", () =>
    Effect.gen(function* () {
      const recording = recordingIn(samples, "analyzer.json")
      const progress: Array<Progress> = []
      const played = yield* playInto(recording, "max", (now) => Effect.sync(() => void progress.push(now)))
      assert.deepStrictEqual([played.problems, played.refused], [[], []])
      const facts = yield* factsOf(played.matchId)
      assert.strictEqual(played.taken, facts.length - 1)
      const alone = [...recording.play(matchId(1))].at(-1)?.state
      const state = foldAll(undefined, facts)
      assert.deepStrictEqual(state?.maps[0]?.lines, alone?.maps[0]?.lines)
      assert.deepStrictEqual(state?.maps[0]?.score, [3, 1])
      assert.isAtMost(state?.observedAt ?? 0, yield* Clock.currentTimeMillis)
      assert.strictEqual(progress.at(-1)?.share, 1)
    }).pipe(Effect.provide(targetLayer())),
  )

  it.effect("plays at a multiple of the original speed", () =>
    Effect.gen(function* () {
      const recording = recordingIn(samples, "analyzer.json")
      const before = yield* Clock.currentTimeMillis
      const played = yield* playInto(recording, 500, () => Effect.void)
      const took = (yield* Clock.currentTimeMillis) - before
      const length = (recording.endedAt - recording.startedAt) / 500
      assert.isAtLeast(took, length - 60)
      assert.isBelow(took, length + 5_000)
      const times = (yield* factsOf(played.matchId)).slice(1).map((event) => event.observedAt)
      assert.isAtLeast(Math.min(...times), Math.floor(before))
      assert.deepStrictEqual(
        times,
        times.toSorted((a, b) => a - b),
      )
    }).pipe(Effect.provide(targetLayer())),
  )

  it.effect("reports which token is wrong", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(playInto(recordingIn(samples, "analyzer.json"), "max", () => Effect.void))
      assert.include(error.message, "--token")
    }).pipe(Effect.provide(targetLayer("wrong"))),
  )

  it.effect("as a command prints a table, exit codes and errors", () =>
    Effect.gen(function* () {
      const url = yield* serverUrl
      const options = ["--url", url, "--token", feedToken, "--speed", "max"]
      const done = yield* command([`${samples}/server.log`, ...options])
      assert.strictEqual(done.code, 0, done.output)
      assert.include(done.output, "CS2 server log: North - South")
      assert.match(done.output, /Map 1: de_mirage {2}North 2:1 South/)
      assert.match(done.output, /bob +1 +1 +0 +1 +33\.3/)
      const wrong = yield* command([`${samples}/server.log`, "--url", url, "--token", "wrong"])
      assert.deepStrictEqual([wrong.code, wrong.output.includes("--token")], [1, true])
      const nobody = yield* command([`${samples}/server.log`, "--url", "http://127.0.0.1:9"])
      assert.deepStrictEqual([nobody.code, nobody.output.includes("npm start")], [1, true])
      const nothing = yield* command(["no-such-file", "--url", url])
      assert.deepStrictEqual([nothing.code, nothing.output.includes("does not exist")], [1, true])
    }),
  )

  it.effect("as a command cancels the match on Ctrl-C", () =>
    Effect.gen(function* () {
      const url = yield* serverUrl
      let stopped = false
      const ran = yield* command([`${samples}/server.log`, "--url", url, "--token", feedToken, "--speed", "2"], (output, kill) => {
        if (stopped || !output.includes("facts")) return
        stopped = true
        kill("SIGINT")
      })
      assert.strictEqual(ran.code, 130, ran.output)
      const matches = yield* Effect.forEach([1001, 1002, 1003, 1004, 1005, 1006], (n) => factsOf(matchId(n)))
      const last = matches.filter((facts) => facts.length > 0).at(-1)
      assert.deepInclude(foldAll(undefined, last ?? []), { status: "cancelled" })
    }),
  )

  it.effect.skipIf(data === null)("plays the recorded capture and the recorded log to their ends", () =>
    Effect.gen(function* () {
      const stateOf = (match: MatchId) => Effect.map(factsOf(match), (facts) => foldAll(undefined, facts))
      const log = yield* playInto(recordingIn(data ?? "", "cs2", "logs", "server-2026-01-19-a.log.gz"), "max", () => Effect.void)
      assert.deepStrictEqual((yield* stateOf(log.matchId))?.maps[0]?.score, [13, 2])
      const capture = yield* playInto(
        recordingIn(data ?? "", "cs2", "scorebot", "envyus-vs-fnatic-2015.ndjson.gz"),
        "max",
        () => Effect.void,
      )
      const state = yield* stateOf(capture.matchId)
      assert.deepInclude(state, { status: "completed", seriesScore: [1, 2] })
      assert.include(finalTable(state ?? assert.fail("no state")), "Series fnatic 1:2 EnVyUs")
    }).pipe(Effect.provide(targetLayer())),
  )
})
