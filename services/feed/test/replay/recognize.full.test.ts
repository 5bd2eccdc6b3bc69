/** Recordings are recognized by their content. Files that cannot be played are rejected with a helpful message. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { cs2Recordings } from "@matchpoint/cs2/feed/replay/cs2Recordings"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { filesIn, samples } from "@matchpoint/testing/recordedData"
import { Effect, Result } from "effect"
import { inject } from "vitest"
import { recognize } from "../../src/replay/recognize.ts"

const data = inject("dataDirectory")

const bytesOf = (...path: ReadonlyArray<string>): Uint8Array => readFileSync(join(...path))
const text = (content: string): Uint8Array => new TextEncoder().encode(content)

const scoreOf = (bytes: Uint8Array) => {
  const recording = Result.getOrThrow(recognize([cs2Recordings], bytes))
  const last = [...recording.play(matchId(1))].at(-1)
  return { format: recording.format, score: last?.state.maps.at(-1)?.score }
}

describe("recognize", () => {
  it.effect.each([
    ["server.log", "CS2 server log", [2, 1]],
    ["analyzer.json", "cs-demo-analyzer match", [3, 1]],
    ["scorebot.ndjson", "scorebot capture", [2, 2]],
  ] as const)("%s, plain and packed", ([file, format, score]) =>
    Effect.sync(() => {
      const bytes = bytesOf(samples, file)
      assert.deepStrictEqual(scoreOf(bytes), { format, score })
      assert.deepStrictEqual(scoreOf(gzipSync(bytes)), { format, score })
    }),
  )

  it.effect("accepts a single Game State Integration post", () =>
    Effect.sync(() => {
      const post = {
        provider: { timestamp: 9 },
        map: { name: "de_dust2", phase: "live", round: 0, team_ct: { score: 0 }, team_t: { score: 0 } },
      }
      assert.deepStrictEqual(scoreOf(text(JSON.stringify({ ...post, round: { phase: "live" } }))), {
        format: "Game State Integration posts",
        score: [0, 0],
      })
    }),
  )

  it.effect.each([
    ["nothing", "", "empty"],
    ["prose", "Dear Sir or Madam,\nplease find attached", "format of this file is unknown"],
    ["unknown JSON", '{"hello":1}', "format of this file is unknown"],
    ["an array of numbers", "[1,2,3]", "format of this file is unknown"],
    ["a broken capture", '{"timestamp":1,"event":"log","args":{"log":[]}}\n{"timestamp":2,', "line 2 is not JSON"],
    ["a capture without teams", '{"timestamp":1,"event":"log","args":{"log":[]}}', "two teams"],
    ["a malformed analyzer match", '{"rounds":[],"kills":[]}', "does not match its format"],
    ["posts of menus only", '{"provider":{"timestamp":1},"player":{"activity":"menu"}}', "contain no match"],
    ["a Source 2 demo", "PBDEMS2\u0000....", "cs-demo-analyzer"],
    ["a Source 1 demo", "HL2DEMO\u0000....", "cs-demo-analyzer"],
  ] as const)("rejects %s", ([, content, words]) =>
    Effect.sync(() => assert.include(Result.getOrThrow(Result.flip(recognize([cs2Recordings], text(content)))).message, words)),
  )

  it.effect("rejects malformed gzip files", () =>
    Effect.sync(() => {
      const packed = gzipSync(text("hello")).subarray(0, 12)
      assert.include(Result.getOrThrow(Result.flip(recognize([cs2Recordings], packed))).message, "unpacked")
    }),
  )
})

describe.skipIf(data === null)("recognize, recorded files", () => {
  it.effect("recognizes every recording and rejects every demo", () =>
    Effect.sync(() => {
      const files = (folder: string) => filesIn(data ?? "", "cs2", folder).map((file) => bytesOf(data ?? "", "cs2", folder, file))
      for (const bytes of [...files("logs"), ...files("matches"), ...files("gsi")])
        assert.isTrue(Result.isSuccess(recognize([cs2Recordings], bytes)))
      for (const bytes of files("demos")) assert.isTrue(Result.isFailure(recognize([cs2Recordings], bytes)))
    }),
  )
})
