/**
 * Writes data reported by external sources into the archive. It determines which entity (team, player or event) each
 * reported name belongs to, stores each match as a whole, and updates the data derived from the written rows: search
 * words, and players' map counts and ratings. Every write is idempotent: writing the same data again changes nothing
 * and returns "unchanged".
 *
 * An entity is identified by the following attributes, in this order: the source's own key (`cs2_source_keys`), this
 * archive's number if the source reports it, and the normalized name together with its context (overlapping rosters,
 * dates, team). If a name is ambiguous, a new entity is created and a `merge_rejected` entry is added to the changelog,
 * because duplicates can be merged later but a wrong merge cannot be undone.
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
    /**
     * Writes several teams in the given order, in one transaction. Returns one result per team. If one write fails, all
     * are rolled back.
     */
    readonly teams: (reports: ReadonlyArray<TeamReport>) => Effect.Effect<ReadonlyArray<Written>, StoreError>
    readonly player: (player: PlayerDetails, seen: ReportOrigin, teamNumber?: number) => Effect.Effect<Written, StoreError>
    readonly players: (reports: ReadonlyArray<PlayerReport>) => Effect.Effect<ReadonlyArray<Written>, StoreError>
    readonly event: (event: EventDetails, seen: ReportOrigin) => Effect.Effect<Written, StoreError>
    /**
     * Stores a match with its maps, rounds, events and the statistics of each player on each map, in one transaction.
     * If another source has already reported a match of the same teams on the same day with a compatible score, both
     * reports are treated as the same match. In this case, more detailed data replaces less detailed data, map by map,
     * but never the reverse.
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
      // Timeout of one write. It is longer than the timeout of other operations, because a write consists of many
      // statements, each with its own timeout, and may have to wait for a batch of another process.
      const limit = Duration.times(yield* OperationTimeout, 5)

      /**
       * Runs a write while no other writer is active, in any process. This is necessary because each writer searches
       * the stored data for the entity (such as a team) to which a name belongs. Two concurrent writers could both find
       * none and create the same entity twice.
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

/** Returns the only result of a write that was called with a single item. */
const only = <E>(answers: Effect.Effect<ReadonlyArray<Written>, E>): Effect.Effect<Written, E> =>
  Effect.flatMap(answers, ([written]) =>
    written === undefined ? Effect.die(new Error("The archive writer returned no result.")) : Effect.succeed(written),
  )
