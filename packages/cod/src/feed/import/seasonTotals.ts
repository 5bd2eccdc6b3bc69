/**
 * Import source `season-totals`: one CSV file per event with sums of each player by mode. The event and the season are
 * stated by the path only, such as `season2025/CDL_Major2_All_48_Player_Stats.csv`. The files have no teams and no
 * matches.
 */
import type { CsvRow } from "@matchpoint/game/feed/import/csv"
import { defineSource, UnreadableFile } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Result, Stream } from "effect"
import { franchiseRows } from "../../rules/archive/combineRows.ts"
import type { GameMode } from "../../rules/archive/modes.ts"
import type { ArchiveRows, Tournament, TournamentTotal } from "../../rules/archive/rows.ts"
import { tournamentNamed } from "../../rules/archive/tournaments.ts"
import { countIn, countOrNullIn, textIn } from "./fields.ts"
import { playerRow } from "./named.ts"
import { recordOf, rowsIn, writeRows } from "./records.ts"

/** How file names state an event, and its name. */
const events: ReadonlyArray<readonly [RegExp, (match: RegExpExecArray) => string]> = [
  [/(?:^|[^a-z])major[-_]?(\d)/iu, ([, number]) => `Major ${number}`],
  [/champs/iu, () => "Call of Duty League Championship"],
  [/(?:^|[^a-z])ewc/iu, () => "Esports World Cup"],
]

const csvFile = /\.csv(?:\.gz|\.xz)?$/u
const seasonIn = /(?:^|[^0-9])(20\d{2})(?:[^0-9]|$)/u

const baseOf = (name: string): string => name.slice(name.lastIndexOf("/") + 1)

/** Undefined if the path does not state both event and season. */
export const tournamentOf = (path: string): Tournament | undefined => {
  const season = seasonIn.exec(path)?.[1]
  for (const [pattern, nameOf] of events) {
    const match = pattern.exec(baseOf(path))
    if (match !== null && season !== undefined) return tournamentNamed(Number(season), `${nameOf(match)} ${season}`)
  }
  return undefined
}

/** Files use one of the prefixes of a mode. */
const prefixes: ReadonlyArray<readonly [GameMode, ReadonlyArray<string>]> = [
  ["snd", ["SnD", "SND"]],
  ["hardpoint", ["Hardpoint", "HP"]],
  ["control", ["Control"]],
]

/** The sums of all modes are left out, because they are the sum of these. */
export const readTotals = (row: CsvRow, tournament: Tournament): Result.Result<ArchiveRows, string> =>
  Result.gen(function* () {
    const player = yield* playerRow(yield* textIn(row, "Player"))
    const totals: Array<TournamentTotal> = []
    for (const [mode, names] of prefixes) {
      const prefix = names.find((name) => row[`${name}_K`] !== undefined) ?? names[0]
      const mapsPlayed = yield* countIn(row, `${prefix}_M`)
      if (mapsPlayed === 0) continue
      totals.push({
        tournamentId: tournament.tournamentId,
        playerId: player.playerId,
        mode,
        mapsPlayed,
        kills: yield* countIn(row, `${prefix}_K`),
        deaths: yield* countIn(row, `${prefix}_D`),
        hillTime: mode === "hardpoint" ? yield* countOrNullIn(row, `${prefix}_TM`) : null,
        firstBloods: mode === "snd" ? yield* countOrNullIn(row, `${prefix}_FK`) : null,
        captures: mode === "control" ? yield* countOrNullIn(row, `${prefix}_CP`) : null,
      })
    }
    return { ...franchiseRows(tournament.season), players: [player], tournaments: [tournament], totals }
  })

export const seasonTotals = defineSource({
  name: "season-totals",
  summary: "sums of players per event, such as season2025/Major4data.csv; the path states season and event",
  version: 1,
  takes: (name) => csvFile.test(name) && tournamentOf(name) !== undefined,
  read: (file) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const tournament = tournamentOf(file.name)
        if (tournament === undefined) return yield* new UnreadableFile({ reason: "the path states no season or no event" })
        const rows = yield* rowsIn(file)
        if (rows[0] !== undefined && rows[0]["Overall_K"] === undefined) {
          return yield* new UnreadableFile({ reason: "the header has no column Overall_K" })
        }
        return Stream.fromIterable(rows.map((row) => recordOf(readTotals(row, tournament), row)))
      }),
    ),
  write: writeRows,
})
