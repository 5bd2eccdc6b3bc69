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
import type { ArchivedMatch, EventRef, PlayerRef, TeamRef } from "@matchpoint/domain/cs2/archive/ArchivedMatch"
import { Context, Duration, Effect, Layer, type Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"
import { lockArchive } from "./writer/lock.ts"
import { writeEvent } from "./writer/writeEvent.ts"
import { writeMatches } from "./writer/writeMatches.ts"
import { writePlayers, writeTeams } from "./writer/writeSheets.ts"

/** Data of a team besides its name, as reported by a source. Undefined fields keep their stored values. */
export interface TeamSheet extends TeamRef {
  readonly aliases?: ReadonlyArray<string> | undefined
  readonly tag?: string | undefined
  readonly region?: "europe" | "americas" | "asia" | undefined
  readonly countryCode?: string | undefined
  readonly logoUrl?: string | undefined
  readonly alternateLogoUrl?: string | undefined
  readonly darkUiLogoUrl?: string | undefined
}

/**
 * A team as reported by a source. `roster`: its players at that time, which distinguish teams with the same name.
 * `apartFrom`: names that the source uses for other teams; none of them may be this team under another name.
 */
export interface ToldTeam {
  readonly apartFrom?: ReadonlySet<string> | undefined
  readonly team: TeamSheet
  readonly seen: Sighting
  readonly roster?: ReadonlyArray<PlayerRef> | undefined
}

export interface PlayerSheet extends PlayerRef {
  readonly realName?: string | undefined
  readonly countryCode?: string | undefined
  readonly role?: "player" | "coach" | undefined
  /** Date of birth, YYYY-MM-DD. */
  readonly birthDate?: string | undefined
  readonly imageUrl?: string | undefined
  /** Role in the game: `awper`, `entry`, … */
  readonly primaryRole?: string | undefined
}

/** A player as reported by a source. `teamNumber`: the player's team at that time. */
export interface ToldPlayer {
  readonly player: PlayerSheet
  readonly seen: Sighting
  readonly teamNumber?: number | undefined
}

export interface EventSheet extends EventRef {
  /** Start of the event, epoch ms. `endsAt` is its end. */
  readonly startsAt?: number | undefined
  readonly endsAt?: number | undefined
  readonly region?: string | undefined
  readonly location?: string | undefined
  readonly prizePool?: number | undefined
  readonly currency?: string | undefined
  readonly format?: string | undefined
  /** Prestige of the event, 0..100. */
  readonly prestigeScore?: number | undefined
  readonly logoUrl?: string | undefined
  readonly imageUrl?: string | undefined
  readonly bannerImageUrl?: string | undefined
}

/** Source and time of a name, which help to distinguish entities with the same name. */
export interface Sighting {
  readonly source: string
  /** Epoch ms that the source's data refers to, not the time of the import. */
  readonly at: number
}

export interface Written {
  readonly entityNumber: number
  readonly outcome: "created" | "updated" | "unchanged"
}

export class ArchiveWriter extends Context.Service<
  ArchiveWriter,
  {
    readonly team: (team: TeamSheet, seen: Sighting, roster?: ReadonlyArray<PlayerRef>) => Effect.Effect<Written, StoreError>
    /** Writes several teams in order, in one transaction. Returns a result for each. If one fails, all fail. */
    readonly teams: (told: ReadonlyArray<ToldTeam>) => Effect.Effect<ReadonlyArray<Written>, StoreError>
    readonly player: (player: PlayerSheet, seen: Sighting, teamNumber?: number) => Effect.Effect<Written, StoreError>
    readonly players: (told: ReadonlyArray<ToldPlayer>) => Effect.Effect<ReadonlyArray<Written>, StoreError>
    readonly event: (event: EventSheet, seen: Sighting) => Effect.Effect<Written, StoreError>
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
        sql.withTransaction(Effect.andThen(lockArchive(sql), write))

      const operation =
        <Args extends ReadonlyArray<unknown>, A>(name: string, write: (...args: Args) => Effect.Effect<A, SqlError | Schema.SchemaError>) =>
        (...args: Args): Effect.Effect<A, StoreError> =>
          exclusively(write(...args)).pipe(storeOperation(name, limit), Effect.withSpan(name))

      return ArchiveWriter.of({
        team: operation("ArchiveWriter.team", (team: TeamSheet, seen: Sighting, roster: ReadonlyArray<PlayerRef> = []) =>
          only(writeTeams(sql, [{ team, seen, roster }])),
        ),
        teams: operation("ArchiveWriter.teams", (told: ReadonlyArray<ToldTeam>) => writeTeams(sql, told)),
        player: operation("ArchiveWriter.player", (player: PlayerSheet, seen: Sighting, teamNumber?: number) =>
          only(writePlayers(sql, [{ player, seen, teamNumber }])),
        ),
        players: operation("ArchiveWriter.players", (told: ReadonlyArray<ToldPlayer>) => writePlayers(sql, told)),
        event: operation("ArchiveWriter.event", (event: EventSheet, seen: Sighting) => writeEvent(sql, event, seen)),
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
