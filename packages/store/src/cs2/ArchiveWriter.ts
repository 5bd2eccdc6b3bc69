/**
 * Writes what sources tell into the archive: finds out who the names belong to, stores each match whole, and keeps what is derived from
 * rows beside them (search words, a player's maps and rating). Everything is idempotent: the same again changes nothing and says so.
 *
 * Who is who: a source's own key first (`cs2_source_keys`), then our number where the source carries it, then the name's key together
 * with what it stands with (roster overlap, dates, team). What stays ambiguous becomes an entity of its own and a `merge_rejected` in
 * the changelog: two entities that are one are mended later, one that is two never.
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

/** What a source says of a team besides its name. Undefined: nothing; known values stay. */
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
 * `roster`: who plays for it at that time, which tells teams of one name apart. `apartFrom`: names that the source uses for other teams, of
 * which none is this one under another name.
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
  /** YYYY-MM-DD */
  readonly birthDate?: string | undefined
  readonly imageUrl?: string | undefined
  /** How the player plays: `awper`, `entry`, … */
  readonly primaryRole?: string | undefined
}

/** `teamNumber`: whom he plays for at that time. */
export interface ToldPlayer {
  readonly player: PlayerSheet
  readonly seen: Sighting
  readonly teamNumber?: number | undefined
}

export interface EventSheet extends EventRef {
  /** Epoch ms. */
  readonly startsAt?: number | undefined
  readonly endsAt?: number | undefined
  readonly region?: string | undefined
  readonly location?: string | undefined
  readonly prizePool?: number | undefined
  readonly currency?: string | undefined
  readonly format?: string | undefined
  /** 0..100 */
  readonly prestigeScore?: number | undefined
  readonly logoUrl?: string | undefined
  readonly imageUrl?: string | undefined
  readonly bannerImageUrl?: string | undefined
}

/** Where and when a name was seen, for telling people of one name apart. */
export interface Sighting {
  readonly source: string
  /** Epoch ms, in the source's world. */
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
    /** The same for many, in one transaction, in their order: an answer for each. Fails as a whole. */
    readonly teams: (told: ReadonlyArray<ToldTeam>) => Effect.Effect<ReadonlyArray<Written>, StoreError>
    readonly player: (player: PlayerSheet, seen: Sighting, teamNumber?: number) => Effect.Effect<Written, StoreError>
    readonly players: (told: ReadonlyArray<ToldPlayer>) => Effect.Effect<ReadonlyArray<Written>, StoreError>
    readonly event: (event: EventSheet, seen: Sighting) => Effect.Effect<Written, StoreError>
    /**
     * Stores the match, its maps, lines, rounds and events in one transaction. A match that another source has told already (same teams,
     * same day, compatible score) is the same match: what is deeper replaces what is shallower, map by map, never the other way round.
     */
    readonly match: (match: ArchivedMatch) => Effect.Effect<Written, StoreError>
    /** The same for many, in one transaction, in their order. Fails as a whole. */
    readonly matches: (matches: ReadonlyArray<ArchivedMatch>) => Effect.Effect<ReadonlyArray<Written>, StoreError>
  }
>()("@matchpoint/store/cs2/ArchiveWriter") {
  static readonly layer = Layer.effect(
    ArchiveWriter,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      // A batch is many statements, each of which is bounded by itself, and waits for the batch of another process.
      const limit = Duration.times(yield* OperationTimeout, 5)

      /** One writer at a time: who is who is decided from what is stored, and two must not decide it at once. */
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

/** One in, one answer out. */
const only = <E>(answers: Effect.Effect<ReadonlyArray<Written>, E>): Effect.Effect<Written, E> =>
  Effect.flatMap(answers, ([written]) =>
    written === undefined ? Effect.die(new Error("the writer gave no answer")) : Effect.succeed(written),
  )
