/**
 * Import source `earnings`: prize money of players, from a CSV file with the columns `season`, `tournament`, `player`,
 * `amount` (US dollars) and `placement` (may be empty). No public source has it, so the format is the project's own.
 */
import type { CsvRow } from "@matchpoint/game/feed/import/csv"
import { defineSource } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Result, Stream } from "effect"
import type { ArchiveRows } from "../../rules/archive/rows.ts"
import { tournamentNamed } from "../../rules/archive/tournaments.ts"
import { countIn, countOrNullIn, decimalOrNullIn, textIn } from "./fields.ts"
import { playerRow } from "./named.ts"
import { recordOf, rowsIn, writeRows } from "./records.ts"

const readEarning = (row: CsvRow): Result.Result<ArchiveRows, string> =>
  Result.gen(function* () {
    const season = yield* countIn(row, "season")
    if (season < 2020 || season > 2200) return yield* Result.fail(`season is not a year from 2020: ${season}`)
    const tournament = tournamentNamed(season, yield* textIn(row, "tournament"))
    const player = yield* playerRow(yield* textIn(row, "player"))
    const amount = yield* decimalOrNullIn(row, "amount")
    if (amount === null) return yield* Result.fail("amount is empty")
    const placement = yield* countOrNullIn(row, "placement")
    if (placement === 0) return yield* Result.fail("placement is not a place from 1: 0")
    const { tournamentId } = tournament
    return { players: [player], tournaments: [tournament], earnings: [{ tournamentId, playerId: player.playerId, amount, placement }] }
  })

export const earnings = defineSource({
  name: "earnings",
  summary: "prize money of players: earnings.csv",
  version: 1,
  takes: (name) => /(?:^|\/)earnings\.csv(?:\.gz|\.xz)?$/u.test(name),
  read: (file) =>
    Stream.unwrap(Effect.map(rowsIn(file), (rows) => Stream.fromIterable(rows.map((row) => recordOf(readEarning(row), row))))),
  write: writeRows,
})
