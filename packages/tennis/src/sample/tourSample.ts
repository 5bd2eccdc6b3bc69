/**
 * Simulated tours. All tournament names end with "(simulated)"; `simulator` is the source of the days of all matches.
 */
import type { SampleArchive } from "@matchpoint/game/sample/SampleArchives"
import { simulatedSeason } from "@matchpoint/game/sample/simulatedSeason"
import { Effect, Stream } from "effect"
import { rowLiteral } from "../archive/rowLiteral.ts"
import { SimulatedTours } from "../archive/SimulatedTours.ts"
import { TennisSummaries } from "../archive/summaries/TennisSummaries.ts"
import { TennisArchiveWriter, type TennisTable } from "../archive/TennisArchiveWriter.ts"
import { matchReader, playerReader, rankingReader } from "../rules/archive/archiveRows.ts"
import { SIMULATED } from "../rules/archive/simulated.ts"
import { TENNIS } from "../rules/game.ts"
import type { ArchiveLines } from "../simulator/season/archiveLines.ts"

const SEED = 1

/** Lists of rows, such as the matches of a tournament, that are written together. */
const LISTS_PER_WRITE = 48

/** Groups of lists that are simulated ahead of writing them to the database. */
const AHEAD = 2

const write = Effect.fnUntraced(function* (now: number) {
  const writer = yield* TennisArchiveWriter
  yield* simulatedSeason<ArchiveLines>(new URL("./tourThread.ts", import.meta.url), { seed: SEED, now }).pipe(
    Stream.grouped(LISTS_PER_WRITE),
    // The tours are simulated further while the database writes.
    Stream.buffer({ capacity: AHEAD }),
    Stream.runForEach(writeLists),
  )
  yield* writer.prepare(() => Effect.void)
  yield* (yield* TennisSummaries).rebuild
})

const writeLists = Effect.fnUntraced(function* (lists: ReadonlyArray<ArchiveLines>) {
  const writer = yield* TennisArchiveWriter
  const rows = new Map<TennisTable, Array<string>>()
  for (const list of lists) {
    const table = tables[list.kind]
    rows.set(table, [...(rows.get(table) ?? []), ...rowsOf(list)])
  }
  for (const [table, literals] of rows) yield* writer.write(table, literals)
})

const tables = { players: "tennis_players", matches: "tennis_matches", rankings: "tennis_rankings" } as const

/** Reads lines as the import does, and returns them as literals of their table. */
const rowsOf = (list: ArchiveLines): ReadonlyArray<string> => {
  const reader = readerOf(list)
  // The simulator writes lines that can be read. Anything else is a bug.
  if (typeof reader === "string") throw new Error(`The simulated ${list.kind} have no column ${reader}`)
  return list.lines.map((line) => {
    const row = reader(line)
    if (typeof row === "string") throw new Error(`A simulated row was rejected: ${row}`)
    return rowLiteral(row.cells)
  })
}

const readerOf = ({ header, kind, tour }: ArchiveLines) => {
  switch (kind) {
    case "players":
      return playerReader(header, tour)
    case "matches":
      return matchReader(header, tour, "tour", SIMULATED)
    case "rankings":
      return rankingReader(header, tour)
  }
}

export const tourSample: SampleArchive<SimulatedTours | TennisArchiveWriter | TennisSummaries> = {
  game: TENNIS,
  source: SIMULATED,
  file: "tour",
  isEmpty: Effect.flatMap(SimulatedTours, ({ isArchiveEmpty }) => isArchiveEmpty),
  write,
  rows: Effect.flatMap(TennisArchiveWriter, ({ matchCounts }) =>
    Effect.map(matchCounts, (kinds) => kinds.reduce((sum, { count }) => sum + count, 0)),
  ),
}
