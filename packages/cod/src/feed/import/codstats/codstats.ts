/**
 * Import source `codstats`: eight CSV tables that refer to each other by numbers: teams, players, maps, modes, matches,
 * maps of matches (`Games`, `MatchesGames`) and lines of players (`PlayersGames`). The tables name no tournament and no
 * round, and state only the day of a match.
 */
import type { CsvRow } from "@matchpoint/game/feed/import/csv"
import { defineSource, type ImportFile, UnreadableFile } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Stream } from "effect"
import { rowsIn, writeRows } from "../records.ts"
import { type CodstatsTables, codstatsRecords, tableNames } from "./codstatsRecords.ts"

const ending = String.raw`\.csv(?:\.gz|\.xz)?$`
const matchesFile = new RegExp(`(?:^|/)Matches${ending}`, "u")

/** Undefined if the file has no table. */
const tableIn = (name: string) => tableNames.find((table) => new RegExp(`(?:^|/)${table}${ending}`, "u").test(name))

const folderOf = (name: string): string => name.slice(0, name.lastIndexOf("/") + 1)

const readTables = Effect.fnUntraced(function* (file: ImportFile) {
  const files = new Map([...file.companions.values(), file].map((one) => [tableIn(one.name), one]))
  const tables: Record<string, ReadonlyArray<CsvRow>> = {}
  for (const table of tableNames) {
    const found = files.get(table)
    if (found === undefined) return yield* new UnreadableFile({ reason: `the folder has no ${table}.csv` })
    tables[table] = yield* rowsIn(found)
  }
  return tables as CodstatsTables
})

export const codstats = defineSource({
  name: "codstats",
  summary: "matches with maps and player lines: Matches.csv and the seven other tables in its folder",
  version: 2,
  takes: (name) => matchesFile.test(name),
  companions: (name, others) =>
    others.filter((other) => other !== name && folderOf(other) === folderOf(name) && tableIn(other) !== undefined),
  read: (file) => Stream.unwrap(Effect.map(readTables(file), (tables) => Stream.fromIterable(codstatsRecords(tables)))),
  write: writeRows,
})
