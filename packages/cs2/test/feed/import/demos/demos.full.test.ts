/**
 * Demos: which recorded files are matches and why the others are not, limits of the parser's process, and a whole small
 * match from the parser's output.
 */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { ImportFile } from "@matchpoint/game/feed/import/ImportSource"
import { filesIn } from "@matchpoint/testing/recordedData"
import { Effect, Result, Schema, Stream } from "effect"
import { inject } from "vitest"
import { ArchiveWriter } from "../../../../src/archive/ArchiveWriter.ts"
import { parseDemo, parserLimits } from "../../../../src/feed/import/demos/demoParser.ts"
import { demos } from "../../../../src/feed/import/demos/demos.ts"
import { ParsedDemo } from "../../../../src/feed/import/demos/ParsedDemo.ts"
import { readDemo } from "../../../../src/feed/import/demos/readDemo.ts"
import { smallDemo } from "./smallDemo.ts"

const data = inject("dataDirectory")
const folder = [data ?? "", "cs2", "demos"]

/** A writer for tests that write nothing. */
const unused = ArchiveWriter.of({
  team: () => Effect.die("unused"),
  teams: () => Effect.die("unused"),
  player: () => Effect.die("unused"),
  players: () => Effect.die("unused"),
  event: () => Effect.die("unused"),
  match: () => Effect.die("unused"),
  matches: () => Effect.die("unused"),
})

const fileAt = (path: string): ImportFile => ({ name: path.slice(path.lastIndexOf("/") + 1), path, companions: new Map() })

const refusalOf = (path: string) =>
  demos.batches(fileAt(path), 0).pipe(
    Stream.runCollect,
    Effect.provideService(ArchiveWriter, unused),
    Effect.match({
      onSuccess: (batches) => batches.flatMap(({ rejections }) => rejections.map(({ reason }) => reason)).join(),
      onFailure: (failure) => failure.message,
    }),
  )

const written = (bytes: Uint8Array): string => {
  const path = join(mkdtempSync(join(tmpdir(), "demo-")), "some.dem")
  writeFileSync(path, bytes)
  return path
}

describe("demos", () => {
  it.effect("rejects files that are not CS2 demos before they reach the parser", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refusalOf(written(new Uint8Array())), "not a demo")
      assert.strictEqual(yield* refusalOf(written(Buffer.from("{}"))), "not a demo")
      assert.strictEqual(yield* refusalOf(written(Buffer.from("HL2DEMO\0 and more"))), "this is a CS:GO demo; only CS2 demos are supported")
    }),
  )

  // The parser terminates its process on these files, which is why it runs in a separate one.
  it.live("survives a crash of the parser", () =>
    Effect.gen(function* () {
      assert.match(yield* refusalOf(written(Buffer.from("PBDEMS2\0"))), /^the demo parser (crashed|rejects the file)/)
    }),
  )

  it.live("stops the parser at its time limit", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(parseDemo(written(Buffer.from("PBDEMS2\0")), { ...parserLimits, milliseconds: 1 }))
      assert.match(failure.reason, /did not finish within 0.001 s/)
    }),
  )

  it.effect("computes a match from the parser's output", () =>
    Effect.gen(function* () {
      const demo = yield* Schema.decodeUnknownEffect(ParsedDemo)(smallDemo)
      const match = Result.getOrThrow(readDemo(demo, { digest: "d1", name: "final_202405011830_m1.dem" }))
      assert.deepInclude(match, { source: "demos", key: "d1", startsAt: Date.UTC(2024, 4, 1, 18, 30), winner: 0, score: [1, 0] })
      assert.deepStrictEqual(match.teams, [{ name: "Alpha" }, { key: "d1:2", name: "team_dan" }])
      const [game] = match.games
      assert.deepInclude(game, { map: "de_nuke", score: [2, 1], winner: 0 })
      assert.deepStrictEqual(
        game?.rounds.map(({ ct, score, winnerSide, winType }) => [ct, winnerSide, winType, ...score]),
        [
          [0, "CT", "CTs_Win", 1, 0],
          [0, "T", "Target_Bombed", 1, 1],
          [1, "T", "Terrorists_Win", 2, 1],
        ],
      )
      assert.strictEqual(game?.rounds[1]?.bombSite, "B")
      const lineOf = (nickname: string) => game?.lines.find(({ player }) => player.nickname === nickname) ?? assert.fail(nickname)
      // Her hits of 130 and 40 count as 100 and 30, the health that was left.
      assert.deepInclude(lineOf("ann"), {
        team: 0,
        rounds: 3,
        kills: 3,
        deaths: 0,
        headshots: 1,
        firstKills: 2,
        damage: 200,
        utilityDamage: 30,
      })
      assert.deepInclude(lineOf("bob"), { kills: 1, deaths: 1, assists: 1, flashAssists: 1 })
      assert.deepInclude(lineOf("eve"), { team: 1, kills: 1, deaths: 2, tradeKills: 0 })
      assert.deepStrictEqual(lineOf("ann").clutches, { attempts: 1, won: 0, won1v1: 0, won1v2: 0, won1v3Plus: 0 })
      assert.deepStrictEqual(lineOf("dan").utility, { flashes: 0, smokes: 1, fireGrenades: 0, heGrenades: 0, decoys: 0 })
    }),
  )
})

describe.skipIf(data === null)("recorded demos", () => {
  const files = data === null ? [] : filesIn(...folder)

  it("finds the seven files", () => assert.lengthOf(files, 7))

  it.live(
    "reads four files without a match and rejects three of unsupported builds",
    () =>
      Effect.gen(function* () {
        const refusals: Record<string, string> = {}
        for (const file of files) refusals[file] = yield* refusalOf(join(...folder, file))
        const noMatch = "the demo has no complete round"
        const unread = "the demo parser does not support the build of the game that recorded this demo (IllegalPathOp)"
        assert.deepStrictEqual(refusals, {
          "14011.dem": unread,
          "14065.dem": noMatch,
          "14090.dem": unread,
          "14132.dem": noMatch,
          "14150_ag2.dem": unread,
          "14155.dem": noMatch,
          "14160.dem": noMatch,
        })
      }),
    60_000,
  )

  it.live("reads maps, rounds and players from supported files", () =>
    Effect.gen(function* () {
      const demo = yield* parseDemo(join(...folder, "14065.dem"))
      assert.strictEqual(demo.header.map_name, "de_nuke")
      assert.strictEqual(demo.header.patch_version, "14065")
      assert.deepStrictEqual(
        demo.events.map(({ event_name, tick }) => [event_name, tick]),
        [
          ["round_end", 1],
          ["round_start", 1],
          ["round_freeze_end", 142],
        ],
      )
      assert.deepInclude(demo.present[0], { name: "Partridge", team_num: 2, balance: 800, current_equip_value: 200 })
    }),
  )

  it.live("rejects a truncated file and keeps the importer running", () =>
    Effect.gen(function* () {
      const whole = readFileSync(join(...folder, "14065.dem"))
      assert.match(yield* refusalOf(written(whole.subarray(0, 1_000))), /^the demo (parser|has no complete round)/)
    }),
  )
})
