/**
 * Import sources of what lobby files do not have: descriptions of tournaments, profiles of players, transactions, and
 * whole series as JSON. The last three have formats of their own, see `docs/games/apex/archive.md`.
 */
import { type CsvRow, csvRows } from "@matchpoint/game/feed/import/csv"
import { bytesOf, jsonAs } from "@matchpoint/game/feed/import/files"
import { accept, defineSource, type ReadRecord, reject } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Result, Schema, Stream } from "effect"
import { ApexArchiveWriter } from "../../archive/ApexArchiveWriter.ts"
import { TournamentFile, tournamentOf } from "../../rules/archive/files/tournamentFile.ts"
import { ApexPlayer, ApexSeries, ApexTransaction, regions } from "../../rules/archive/series.ts"

export const tournaments = defineSource({
  name: "tournaments",
  summary: "descriptions of tournaments, such as tournaments/ewc-2025.json",
  version: 1,
  takes: (name) => /(?:^|\/)tournaments\/[^/]+\.json$/u.test(name),
  read: (file) => Stream.fromEffect(Effect.map(jsonAs(file, TournamentFile), (tournament) => accept(tournamentOf(tournament)))),
  write: (list) => Effect.flatMap(ApexArchiveWriter, (writer) => writer.writeTournaments(lastOf(list, ({ tournamentId }) => tournamentId))),
})

export const series = defineSource({
  name: "series",
  summary: "whole series with players, legends and bans as JSON, such as split1_series.json",
  version: 1,
  batchSize: 20,
  takes: (name) => /(?:^|\/)(?:[^/]+_)?series\.json(?:\.gz)?$/u.test(name),
  read: (file) =>
    Stream.unwrap(
      Effect.map(jsonAs(file, Schema.Array(Schema.Unknown)), (list) =>
        Stream.fromIterable(list.map((value) => decoded(decodeSeries, withSource(value)))),
      ),
    ),
  write: (list) => Effect.flatMap(ApexArchiveWriter, (writer) => writer.writeSeries(lastOf(list, ({ seriesId }) => seriesId))),
})

export const players = defineSource({
  name: "players",
  summary: "profiles of players: players.csv",
  version: 1,
  takes: (name) => /(?:^|\/)players\.csv(?:\.gz)?$/u.test(name),
  read: (file) =>
    Stream.map(csvRows(bytesOf(file)), (row) =>
      decoded(decodePlayer, {
        playerId: row["player_id"],
        name: row["name"],
        teamName: textOrNull(row, "team"),
        role: textOrNull(row, "role"),
        regions: (row["regions"] ?? "").split(/[ ;]+/u).filter((region) => region !== ""),
        source: "import",
      }),
    ),
  write: (list) => Effect.flatMap(ApexArchiveWriter, (writer) => writer.writePlayers(lastOf(list, ({ playerId }) => playerId))),
})

export const transactions = defineSource({
  name: "transactions",
  summary: "changes of rosters, roles and names of teams: transactions.csv",
  version: 1,
  takes: (name) => /(?:^|\/)transactions\.csv(?:\.gz)?$/u.test(name),
  read: (file) =>
    Stream.map(csvRows(bytesOf(file)), (row) =>
      decoded(decodeTransaction, {
        transactionId: row["transaction_id"],
        type: row["type"],
        day: row["day"],
        playerId: textOrNull(row, "player_id"),
        playerName: textOrNull(row, "player"),
        teamName: textOrNull(row, "team"),
        before: textOrNull(row, "before"),
        after: textOrNull(row, "after"),
        region: textOrNull(row, "region"),
        source: "import",
      }),
    ),
  write: (list) =>
    Effect.flatMap(ApexArchiveWriter, (writer) => writer.writeTransactions(lastOf(list, ({ transactionId }) => transactionId))),
})

const decodeSeries = Schema.decodeUnknownResult(ApexSeries)
const decodePlayer = Schema.decodeUnknownResult(ApexPlayer)
const decodeTransaction = Schema.decodeUnknownResult(ApexTransaction)

/** The reason of a rejection names the first wrong field. */
const decoded = <A>(decode: (value: unknown) => Result.Result<A, Schema.SchemaError>, value: unknown): ReadRecord<A> =>
  Result.match(decode(value), {
    onSuccess: accept,
    onFailure: (error) => reject(`${String(error.message).slice(0, 300)} (regions are ${regions.join(", ")})`, value),
  })

/** Marks a series of a file as imported, and keeps its content as `raw`. */
const withSource = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? { raw: value, ...value, source: "import" } : value

const textOrNull = (row: CsvRow, column: string): string | null => {
  const text = row[column]?.trim() ?? ""
  return text === "" ? null : text
}

/** Leaves out values whose key occurs again later. */
const lastOf = <A>(list: ReadonlyArray<A>, keyOf: (value: A) => string): ReadonlyArray<A> => [
  ...new Map(list.map((value) => [keyOf(value), value])).values(),
]
