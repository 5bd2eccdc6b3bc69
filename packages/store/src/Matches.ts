/**
 * The register of CS2 matches: their numbers, line-up, configuration, and from `finish` on their result.
 * The live state of a match is not here but in its logs; this table only says which matches exist and how far they are.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, type DateTime, Effect, Layer, type Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "./Counter.ts"
import { OperationTimeout, type StoreError, storeOperation } from "./StoreError.ts"

export const MatchStatus = Schema.Literals(["scheduled", "live", "completed", "cancelled"])
export type MatchStatus = typeof MatchStatus.Type

/** How a match can end. */
export const FinalStatus = Schema.Literals(["completed", "cancelled"])
export type FinalStatus = typeof FinalStatus.Type

export const MatchTeam = Schema.Struct({ id: Schema.String, name: Schema.String })
export type MatchTeam = typeof MatchTeam.Type

export const MatchRegistration = Schema.Struct({
  bestOf: Schema.Int,
  team1: MatchTeam,
  team2: MatchTeam,
  /** JSON whose schema the feed owns. */
  config: Schema.Json,
})
export type MatchRegistration = typeof MatchRegistration.Type

export const RegisteredMatch = Schema.Struct({
  matchNumber: Counter,
  status: MatchStatus,
  ...MatchRegistration.fields,
  createdAt: Schema.DateTimeUtcFromDate,
  startedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  endedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** JSON whose schema the match room owns; null until the match is over. */
  result: Schema.NullOr(Schema.Json),
})
export type RegisteredMatch = typeof RegisteredMatch.Type

/** A row of cs2_matches as {@link RegisteredMatch}. */
export const registeredColumns = `
  match_number AS "matchNumber", status, best_of AS "bestOf",
  jsonb_build_object('id', team1_id, 'name', team1_name) AS team1,
  jsonb_build_object('id', team2_id, 'name', team2_name) AS team2,
  config, created_at AS "createdAt", started_at AS "startedAt", ended_at AS "endedAt", result`

export class Matches extends Context.Service<
  Matches,
  {
    /** Numbers count up from 1001 and are never given twice; a failed registration may leave a hole. */
    readonly register: (registration: MatchRegistration) => Effect.Effect<number, StoreError>
    readonly find: (matchNumber: number) => Effect.Effect<Option.Option<RegisteredMatch>, StoreError>
    /** Scheduled and live matches, oldest number first. */
    readonly listActive: Effect.Effect<ReadonlyArray<RegisteredMatch>, StoreError>
    /**
     * Scheduled becomes live. True when this call did it; false when the match is live already (its first start time stays),
     * is over, or does not exist.
     */
    readonly markLive: (matchNumber: number, at: DateTime.Utc) => Effect.Effect<boolean, StoreError>
    /** Maps won in a live match. Only more than before counts: an owner that is late tells nothing. True when this call changed it. */
    readonly advance: (matchNumber: number, mapsWon: readonly [number, number]) => Effect.Effect<boolean, StoreError>
    /** Ends a match that is not over. True when this call did it; what has once been recorded stays. */
    readonly finish: (matchNumber: number, at: DateTime.Utc, status: FinalStatus, result: Schema.Json) => Effect.Effect<boolean, StoreError>
  }
>()("@matchpoint/store/Matches") {
  static readonly layer = Layer.effect(
    Matches,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const columns = sql.literal(registeredColumns)

      const insert = SqlSchema.findNonEmpty({
        Request: MatchRegistration,
        Result: NumberRow,
        execute: ({ bestOf, team1, team2, config }) => sql`
          INSERT INTO cs2_matches (best_of, team1_id, team1_name, team2_id, team2_name, config)
          VALUES (${bestOf}, ${team1.id}, ${team1.name}, ${team2.id}, ${team2.name}, ${sql.json(config)})
          RETURNING match_number AS "matchNumber"`,
      })

      const select = SqlSchema.findOneOption({
        Request: Counter,
        Result: RegisteredMatch,
        execute: (matchNumber) => sql`SELECT ${columns} FROM cs2_matches WHERE match_number = ${matchNumber}`,
      })

      const selectActive = SqlSchema.findAll({
        Request: Schema.Void,
        Result: RegisteredMatch,
        execute: () => sql`SELECT ${columns} FROM cs2_matches WHERE status IN ('scheduled', 'live') ORDER BY match_number`,
      })

      const updateToLive = SqlSchema.findAll({
        Request: Schema.Struct({ matchNumber: Counter, at: Schema.DateTimeUtcFromDate }),
        Result: NumberRow,
        execute: ({ matchNumber, at }) => sql`
          UPDATE cs2_matches SET status = 'live', started_at = ${at}, changed_at = now()
          WHERE match_number = ${matchNumber} AND status = 'scheduled'
          RETURNING match_number AS "matchNumber"`,
      })

      // The archive has not been told of it: see `cs2/ArchiveBacklog.ts`.
      const updateMaps = SqlSchema.findAll({
        Request: Schema.Struct({ matchNumber: Counter, one: Schema.Natural, two: Schema.Natural }),
        Result: NumberRow,
        execute: ({ matchNumber, one, two }) => sql`
          UPDATE cs2_matches SET team1_maps = ${one}, team2_maps = ${two}, archived_status = NULL, changed_at = now()
          WHERE match_number = ${matchNumber} AND status = 'live' AND team1_maps + team2_maps < ${one}::integer + ${two}::integer
          RETURNING match_number AS "matchNumber"`,
      })

      const updateToFinal = SqlSchema.findAll({
        Request: Schema.Struct({ matchNumber: Counter, at: Schema.DateTimeUtcFromDate, status: FinalStatus, result: Schema.Json }),
        Result: NumberRow,
        execute: ({ matchNumber, at, status, result }) => sql`
          UPDATE cs2_matches SET status = ${status}, ended_at = ${at}, result = ${sql.json(result)}, changed_at = now()
          WHERE match_number = ${matchNumber} AND status IN ('scheduled', 'live')
          RETURNING match_number AS "matchNumber"`,
      })

      return Matches.of({
        register: Effect.fn("Matches.register")(
          (registration: MatchRegistration) =>
            insert(registration).pipe(
              // INSERT ... RETURNING gives a row or an error, so an empty answer is a bug, not a case.
              Effect.catchTag("NoSuchElementError", Effect.die),
              Effect.map(([row]) => row.matchNumber),
            ),
          storeOperation("Matches.register", limit),
        ),
        find: Effect.fn("Matches.find")(select, storeOperation("Matches.find", limit)),
        listActive: selectActive().pipe(storeOperation("Matches.listActive", limit), Effect.withSpan("Matches.listActive")),
        markLive: Effect.fn("Matches.markLive")(
          (matchNumber: number, at: DateTime.Utc) => Effect.map(updateToLive({ matchNumber, at }), hasRow),
          storeOperation("Matches.markLive", limit),
        ),
        advance: Effect.fn("Matches.advance")(
          (matchNumber: number, [one, two]: readonly [number, number]) => Effect.map(updateMaps({ matchNumber, one, two }), hasRow),
          storeOperation("Matches.advance", limit),
        ),
        finish: Effect.fn("Matches.finish")(
          (matchNumber: number, at: DateTime.Utc, status: FinalStatus, result: Schema.Json) =>
            Effect.map(updateToFinal({ matchNumber, at, status, result }), hasRow),
          storeOperation("Matches.finish", limit),
        ),
      })
    }),
  )
}

const NumberRow = Schema.Struct({ matchNumber: Counter })

const hasRow = (rows: ReadonlyArray<unknown>): boolean => rows.length > 0
