/**
 * Compares standings, scores and totals of the API with numbers that are counted from the recorded files without the
 * import, and the files' lines with the files' own sums. Every exception is listed with its reason.
 */
import { cpSync } from "node:fs"
import { basename, join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Effect, FileSystem, Layer } from "effect"
import { inject, it as plain } from "vitest"
import { importCod } from "../../fixtures/cod/importCod.ts"
import { KEY, Stack, stack } from "../../fixtures/stack.ts"
import { ask } from "../../fixtures/twoGateways.ts"
import { emptyMaps, killsWithoutDeaths, unusualScores } from "./exceptions.ts"
import {
  allTeamLines,
  breakingpointMatches,
  codstatsMatches,
  eventTotals,
  type FileMatch,
  number,
  REPEATED_EVENT,
  rowsOf,
  sum,
} from "./leagueFiles.ts"

interface Team {
  readonly name: string
  readonly score: number
}
interface Match {
  readonly id: string
  readonly team1: Team
  readonly team2: Team
}
interface MatchPage {
  readonly data: ReadonlyArray<Match>
  readonly pagination: { readonly nextOffset: number | null }
}

const dataDirectory = inject("dataDirectory")
const folder = join(dataDirectory ?? "", "cdl")

/** Names that the archive writes differently from the files. */
const corrected: Readonly<Record<string, string>> = {
  "Los Angeles Guerillas": "Los Angeles Guerrillas",
  "Minnesota Rokkr": "Minnesota RØKKR",
}
const nameOf = (team: string): string => corrected[team] ?? team

/** A copy of the folder, without the cases beside the recorded files. They are no recorded matches. */
const withoutCases = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const copy = yield* fs.makeTempDirectoryScoped()
  cpSync(folder, copy, { recursive: true, filter: (path) => basename(path) !== "cases" })
  return copy
})

describe.skipIf(dataDirectory === null)("recorded files of the league", () => {
  plain("have maps that end at the score of their mode, except those listed", () => {
    const targets = [250, 6, 3]
    const unusual = rowsOf(join(folder, "codstats", "Games.csv"))
      .filter((game) => Math.max(number(game, "Team1Score"), number(game, "Team2Score")) !== targets[number(game, "Mode")])
      .map(({ ID }) => ID)
    assert.deepStrictEqual(unusual, Object.keys(unusualScores))
  })

  plain("have no more kills than deaths of the opponents, except those listed", () => {
    const odd = allTeamLines(folder).filter(({ kills, opponentDeaths }) => kills > opponentDeaths)
    const named = odd.map(({ map, team }) => (map.startsWith("codstats") ? map : `${map} ${team}`))
    assert.sameMembers([...new Set(named)], Object.keys(killsWithoutDeaths))
    const empty = rowsOf(join(folder, "codstats", "PlayersGames.csv")).filter(({ Kills }) => Kills === "")
    assert.sameMembers([...new Set(empty.map(({ Game }) => Game ?? ""))], [...emptyMaps])
  })

  plain("state the same winner of a map in all of its lines", () => {
    const rows = rowsOf(join(folder, "breakingpoint", "breakingpoint_cod_stats.csv"))
    for (const [map, lines] of Map.groupBy(rows, (row) => `${row["match_id"]} ${row["map_number"]}`)) {
      const winners = new Set(lines.filter((row) => row["won_map"] === "True").map((row) => row["team_name"]))
      assert.deepStrictEqual([winners.size, lines.filter((row) => row["won_map"] === "True").length], [1, 4], map)
    }
  })

  plain("have sums by mode that add up to the sums of an event", () => {
    const events = eventTotals(folder)
    for (const { event, rows } of events) {
      for (const row of rows) {
        const told = `${event} ${row["Player"]}`
        for (const column of ["K", "D", "+/-", "M"]) {
          const modes = ["SND", "HP", "Control"].map((mode) => number(row, `${mode}_${column}`))
          assert.strictEqual(sum(modes), number(row, `Overall_${column}`), `${told} ${column}`)
        }
        for (const mode of ["Overall", "SND", "HP", "Control"]) {
          const [kills, deaths] = [number(row, `${mode}_K`), number(row, `${mode}_D`)]
          assert.closeTo(number(row, `${mode}_KD`), kills / deaths, 0.001, told)
          assert.strictEqual(number(row, `${mode}_+/-`), kills - deaths, told)
        }
      }
    }
    const [repeated, original] = [REPEATED_EVENT, "Major-1-players-stats.csv"].map(
      (name) => events.find(({ event }) => event === name)?.rows,
    )
    assert.deepStrictEqual(repeated, original)
  })

  layer(stack(EventLogMemory.layer({ streams }), embeddedMemory).pipe(Layer.provideMerge(NodeServices.layer)), {
    timeout: "3 minutes",
    excludeTestServices: true,
  })("from the API", (it) => {
    const getter = Effect.map(
      Stack,
      ({ url }) =>
        (path: string) =>
          Effect.map(ask(`${url}/cod${path}`, { "x-api-key": KEY }), ({ status, text }) => {
            assert.strictEqual(status, 200, `${path}: ${text}`)
            return JSON.parse(text)
          }),
    )
    const files: ReadonlyArray<FileMatch> = dataDirectory === null ? [] : [...codstatsMatches(folder), ...breakingpointMatches(folder)]

    it.effect("a second import changes nothing", () =>
      Effect.gen(function* () {
        const recorded = yield* withoutCases
        const first = yield* importCod(recorded)
        assert.deepStrictEqual(
          first.map(({ files: { refused }, rejected }) => [refused, rejected]),
          first.map(() => [0, 0]),
        )
        for (const { tally } of yield* importCod(recorded, true)) assert.deepInclude(tally, { created: 0, updated: 0 })
      }),
    )

    it.effect("matches have the scores and winners that their maps give", () =>
      Effect.gen(function* () {
        const get = yield* getter
        const found = new Map<string, Match>()
        for (let offset: number | null = 0; offset !== null; ) {
          const page: MatchPage = yield* get(`/matches?limit=40&offset=${offset}`)
          for (const match of page.data) found.set(match.id, match)
          offset = page.pagination.nextOffset
        }
        assert.strictEqual(found.size, files.length)
        for (const { id, maps, teams } of files) {
          const match = found.get(id)
          assert.deepStrictEqual(
            [match?.team1, match?.team2].map((team) => [team?.name, team?.score]),
            teams.map((team) => [nameOf(team), maps[team]]),
            id,
          )
        }
      }),
    )

    it.effect("standings are the records of the franchises in league matches", () =>
      Effect.gen(function* () {
        const get = yield* getter
        for (const [season, ofLeague] of [
          [2023, codstatsMatches(folder)],
          [2026, breakingpointMatches(folder).filter(({ id }) => id.startsWith("bp-match-2147"))],
        ] as const) {
          const { data } = yield* get(`/standings?season=${season}`)
          assert.strictEqual(data.length, 12)
          for (const { mapRecord, matchRecord, teamName } of data) {
            const played = ofLeague.flatMap(({ maps, teams }) => {
              const own = teams.find((team) => nameOf(team) === teamName)
              const other = teams.find((team) => team !== own)
              return own === undefined || other === undefined ? [] : [[maps[own] ?? 0, maps[other] ?? 0] as const]
            })
            const [won, lost] = [sum(played.map(([own]) => own)), sum(played.map(([, other]) => other))]
            assert.deepStrictEqual([mapRecord.wins, mapRecord.losses], [won, lost], teamName)
            const wins = played.filter(([own, other]) => own > other).length
            assert.deepStrictEqual([matchRecord.wins, matchRecord.losses], [wins, played.length - wins], teamName)
          }
        }
      }),
    )

    it.effect("leaderboards of 2025 are the sums of the files of its events", () =>
      Effect.gen(function* () {
        const get = yield* getter
        const rows = eventTotals(folder).flatMap(({ event, rows: all }) => (event === REPEATED_EVENT ? [] : all))
        // The sources differ in the case of handles, such as `Kismet`.
        const players = Map.groupBy(rows, (row) => (row["Player"] ?? "").toLowerCase())
        const boards = [
          ["overall", "kills", "Overall_K"],
          ["hardpoint", "kills", "HP_K"],
          ["snd", "kills", "SND_K"],
          ["control", "kills", "Control_K"],
          ["hardpoint", "hillTime", "HP_TM"],
          ["overall", "hillTime", "HP_TM"],
          ["snd", "firstBloods", "SND_FK"],
        ] as const
        for (const [mode, stat, column] of boards) {
          const { data } = yield* get(`/leaderboards/${mode}?stat=${stat}&season=2025&limit=100`)
          assert.isAtLeast(data.length, 70, `${mode} ${stat}`)
          for (const { mapsPlayed, player, value } of data) {
            const own = players.get(player.ign.toLowerCase()) ?? []
            assert.strictEqual(value, sum(own.map((row) => number(row, column) || 0)), `${mode} ${stat} ${player.ign}`)
            const played = { overall: "Overall_M", hardpoint: "HP_M", snd: "SND_M", control: "Control_M" }[mode]
            assert.strictEqual(mapsPlayed, sum(own.map((row) => number(row, played))), `${mode} ${player.ign}`)
          }
        }
        const { data } = yield* get("/leaderboards/overall?stat=kd&season=2025&limit=100")
        for (const { player, value } of data) {
          const own = players.get(player.ign.toLowerCase()) ?? []
          assert.closeTo(value, sum(own.map((row) => number(row, "Overall_K"))) / sum(own.map((row) => number(row, "Overall_D"))), 0.000_6)
        }
        assert.strictEqual((yield* get("/leaderboards/overall?stat=damage&season=2025")).reason, "stat_not_counted")
      }),
    )
  })
})
