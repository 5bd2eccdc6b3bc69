/** Source `breakingpoint`: one CSV file with a line per player and map. States who won a map, but not its score. */
import type { CsvRow } from "@matchpoint/game/feed/import/csv"
import { accept, defineSource, type ReadRecord, reject } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Result, Stream } from "effect"
import { combineRows, franchiseRows } from "../../rules/archive/combineRows.ts"
import { modeOf } from "../../rules/archive/modes.ts"
import { type ArchiveRows, emptyLine, type MapResult, type PlayerMapLine } from "../../rules/archive/rows.ts"
import { seriesScore } from "../../rules/archive/seriesScore.ts"
import { tournamentNamed } from "../../rules/archive/tournaments.ts"
import { countIn, countOrNullIn, dayIn, decimalOrNullIn, flagIn, textIn } from "./fields.ts"
import { midnight, playerRow, teamRow } from "./named.ts"
import { rowsIn, writeRows } from "./records.ts"

const readLine = (row: CsvRow) =>
  Result.gen(function* () {
    const number = /^MATCH_(\d{1,15})$/u.exec(yield* textIn(row, "match_id"))?.[1]
    if (number === undefined) return yield* Result.fail(`match_id is not MATCH_ and a number: ${row["match_id"]}`)
    const matchId = `bp-match-${Number(number)}`
    const mode = modeOf(yield* textIn(row, "mode"))
    if (mode === undefined) return yield* Result.fail(`the mode is unknown: ${row["mode"]}`)
    const bestOf = /^BO(\d)$/u.exec(yield* textIn(row, "series_type"))?.[1]
    if (bestOf === undefined) return yield* Result.fail(`series_type is not BO and a number: ${row["series_type"]}`)
    const player = yield* playerRow(yield* textIn(row, "player_name"))
    const team = yield* teamRow(yield* textIn(row, "team_name"))
    const mapNumber = yield* countIn(row, "map_number")
    const isObjective = (of: string, value: number | null) => (mode === of ? value : null)
    const hillTime = yield* decimalOrNullIn(row, "hill_time")
    const line: PlayerMapLine = {
      ...emptyLine,
      ...{ matchId, mapNumber, playerId: player.playerId, teamSlug: team.slug },
      kills: yield* countIn(row, "kills"),
      deaths: yield* countIn(row, "deaths"),
      assists: yield* countOrNullIn(row, "assists"),
      damage: yield* countOrNullIn(row, "damage"),
      // The file has zeros for statistics of other modes.
      hillTime: isObjective("hardpoint", hillTime === null ? null : Math.round(hillTime)),
      plants: isObjective("snd", yield* countOrNullIn(row, "plants")),
      defuses: isObjective("snd", yield* countOrNullIn(row, "defuses")),
      rating: yield* decimalOrNullIn(row, "rating"),
    }
    return {
      line,
      player,
      team,
      mode,
      bestOf: Number(bestOf),
      day: yield* dayIn(row, "date"),
      isLan: yield* flagIn(row, "is_lan"),
      hasWon: yield* flagIn(row, "won_map"),
      mapName: yield* textIn(row, "map_name"),
      opponent: yield* teamRow(yield* textIn(row, "opponent_team_name")),
      tournament: tournamentNamed(yield* countIn(row, "season"), yield* textIn(row, "event_name")),
    }
  })
type Line = Extract<ReturnType<typeof readLine>, { readonly _tag: "Success" }>["success"]

/** The first line names team 1. */
const matchOf = (lines: readonly [Line, ...ReadonlyArray<Line>], startOrder: number): ArchiveRows => {
  const [
    {
      bestOf,
      day,
      isLan,
      line: { matchId },
      opponent,
      team,
      tournament,
    },
  ] = lines
  const onMaps = [...Map.groupBy(lines, ({ line }) => line.mapNumber).values()].flatMap(([first]) => first ?? [])
  const maps = onMaps.map(
    ({ hasWon, line, mapName, mode, opponent: other }): MapResult => ({
      matchId,
      mapNumber: line.mapNumber,
      mapName,
      mode,
      team1Score: null,
      team2Score: null,
      winnerSlug: hasWon ? line.teamSlug : other.slug,
      played: true,
      pickedBy: null,
      durationSeconds: null,
    }),
  )
  return combineRows([
    franchiseRows(tournament.season),
    {
      teams: [team, opponent],
      players: lines.map(({ player }) => player),
      tournaments: [tournament],
      matches: [
        {
          match: {
            matchId,
            tournamentId: tournament.tournamentId,
            round: null,
            status: "completed",
            startsAt: midnight(day),
            startTimeKnown: false,
            startOrder,
            team1Slug: team.slug,
            team2Slug: opponent.slug,
            ...seriesScore(maps, bestOf, [team.slug, opponent.slug]),
            isLan,
            broadcasted: null,
            source: "breakingpoint",
            simulated: false,
          },
          maps,
          lines: lines.map(({ line }) => line),
        },
      ],
    },
  ])
}

/** One record per match, after a rejection for each line that cannot be read. */
export const breakingpointRecords = (rows: ReadonlyArray<CsvRow>): ReadonlyArray<ReadRecord<ArchiveRows>> => {
  const read = rows.map((row) => ({ row, line: readLine(row) }))
  const rejected = read.flatMap(({ line, row }) => (Result.isFailure(line) ? [reject(line.failure, row)] : []))
  const lines = read.flatMap(({ line }) => (Result.isSuccess(line) ? [line.success] : []))
  const matches = [...Map.groupBy(lines, ({ line }) => line.matchId).values()]
  const ofDay = new Map<string, number>()
  return [
    ...rejected,
    ...matches.flatMap(([first, ...others]) => {
      if (first === undefined) return []
      const startOrder = ofDay.get(first.day) ?? 0
      ofDay.set(first.day, startOrder + 1)
      return [accept(matchOf([first, ...others], startOrder))]
    }),
  ]
}

export const breakingpoint = defineSource({
  name: "breakingpoint",
  summary: "matches with player lines: breakingpoint_cod_stats.csv",
  version: 2,
  takes: (name) => /(?:^|\/)breakingpoint_\w+\.csv(?:\.gz|\.xz)?$/u.test(name),
  read: (file) => Stream.unwrap(Effect.map(rowsIn(file), (rows) => Stream.fromIterable(breakingpointRecords(rows)))),
  write: writeRows,
})
