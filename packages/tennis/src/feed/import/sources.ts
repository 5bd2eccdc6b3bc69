/** The files of a tennis archive: players, matches and rankings. File names decide what a file contains. */
import { addTally, defineSource, nothingWritten, UnreadableFile } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Stream } from "effect"
import { TennisArchiveWriter, type TennisTable } from "../../archive/TennisArchiveWriter.ts"
import { type Circuit, matchReader, playerReader, rankingReader, type Tour } from "../../rules/archive/archiveRows.ts"
import { type ArchiveRecord, BATCH_SIZE, rowsOf } from "./lines.ts"

const ending = String.raw`\.csv(?:\.gz|\.xz)?$`
const playerFile = new RegExp(`(?:^|/)(atp|wta)_players${ending}`, "u")
const rankingFile = new RegExp(String.raw`(?:^|/)(atp|wta)_rankings_\w+${ending}`, "u")
const matchFile = new RegExp(
  String.raw`(?:^|/)(atp|wta)_matches_(?:(amateur)|(?:(qual_chall|qual_itf|futures|doubles)_)?\d{4})${ending}`,
  "u",
)

/** Counts repeats as unchanged. */
const write = Effect.fnUntraced(function* (records: ReadonlyArray<ArchiveRecord>) {
  const writer = yield* TennisArchiveWriter
  const rows = new Map<TennisTable, Array<string>>()
  let repeats = 0
  for (const { row, table } of records) {
    if (row === undefined) {
      repeats += 1
      continue
    }
    const known = rows.get(table)
    if (known === undefined) rows.set(table, [row])
    else known.push(row)
  }
  let tally = { ...nothingWritten, unchanged: repeats }
  for (const [table, literals] of rows) tally = addTally(tally, yield* writer.write(table, literals))
  return tally
})

const unknownName = Stream.fail(new UnreadableFile({ reason: "the file name states no tour" }))

export const players = defineSource({
  name: "players",
  summary: "players, atp_players.csv and wta_players.csv",
  version: 1,
  batchSize: BATCH_SIZE,
  takes: (name) => playerFile.test(name),
  read: (file) => {
    const tour = playerFile.exec(file.name)?.[1] as Tour | undefined
    return tour === undefined ? unknownName : rowsOf(file, "tennis_players", (header) => playerReader(header, tour))
  },
  write,
})

export const matches = defineSource({
  name: "matches",
  summary: "matches, such as atp_matches_2024.csv and wta_matches_qual_itf_2024.csv",
  version: 2,
  batchSize: BATCH_SIZE,
  takes: (name) => matchFile.test(name),
  read: (file) => {
    const [, tour, amateur, other] = matchFile.exec(file.name) ?? []
    if (tour === undefined) return unknownName
    const circuit = (amateur ?? other ?? "tour") as Circuit
    const table = circuit === "doubles" ? "tennis_doubles_matches" : "tennis_matches"
    return rowsOf(file, table, (header) => matchReader(header, tour as Tour, circuit))
  },
  write,
})

export const rankings = defineSource({
  name: "rankings",
  summary: "weekly rankings, such as atp_rankings_20s.csv",
  version: 1,
  batchSize: BATCH_SIZE,
  takes: (name) => rankingFile.test(name),
  read: (file) => {
    const tour = rankingFile.exec(file.name)?.[1] as Tour | undefined
    return tour === undefined ? unknownName : rowsOf(file, "tennis_rankings", (header) => rankingReader(header, tour))
  },
  write,
})
