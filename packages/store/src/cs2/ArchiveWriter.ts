/**
 * Writes data from sources into the archive. It resolves names to entities, stores each match as a whole, and updates
 * what is derived from the rows (search words, players' map counts and ratings). Every write is idempotent: writing the
 * same data again changes nothing and returns "unchanged".
 *
 * Entities are resolved in this order: by the source's own key (`cs2_source_keys`), by our number if the source has it,
 * and by the normalized name together with its context (overlapping rosters, dates, team). An ambiguous name becomes a
 * new entity, with a `merge_rejected` entry in the changelog: duplicates can be merged later, but a wrong merge cannot
 * be undone.
 */

import { PgClient } from "@effect/sql-pg"
import type { ArchivedMatch, PlayerRef } from "@matchpoint/domain/cs2/archive/ArchivedMatch"
import { Context, Duration, Effect, Layer, type Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { holdUntilCommit } from "../database/advisoryLock.ts"
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"
import type { EventDetails, PlayerDetails, PlayerReport, ReportOrigin, TeamDetails, TeamReport, Written } from "./writer/reports.ts"
import { writeEvent } from "./writer/writeEvent.ts"
import { writeMatches } from "./writer/writeMatches.ts"
import { writePlayers, writeTeams } from "./writer/writeSheets.ts"

export class ArchiveWriter extends Context.Service<
  ArchiveWriter,
  {
    readonly team: (team: TeamDetails, seen: ReportOrigin, roster?: ReadonlyArray<PlayerRef>) => Effect.Effect<Written, StoreError>
    /** Writes several teams in order, in one transaction. Returns a result for each. If one fails, all fail. */
    readonly teams: (told: ReadonlyArray<TeamReport>) => Effect.Effect<ReadonlyArray<Written>, StoreError>
    readonly player: (player: PlayerDetails, seen: ReportOrigin, teamNumber?: number) => Effect.Effect<Written, StoreError>
    readonly players: (told: ReadonlyArray<PlayerReport>) => Effect.Effect<ReadonlyArray<Written>, StoreError>
    readonly event: (event: EventDetails, seen: ReportOrigin) => Effect.Effect<Written, StoreError>
    /**
     * Stores the match with its maps, player lines (one player's statistics on one map), rounds and events in one
     * transaction. A match that another source has already reported (same teams, same day, compatible score) is the
     * same match. In that case more detailed data replaces less detailed data, map by map, never the reverse.
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
      // A batch consists of many statements, each with its own timeout, and may wait for another process's batch.
      const limit = Duration.times(yield* OperationTimeout, 5)

      /**
       * Runs one writer at a time. Identities are resolved from stored data, so two writers must not resolve them
       * concurrently.
       */
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
        teams: operation("ArchiveWriter.teams", (told: ReadonlyArray<TeamReport>) => writeTeams(sql, told)),
        player: operation("ArchiveWriter.player", (player: PlayerDetails, seen: ReportOrigin, teamNumber?: number) =>
          only(writePlayers(sql, [{ player, seen, teamNumber }])),
        ),
        players: operation("ArchiveWriter.players", (told: ReadonlyArray<PlayerReport>) => writePlayers(sql, told)),
        event: operation("ArchiveWriter.event", (event: EventDetails, seen: ReportOrigin) => writeEvent(sql, event, seen)),
        match: operation("ArchiveWriter.match", (match: ArchivedMatch) => only(writeMatches(sql, [match]))),
        matches: operation("ArchiveWriter.matches", (matches: ReadonlyArray<ArchivedMatch>) => writeMatches(sql, matches)),
      })
    }),
  )
}

/** Returns the result of a write with a single item. */
const only = <E>(answers: Effect.Effect<ReadonlyArray<Written>, E>): Effect.Effect<Written, E> =>
  Effect.flatMap(answers, ([written]) =>
    written === undefined ? Effect.die(new Error("The archive writer returned no result.")) : Effect.succeed(written),
  )
