/**
 * Compares the analyzer adapter and the fold with the numbers in the match files, for every player, every round and the
 * end.
 */
import { assert, describe, it } from "@effect/vitest"
import { filesIn, samples, textOf } from "@matchpoint/testing/recordedData"
import { Effect, Result, Schema } from "effect"
import { inject } from "vitest"
import { AnalyzerMatch, parseLosslessly } from "../../../src/feed/adapters/demoAnalyzer/AnalyzerMatch.ts"
import { analyzerRecording, readAnalyzerMatch } from "../../../src/feed/adapters/demoAnalyzer/analyzerRecording.ts"
import { demoAnalyzer } from "../../../src/feed/adapters/demoAnalyzer/DemoAnalyzerAdapter.ts"
import { matchId, playerIdOfSteamId64 } from "../../../src/rules/ids.ts"
import { adr, kast } from "../../../src/rules/rating.ts"
import { adapterLaws } from "./adapterLaws.ts"

const data = inject("dataDirectory")

/** Numbers that the files themselves contain. Only tests read them. */
const Truth = Schema.Struct({
  players: Schema.Record(
    Schema.String,
    Schema.Struct({
      steamId: Schema.String,
      killCount: Schema.Int,
      deathCount: Schema.Int,
      assistCount: Schema.Int,
      headshotCount: Schema.Int,
      averageDamagePerRound: Schema.Finite,
      kast: Schema.Finite,
    }),
  ),
})
const Kills = Schema.Struct({
  kills: Schema.Array(
    Schema.Struct({ killerSteamId: Schema.String, victimSteamId: Schema.String, killerSide: Schema.Int, victimSide: Schema.Int }),
  ),
})
const decodeKills = Schema.decodeUnknownEffect(Kills)
const decodeTruth = Schema.decodeUnknownEffect(Truth)
const decodeMatch = Schema.decodeUnknownEffect(AnalyzerMatch)

const recordedIn = (...path: ReadonlyArray<string>) => Result.getOrThrow(readAnalyzerMatch(parseLosslessly(textOf(...path))))

const agrees = (...path: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const json = parseLosslessly(textOf(...path))
    const truth = yield* decodeTruth(json)
    const file = yield* decodeMatch(json)
    const steps = [...analyzerRecording(recordedIn(...path)).play(matchId(1))]
    assert.deepStrictEqual(
      steps.flatMap((step) => step.problems),
      [],
    )
    const state = steps.at(-1)?.state ?? assert.fail("no state")
    const map = state.maps[0] ?? assert.fail("no map")
    assert.deepInclude(state, { status: "completed", endReason: "completed" })
    assert.deepStrictEqual(map.score, [file.teamA.score, file.teamB.score])
    const rounds = map.rounds.map((round) => {
      const teamIsCt = round.winner === "CT" ? round.winnerTeam === 0 : round.winnerTeam === 1
      return [round.round, ...(teamIsCt ? [round.ctScore, round.tScore] : [round.tScore, round.ctScore])]
    })
    assert.deepStrictEqual(
      rounds,
      file.rounds.map((round) => [round.number, round.teamAScore, round.teamBScore]),
    )
    const counted = Object.values(truth.players)
    assert.isNotEmpty(counted)
    for (const player of counted) {
      const line = map.lines.find(({ playerId }) => playerId === playerIdOfSteamId64(player.steamId)) ?? assert.fail("a player is missing")
      assert.deepStrictEqual(
        [line.kills, line.deaths, line.assists, line.headshots],
        [player.killCount, player.deathCount, player.assistCount, player.headshotCount],
      )
      assert.closeTo(adr(line, file.rounds.length), player.averageDamagePerRound, 0.005)
      // Depending on their age, the files truncate percentages or round them.
      assert.closeTo(100 * (kast(line, file.rounds.length) ?? 0), player.kast, 0.5)
    }
  })

adapterLaws({ name: "demoAnalyzer laws, sample", adapter: demoAnalyzer, recorded: () => recordedIn(samples, "analyzer.json"), runs: 40 })

describe("demoAnalyzer", () => {
  it.effect("computes the same numbers as the sample contains", () => agrees(samples, "analyzer.json"))

  it.effect("keeps SteamIDs exact", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(parseLosslessly('{"steamId":76561197963504595,"killerSteamId":0,"tick":12}'), {
        steamId: "76561197963504595",
        killerSteamId: "0",
        tick: 12,
      })
    }),
  )

  it.effect("reports where a file does not match the format", () =>
    Effect.sync(() => {
      const failure = Result.getFailure(readAnalyzerMatch({ ...Object(parseLosslessly(textOf(samples, "analyzer.json"))), tickrate: "64" }))
      assert.include(String(failure), "tickrate")
    }),
  )
})

describe.skipIf(data === null)("demoAnalyzer, recorded matches", () => {
  const folder = [data ?? "", "cs2", "matches"]
  const files = data === null ? [] : filesIn(...folder)

  it("finds the ten files", () => assert.lengthOf(files, 10))

  it.effect.each(files)("%s: score, rounds, kills, deaths, assists, headshots, ADR and KAST of every player", (file) =>
    agrees(...folder, file),
  )

  it.effect("does not subtract kills for six team kills by three players", () =>
    Effect.gen(function* () {
      const found: Array<readonly [name: string, teamKills: number, kills: number]> = []
      for (const file of files) {
        const json = parseLosslessly(textOf(...folder, file))
        const { kills } = yield* decodeKills(json)
        const { players } = yield* decodeTruth(json)
        const lines = [...analyzerRecording(recordedIn(...folder, file)).play(matchId(1))].at(-1)?.state.maps[0]?.lines
        for (const { killCount, steamId } of Object.values(players)) {
          const own = kills.filter(({ killerSteamId, victimSteamId }) => killerSteamId === steamId && victimSteamId !== steamId)
          const teamKills = own.filter(({ killerSide, victimSide }) => killerSide === victimSide).length
          if (teamKills === 0) continue
          const line = lines?.find(({ playerId }) => playerId === playerIdOfSteamId64(steamId)) ?? assert.fail("a player is missing")
          assert.deepStrictEqual([line.kills, killCount], [own.length - teamKills, own.length - teamKills], steamId)
          found.push([file.split("_")[0] ?? "", teamKills, line.kills])
        }
      }
      assert.deepStrictEqual(found, [
        ["challengermode", 3, 13],
        ["esportal", 2, 2],
        ["matchzy", 1, 11],
      ])
    }),
  )

  const [first] = files
  if (first !== undefined) {
    adapterLaws({ name: `laws, ${first}`, adapter: demoAnalyzer, recorded: () => recordedIn(...folder, first), runs: 6 })
  }
})
