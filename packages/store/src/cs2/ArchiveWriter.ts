/**
 * Writes data reported by external sources into the archive. It resolves names to entities, stores each match as a
 * whole, and updates the data derived from the written rows: search words, and players' map counts and ratings. Every
 * write is idempotent: writing the same data again changes nothing and returns "unchanged".
 *
 * Entities are resolved by these attributes, in this order: the source's own key (`cs2_source_keys`), this archive's
 * number if the source reports it, and the normalized name together with its context (overlapping rosters, dates,
 * team). If a name is ambiguous, a new entity is created and a `merge_rejected` entry is added to the changelog,
 * because duplicates can be merged later but a wrong merge cannot be undone.
 */

import { PgClient } from "@effect/sql-pg"
import type { ArchivedMatch, PlayerRef } from "@matchpoint/domain/cs2/archive/ArchivedMatch"
import { Context, Duration, Effect, Layer, type Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"
import { lockArchive } from "./writer/lock.ts"
import type { EventDetails, PlayerDetails, PlayerReport, ReportOrigin, TeamDetails, TeamReport, Written } from "./writer/reports.ts"
import { writeEvent } from "./writer/writeEvent.ts"
import { writeMatches } from "./writer/writeMatches.ts"
import { writePlayers, writeTeams } from "./writer/writeSheets.ts"

export class ArchiveWriter extends Context.Service<
  ArchiveWriter,
  {
    readonly team: (team: TeamDetails, seen: ReportOrigin, roster?: ReadonlyArray<PlayerRef>) => Effect.Effect<Written, StoreError>
    /** Writes several teams in order, in one transaction. Returns a result for each. If one fails, all fail. */
    readonly teams: (reports: ReadonlyArray<TeamReport>) => Effect.Effect<ReadonlyArray<Written>, StoreError>
    readonly player: (player: PlayerDetails, seen: ReportOrigin, teamNumber?: number) => Effect.Effect<Written, StoreError>
    readonly players: (reports: ReadonlyArray<PlayerReport>) => Effect.Effect<ReadonlyArray<Written>, StoreError>
    readonly event: (event: EventDetails, seen: ReportOrigin) => Effect.Effect<Written, StoreError>
    /**
     * Stores a match with its maps, player lines (one player's statistics on one map), rounds and events in one
     * transaction. A report with the same teams, the same day and a compatible score as a match from another source is
     * treated as that match. In this case, more detailed data replaces less detailed data, map by map, but never the
     * reverse.
     */
    readonly match: (match: ArchivedMatch) => Effect.Effect<Written, StoreError>
    /** Writes several matches in order, in one transaction. If one fails, all fail. */
    readonly matches: (matches: ReadonlyArray<ArchivedMatch>) => Effect.Effect<ReadonlyArray<Written>, StoreError>
  }
>()("@matchpoint/store/cs2/ArchiveWriter") {
  static readonly layer = Layer.effect(
    ArchiveWriter,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      // Timeout of one write. It is longer than that of a single operation, because a batch consists of many
      // statements, each with its own timeout, and may wait for another process's batch.
      const limit = Duration.times(yield* OperationTimeout, 5)

      /**
       * Runs a write while no other writer is active, in any process. Writers resolve names to entities from stored
       * data, so two concurrent writers could create the same entity twice.
       */
      const exclusively = <A>(write: Effect.Effect<A, SqlError | Schema.SchemaError>) =>
        sql.withTransaction(Effect.andThen(lockArchive(sql), write))

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

/** Unwraps the result of a write that was called with a single item. */
const only = <E>(answers: Effect.Effect<ReadonlyArray<Written>, E>): Effect.Effect<Written, E> =>
  Effect.flatMap(answers, ([written]) =>
    written === undefined ? Effect.die(new Error("The archive writer returned no result.")) : Effect.succeed(written),
  )
