/**
 * Register of the matches of all games: numbers, teams, configuration and, after `finish`, the result. Match numbers
 * start at 1001 for each game. The live state of a match is not here but in the event logs.
 */
import { randomBytes } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { type GameName, gameOfMatch, MatchId, matchNumber } from "@matchpoint/domain/ids"
import { Context, type DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeFn, storeOperation } from "../StoreError.ts"

export const MatchStatus = Schema.Literals(["scheduled", "live", "completed", "cancelled"])
export type MatchStatus = typeof MatchStatus.Type

export const FinalStatus = Schema.Literals(["completed", "cancelled"])
export type FinalStatus = typeof FinalStatus.Type

export const MatchTeam = Schema.Struct({ id: Schema.String, name: Schema.String })
export type MatchTeam = typeof MatchTeam.Type

export const MatchRegistration = Schema.Struct({
  bestOf: Schema.Int,
  team1: MatchTeam,
  team2: MatchTeam,
  /** Its schema is defined by the feed of the game. */
  config: Schema.Json,
})
export type MatchRegistration = typeof MatchRegistration.Type

/** A registration with the same key or external id is a repetition. */
export interface RegistrationIdentity {
  /** The client's `Idempotency-Key`. */
  readonly key: string | undefined
  /** The match's id in the client's system. */
  readonly externalId: string | undefined
  /** SHA-256 of the content. A repetition has the same one. */
  readonly hash: Uint8Array
}

export type RegistrationResult =
  /** `Repeated`: registered before, with the same content. `tokenSalt` has 16 random bytes that never change. */
  | { readonly _tag: "Registered" | "Repeated"; readonly matchId: MatchId; readonly tokenSalt: Uint8Array }
  /** The key or the external id belongs to this match, whose registration has other content. */
  | { readonly _tag: "OtherContent"; readonly matchId: MatchId }

export const RegisteredMatch = Schema.Struct({
  matchId: MatchId,
  status: MatchStatus,
  ...MatchRegistration.fields,
  createdAt: Schema.DateTimeUtcFromDate,
  startedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  endedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Null until the match has ended. Its schema is defined by the match service of the game. */
  result: Schema.NullOr(Schema.Json),
})
export type RegisteredMatch = typeof RegisteredMatch.Type

/** Columns of a {@link RegisteredMatch}. */
export const registeredColumns = `
  game || '-match-' || match_number AS "matchId", status, best_of AS "bestOf",
  jsonb_build_object('id', team1_id, 'name', team1_name) AS team1,
  jsonb_build_object('id', team2_id, 'name', team2_name) AS team2,
  config, created_at AS "createdAt", started_at AS "startedAt", ended_at AS "endedAt", result`

/** An open result, an object with `isOpen: true`, can still change. */
export const isOpenResult = (result: Schema.Json | null): boolean =>
  typeof result === "object" && result !== null && "isOpen" in result && result["isOpen"] === true

export class Matches extends Context.Service<
  Matches,
  {
    /** Numbers are never reused. A failed registration may leave a gap in the sequence. */
    readonly register: (game: GameName, registration: MatchRegistration) => Effect.Effect<MatchId, StoreError>
    /** Registers a match unless its key or its external id is registered already. Of several processes, one registers it. */
    readonly registerOnce: (
      game: GameName,
      registration: MatchRegistration,
      identity: RegistrationIdentity,
    ) => Effect.Effect<RegistrationResult, StoreError>
    readonly find: (matchId: MatchId) => Effect.Effect<Option.Option<RegisteredMatch>, StoreError>
    /** Scheduled and live matches, lowest number first. */
    readonly listActive: (game: GameName) => Effect.Effect<ReadonlyArray<RegisteredMatch>, StoreError>
    /** The matches of all games that a process must run: scheduled, live, or ended with an open result. */
    readonly listUnsettled: Effect.Effect<ReadonlyArray<MatchId>, StoreError>
    /** Returns true if this call changed a scheduled match to live. A match that is already live keeps its start time. */
    readonly markLive: (matchId: MatchId, at: DateTime.Utc) => Effect.Effect<boolean, StoreError>
    /**
     * Stores how many maps or sets each side of a live match has won. Returns true if this call changed the numbers.
     * Numbers whose sum is not higher are ignored; they may come from the process that ran the match before.
     */
    readonly advance: (matchId: MatchId, partsWon: readonly [number, number]) => Effect.Effect<boolean, StoreError>
    /** Returns true if this call ended the match. Afterwards, only `settle` can change the stored result. */
    readonly finish: (matchId: MatchId, at: DateTime.Utc, status: FinalStatus, result: Schema.Json) => Effect.Effect<boolean, StoreError>
    /**
     * Replaces an open result and marks the match to be written to the game's archive again. Returns true if this call
     * replaced it. Final results are never replaced.
     */
    readonly settle: (matchId: MatchId, result: Schema.Json) => Effect.Effect<boolean, StoreError>
  }
>()("@matchpoint/store/live/Matches") {
  static readonly layer = Layer.effect(
    Matches,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const columns = sql.literal(registeredColumns)

      const insert = SqlSchema.findNonEmpty({
        Request: Schema.Struct({ game: Schema.String, ...MatchRegistration.fields }),
        Result: IdRow,
        execute: ({ game, bestOf, team1, team2, config }) => sql`
          INSERT INTO matches (game, match_number, best_of, team1_id, team1_name, team2_id, team2_name, config)
          VALUES (${game}, next_match_number(${game}), ${bestOf}, ${team1.id}, ${team1.name}, ${team2.id}, ${team2.name}, ${sql.json(config)})
          RETURNING game || '-match-' || match_number AS "matchId"`,
      })

      // Waits for a concurrent registration with the same key or external id.
      const insertOnce = SqlSchema.findOneOption({
        Request: Schema.Struct({ game: Schema.String, ...MatchRegistration.fields, ...IdentityRow.fields }),
        Result: IdRow,
        execute: ({ game, bestOf, team1, team2, config, ...identity }) => sql`
          INSERT INTO matches (
            game, match_number, best_of, team1_id, team1_name, team2_id, team2_name, config,
            registration_key, external_id, registration_hash, token_salt
          )
          VALUES (
            ${game}, next_match_number(${game}), ${bestOf}, ${team1.id}, ${team1.name}, ${team2.id}, ${team2.name}, ${sql.json(config)},
            ${identity.key}, ${identity.externalId}, ${identity.hash}, ${identity.tokenSalt}
          )
          ON CONFLICT DO NOTHING
          RETURNING game || '-match-' || match_number AS "matchId"`,
      })

      const selectRegistered = SqlSchema.findAll({
        Request: Schema.Struct({ game: Schema.String, key: Schema.NullOr(Schema.String), externalId: Schema.NullOr(Schema.String) }),
        Result: Schema.Struct({ ...IdRow.fields, hash: Schema.Uint8Array, tokenSalt: Schema.Uint8Array }),
        execute: ({ game, key, externalId }) => sql`
          SELECT game || '-match-' || match_number AS "matchId", registration_hash AS hash, token_salt AS "tokenSalt"
          FROM matches WHERE game = ${game} AND (registration_key = ${key} OR external_id = ${externalId})
          ORDER BY match_number`,
      })

      const registered = Effect.fnUntraced(function* (game: GameName, { externalId, hash, key }: RegistrationIdentity) {
        if (key === undefined && externalId === undefined) return undefined
        const [row, ...others] = yield* selectRegistered({ game, key: key ?? null, externalId: externalId ?? null })
        if (row === undefined) return undefined
        const { matchId, tokenSalt } = row
        const isSame = others.length === 0 && Buffer.compare(row.hash, hash) === 0
        return isSame ? ({ _tag: "Repeated", matchId, tokenSalt } as const) : ({ _tag: "OtherContent", matchId } as const)
      })

      const select = SqlSchema.findOneOption({
        Request: Key,
        Result: RegisteredMatch,
        execute: ({ game, number }) => sql`SELECT ${columns} FROM matches WHERE game = ${game} AND match_number = ${number}`,
      })

      const selectActive = SqlSchema.findAll({
        Request: Schema.String,
        Result: RegisteredMatch,
        execute: (game) => sql`
          SELECT ${columns} FROM matches WHERE game = ${game} AND status IN ('scheduled', 'live') ORDER BY match_number`,
      })

      const selectUnsettled = SqlSchema.findAll({
        Request: Schema.Void,
        Result: IdRow,
        execute: () => sql`
          SELECT game || '-match-' || match_number AS "matchId" FROM matches WHERE status IN ('scheduled', 'live')
          UNION ALL
          SELECT game || '-match-' || match_number FROM matches
          WHERE status IN ('completed', 'cancelled') AND result @> '{"isOpen": true}'::jsonb`,
      })

      const updateToLive = SqlSchema.findAll({
        Request: Schema.Struct({ ...Key.fields, at: Schema.DateTimeUtcFromDate }),
        Result: IdRow,
        execute: ({ game, number, at }) => sql`
          UPDATE matches SET status = 'live', started_at = ${at}, changed_at = now()
          WHERE game = ${game} AND match_number = ${number} AND status = 'scheduled'
          RETURNING game || '-match-' || match_number AS "matchId"`,
      })

      // `archived_status` is cleared because the new score has not been written to the archive yet.
      const updateParts = SqlSchema.findAll({
        Request: Schema.Struct({ ...Key.fields, one: Schema.Natural, two: Schema.Natural }),
        Result: IdRow,
        execute: ({ game, number, one, two }) => sql`
          UPDATE matches SET team1_parts = ${one}, team2_parts = ${two}, archived_status = NULL, changed_at = now()
          WHERE game = ${game} AND match_number = ${number} AND status = 'live'
            AND team1_parts + team2_parts < ${one}::integer + ${two}::integer
          RETURNING game || '-match-' || match_number AS "matchId"`,
      })

      const updateToFinal = SqlSchema.findAll({
        Request: Schema.Struct({ ...Key.fields, at: Schema.DateTimeUtcFromDate, status: FinalStatus, result: Schema.Json }),
        Result: IdRow,
        execute: ({ game, number, at, status, result }) => sql`
          UPDATE matches SET status = ${status}, ended_at = ${at}, result = ${sql.json(result)}, changed_at = now()
          WHERE game = ${game} AND match_number = ${number} AND status IN ('scheduled', 'live')
          RETURNING game || '-match-' || match_number AS "matchId"`,
      })

      const updateOpen = SqlSchema.findAll({
        Request: Schema.Struct({ ...Key.fields, result: Schema.Json }),
        Result: IdRow,
        execute: ({ game, number, result }) => sql`
          UPDATE matches SET result = ${sql.json(result)}, archived_status = NULL, changed_at = now()
          WHERE game = ${game} AND match_number = ${number} AND status IN ('completed', 'cancelled') AND result @> '{"isOpen": true}'::jsonb
          RETURNING game || '-match-' || match_number AS "matchId"`,
      })

      return Matches.of({
        register: storeFn("Matches.register", limit, (game: GameName, registration: MatchRegistration) =>
          insert({ game, ...registration }).pipe(
            // A bug if empty: INSERT ... RETURNING returns a row or fails.
            Effect.catchTag("NoSuchElementError", Effect.die),
            Effect.map(([row]) => row.matchId),
          ),
        ),
        registerOnce: storeFn(
          "Matches.registerOnce",
          limit,
          function* (game: GameName, registration: MatchRegistration, identity: RegistrationIdentity) {
            const before = yield* registered(game, identity)
            if (before !== undefined) return before
            const tokenSalt = randomBytes(16)
            const { externalId = null, hash, key = null } = identity
            const inserted = yield* insertOnce({ game, ...registration, key, externalId, hash, tokenSalt })
            if (Option.isSome(inserted)) return { _tag: "Registered" as const, matchId: inserted.value.matchId, tokenSalt }
            // Another process has registered the match in the meantime.
            const other = yield* registered(game, identity)
            return other ?? (yield* Effect.die(new Error("a registration conflicts with none")))
          },
        ),
        find: Effect.fn("Matches.find")((matchId: MatchId) => select(keyOf(matchId)), storeOperation("Matches.find", limit)),
        listActive: Effect.fn("Matches.listActive")((game: GameName) => selectActive(game), storeOperation("Matches.listActive", limit)),
        listUnsettled: selectUnsettled(undefined).pipe(
          Effect.map((rows) => rows.map(({ matchId }) => matchId)),
          storeOperation("Matches.listUnsettled", limit),
        ),
        markLive: storeFn("Matches.markLive", limit, (matchId: MatchId, at: DateTime.Utc) =>
          Effect.map(updateToLive({ ...keyOf(matchId), at }), hasRow),
        ),
        advance: storeFn("Matches.advance", limit, (matchId: MatchId, [one, two]: readonly [number, number]) =>
          Effect.map(updateParts({ ...keyOf(matchId), one, two }), hasRow),
        ),
        finish: storeFn("Matches.finish", limit, (matchId: MatchId, at: DateTime.Utc, status: FinalStatus, result: Schema.Json) =>
          Effect.map(updateToFinal({ ...keyOf(matchId), at, status, result }), hasRow),
        ),
        settle: storeFn("Matches.settle", limit, (matchId: MatchId, result: Schema.Json) =>
          Effect.map(updateOpen({ ...keyOf(matchId), result }), hasRow),
        ),
      })
    }),
  )
}

const IdentityRow = Schema.Struct({
  key: Schema.NullOr(Schema.String),
  externalId: Schema.NullOr(Schema.String),
  hash: Schema.Uint8Array,
  tokenSalt: Schema.Uint8Array,
})

const IdRow = Schema.Struct({ matchId: MatchId })

const Key = Schema.Struct({ game: Schema.String, number: Counter })

const keyOf = (matchId: MatchId) => ({ game: gameOfMatch(matchId), number: matchNumber(matchId) })

const hasRow = (rows: ReadonlyArray<unknown>): boolean => rows.length > 0
