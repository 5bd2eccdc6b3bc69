/**
 * Writes data reported by external sources into the archive. Determines the entity (team, player or event) of each
 * reported name, stores each match as a whole, and updates derived data: search words, and players' map counts and
 * ratings. Every write is idempotent: writing the same data again changes nothing and returns "unchanged".
 *
 * An entity is identified by, in this order: the source's own key (`cs2_source_keys`), this archive's number if the
 * source reports it, and the normalized name with its context (overlapping rosters, dates, team). An ambiguous name
 * creates a new entity and a `merge_rejected` entry in the changelog: duplicates can be merged later, a wrong merge
 * cannot be undone.
 */
import { PgClient } from "@effect/sql-pg"
import { holdUntilCommit } from "@matchpoint/store/database/advisoryLock"
import { OperationTimeout, type StoreError, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Duration, Effect, Layer, type Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { ArchivedMatch, PlayerRef } from "../rules/archive/ArchivedMatch.ts"
import type { EventDetails, PlayerDetails, PlayerReport, ReportOrigin, TeamDetails, TeamReport, Written } from "./writer/reports.ts"
import { writeEvent } from "./writer/writeEvent.ts"
import { writeMatches } from "./writer/writeMatches.ts"
import { writePlayers, writeTeams } from "./writer/writeSheets.ts"

export class ArchiveWriter extends Context.Service<
  ArchiveWriter,
  {
    readonly team: (team: TeamDetails, seen: ReportOrigin, roster?: ReadonlyArray<PlayerRef>) => Effect.Effect<Written, StoreError>
    /** Writes the teams in order, in one transaction: if one write fails, all are rolled back. One result per team. */
    readonly teams: (reports: ReadonlyArray<TeamReport>) => Effect.Effect<ReadonlyArray<Written>, StoreError>
    readonly player: (player: PlayerDetails, seen: ReportOrigin, teamNumber?: number) => Effect.Effect<Written, StoreError>
    readonly players: (reports: ReadonlyArray<PlayerReport>) => Effect.Effect<ReadonlyArray<Written>, StoreError>
    readonly event: (event: EventDetails, seen: ReportOrigin) => Effect.Effect<Written, StoreError>
    /**
     * Stores a match with its maps, rounds, events and player statistics, in one transaction. If another source has
     * already reported a match of the same teams on the same day with a compatible score, both reports are the same
     * match: more detailed data replaces less detailed data, map by map, never the reverse.
     */
    readonly match: (match: ArchivedMatch) => Effect.Effect<Written, StoreError>
    /** Writes several matches in the given order, in one transaction. If one write fails, all are rolled back. */
    readonly matches: (matches: ReadonlyArray<ArchivedMatch>) => Effect.Effect<ReadonlyArray<Written>, StoreError>
  }
>()("@matchpoint/cs2/archive/ArchiveWriter") {
  static readonly layer = Layer.effect(
    ArchiveWriter,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      // Longer than other timeouts: a write has many statements and may have to wait for a batch of another process.
      const limit = Duration.times(yield* OperationTimeout, 5)

      /** One writer at a time, in all processes: two concurrent ones could create the entity of a name twice. */
      const exclusively = <A>(write: Effect.Effect<A, SqlError | Schema.SchemaError>) =>
        sql.withTransaction(Effect.andThen(holdUntilCommit(sql, "archive"), write))

      const operation =
        <Args extends ReadonlyArray<unknown>, A>(name: string, write: (...args: Args) => Effect.Effect<A, SqlError | Schema.SchemaError>) =>
        (...args: Args): Effect.Effect<A, StoreError> =>
          exclusively(write(...args)).pipe(storeOperation(name, limit), Effect.withSpan(name))

      return ArchiveWriter.of({
        team: operation("ArchiveWriter.team", (team: TeamDetails, seen: ReportOrigin, roster: ReadonlyArray<PlayerRef> = []) =>
          only(writeTeams(sql, [{ team, seen, roster }])),
        ),
        teams: operation("ArchiveWriter.teams", (reports: ReadonlyArray<TeamReport>) => writeTeams(sql, reports)),
        player: operation("ArchiveWriter.player", (player: PlayerDetails, seen: ReportOrigin, teamNumber?: number) =>
          only(writePlayers(sql, [{ player, seen, teamNumber }])),
        ),
        players: operation("ArchiveWriter.players", (reports: ReadonlyArray<PlayerReport>) => writePlayers(sql, reports)),
        event: operation("ArchiveWriter.event", (event: EventDetails, seen: ReportOrigin) => writeEvent(sql, event, seen)),
        match: operation("ArchiveWriter.match", (match: ArchivedMatch) => only(writeMatches(sql, [match]))),
        matches: operation("ArchiveWriter.matches", (matches: ReadonlyArray<ArchivedMatch>) => writeMatches(sql, matches)),
      })
    }),
  )
}

const only = <E>(answers: Effect.Effect<ReadonlyArray<Written>, E>): Effect.Effect<Written, E> =>
  Effect.flatMap(answers, ([written]) =>
    written === undefined ? Effect.die(new Error("The archive writer returned no result.")) : Effect.succeed(written),
  )
