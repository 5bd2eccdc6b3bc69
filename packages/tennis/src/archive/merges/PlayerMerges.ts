/**
 * Merges players who are in the archive twice. The id of the merged player leads to the remaining one, now and after
 * later imports. Counts of players by circuit, season boards and record champions follow with the next import.
 */
import { PgClient } from "@effect/sql-pg"
import { holdUntilCommit } from "@matchpoint/store/database/advisoryLock"
import { OperationTimeout, StoreError, storeEffect, storeFn } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { yearColumns, yearsOfPlayer } from "../players/playerYears.ts"
import { careerText } from "../rankings/rankingSummaries.ts"
import { playerNames } from "../summaries/playerNames.ts"
import { playerSummaries, playerTotals } from "../summaries/playerSummaries.ts"
import { candidatesText } from "./candidates.ts"
import { movePlayers } from "./movePlayers.ts"

/** `message` states why the merge is not possible and what to do. */
export class MergeRejected extends Schema.TaggedError<MergeRejected>()("MergeRejected", {
  kind: Schema.Literals(["unknown_player", "conflict"]),
  message: Schema.String,
}) {}

export interface PlayerMerge {
  /** Player to remove. `into` is the player that remains. */
  readonly player: string
  readonly into: string
}

export const MergeCandidate = Schema.Struct({
  tour: Schema.Literals(["atp", "wta"]),
  name: Schema.String,
  birthDate: Schema.String,
  country: Schema.String,
  playerId: Schema.String,
  matches: Schema.Natural,
  intoId: Schema.String,
  intoMatches: Schema.Natural,
  /** Reason against the merge. Null if the candidate is certain. */
  against: Schema.NullOr(
    Schema.Literals(["several_namesakes", "have_met", "same_ranking_list", "same_tournament", "uncertain_birth_date"]),
  ),
})
export type MergeCandidate = typeof MergeCandidate.Type

export class PlayerMerges extends Context.Service<
  PlayerMerges,
  {
    readonly merge: (
      merge: PlayerMerge,
      author: { readonly actor: string; readonly reason: string | null },
    ) => Effect.Effect<PlayerMerge, StoreError | MergeRejected>
    /** Pairs of players who may be one, certain ones first. Reads all players, which takes about a second. */
    readonly candidates: Effect.Effect<ReadonlyArray<MergeCandidate>, StoreError>
    /** The remaining player of each merged player among the given ids. */
    readonly currentOf: (playerIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, string>, StoreError>
    /** Applies all merges to rows of an import. Call it before the summaries are computed. */
    readonly reapply: Effect.Effect<void, StoreError>
  }
>()("@matchpoint/tennis/archive/merges/PlayerMerges") {
  static readonly layer = Layer.effect(
    PlayerMerges,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const known = SqlSchema.findAll({
        Request: Schema.Array(Schema.String),
        Result: Schema.Struct({ id: Schema.String, tour: Schema.Literals(["atp", "wta"]), name: Schema.String }),
        execute: (ids) => sql`SELECT player_id AS id, tour, name FROM tennis_player_summaries WHERE player_id IN ${sql.in(ids)}`,
      })

      /** Facts that show that two players are not one, as texts. */
      const conflicts = SqlSchema.findAll({
        Request: Schema.Struct({ player: Schema.String, into: Schema.String }),
        Result: Schema.Struct({ fact: Schema.String }),
        execute: ({ into, player }) => sql`
          (SELECT 'they played each other in the match ' || match_id AS fact FROM tennis_matches
            WHERE (winner_id, loser_id) IN ((${player}::text, ${into}::text), (${into}::text, ${player}::text)) LIMIT 1)
          UNION ALL (SELECT 'both are in the ranking list of ' || one.ranking_date FROM tennis_rankings one JOIN tennis_rankings other USING (ranking_date)
            WHERE one.player_id = ${player} AND other.player_id = ${into} LIMIT 1)`,
      })

      const current = SqlSchema.findAll({
        Request: Schema.Array(Schema.String),
        Result: Schema.Struct({ player: Schema.String, into: Schema.String }),
        execute: (ids) => sql`SELECT player_id AS player, into_id AS into FROM tennis_player_merges WHERE player_id IN ${sql.in(ids)}`,
      })

      const missing = Effect.fnUntraced(function* (id: string) {
        const [row] = yield* current([id])
        return yield* row === undefined
          ? rejected("unknown_player", `no player has the id ${id}; GET /api/v1/tennis/players/search?q=<name> finds ids`)
          : rejected("conflict", `${id} was merged into ${row.into}; use this id instead`)
      })

      const merge = Effect.fnUntraced(function* (
        { into, player }: PlayerMerge,
        author: { readonly actor: string; readonly reason: string | null },
      ) {
        const found = yield* known([player, into])
        const [gone, kept] = [player, into].map((id) => found.find((one) => one.id === id))
        if (gone === undefined || kept === undefined) return yield* missing(gone === undefined ? player : into)
        if (player === into) return yield* rejected("conflict", "a player cannot be merged into itself")
        if (gone.tour !== kept.tour) return yield* rejected("conflict", "the two players belong to different tours")
        const [conflict] = yield* conflicts({ player, into })
        if (conflict !== undefined)
          return yield* rejected("conflict", `${gone.name} (${player}) and ${into} are two players: ${conflict.fact}`)
        yield* sql`
          INSERT INTO tennis_player_merges (player_id, into_id, player_name, reason, actor)
          VALUES (${player}, ${into}, ${gone.name}, ${author.reason}, ${author.actor})`
        yield* sql`UPDATE tennis_player_merges SET into_id = ${into} WHERE into_id = ${player}`
        yield* movePlayers(sql, player)
        yield* summarize(kept.tour, player, into)
        return { player, into }
      })

      const summarize = Effect.fnUntraced(function* (tour: "atp" | "wta", player: string, into: string) {
        const both = [player, into]
        for (const table of ["tennis_player_years", "tennis_ranking_careers"]) {
          yield* sql`DELETE FROM ${sql(table)} WHERE player_id IN ${sql.in(both)}`
        }
        yield* sql`INSERT INTO tennis_player_years (${sql.literal(yearColumns.join(", "))}) ${yearsOfPlayer(sql, into, "0001-01-01")}`
        yield* sql`
          INSERT INTO tennis_ranking_careers (player_id, weeks, first_date, last_date, best_rank, best_date, weeks_at_number_one)
          SELECT r.player_id, ${sql.literal(careerText)} FROM tennis_rankings r WHERE r.player_id = ${into} GROUP BY r.player_id`
        for (const column of ["champion_id", "finalist_id"]) {
          yield* sql`UPDATE tennis_tournaments SET ${sql(column)} = ${into} WHERE ${sql(column)} = ${player}`
        }
        for (const { update } of [playerSummaries, playerTotals, playerNames]) {
          yield* Effect.forEach(update(sql, { tour, playerIds: both, tournamentId: "", year: 0 }), (statement) => sql`${statement}`)
        }
      })

      const candidates = SqlSchema.findAll({
        Request: Schema.Void,
        Result: MergeCandidate,
        execute: () => sql`
          SELECT tour, name, birth_date::text AS "birthDate", country, player_id AS "playerId", matches, into_id AS "intoId",
            into_matches AS "intoMatches", against
          FROM (${sql.literal(candidatesText)}) found ORDER BY against NULLS FIRST, tour, name, player_id`,
      })

      return PlayerMerges.of({
        merge: Effect.fn("PlayerMerges.merge")((given, author) =>
          sql.withTransaction(Effect.andThen(holdUntilCommit(sql, "tennis.summaries"), merge(given, author))).pipe(
            Effect.timeout(timeout),
            Effect.mapError((error) =>
              error._tag === "MergeRejected" ? error : new StoreError({ operation: "PlayerMerges.merge", cause: error }),
            ),
          ),
        ),
        candidates: candidates().pipe(storeEffect("PlayerMerges.candidates", timeout)),
        currentOf: storeFn("PlayerMerges.currentOf", timeout, function* (playerIds) {
          return new Map(Array.from(playerIds.length === 0 ? [] : yield* current(playerIds), ({ into, player }) => [player, into]))
        }),
        reapply: Effect.andThen(holdUntilCommit(sql, "tennis.summaries"), movePlayers(sql, undefined)).pipe(
          sql.withTransaction,
          storeEffect("PlayerMerges.reapply", timeout),
        ),
      })
    }),
  )
}

const rejected = (kind: MergeRejected["kind"], message: string) => Effect.fail(new MergeRejected({ kind, message }))
