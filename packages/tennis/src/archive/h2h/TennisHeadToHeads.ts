/** Reads the matches between tennis players. `rules/archive/headToHead.ts` counts them. */
import { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import { orderText } from "@matchpoint/store/paging/cursor"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { ComparedPlayer } from "../../contract/http/data/headToHeadModels.ts"
import { TennisMatch } from "../../contract/http/data/matchModels.ts"
import { uncountedEndings } from "../../rules/archive/headToHead.ts"
import { isFinalText } from "../matches/matchFacts.ts"
import { matchesWhere, newestMatches } from "../matches/matchFilters.ts"
import { matchJsonText } from "../matches/matchJson.ts"
import { comparedJson, type Since } from "../players/playerJson.ts"

export interface MeetingFilter {
  readonly surface?: string | undefined
  readonly level?: string | undefined
  readonly yearFrom?: number | undefined
  readonly yearTo?: number | undefined
  readonly since: Since
}

/** `isFinal` is true for the final of a tournament; team competitions have none. */
const Meeting = Schema.Struct({ match: TennisMatch, isFinal: Schema.Boolean })
export type Meeting = typeof Meeting.Type

const PairWins = Schema.Struct({ winnerId: Schema.String, loserId: Schema.String, wins: Counter })
export type PairWins = typeof PairWins.Type

export class TennisHeadToHeads extends Context.Service<
  TennisHeadToHeads,
  {
    /** Players in the order of the ids. Unknown ids are left out. */
    readonly players: (ids: ReadonlyArray<string>, since: Since) => Effect.Effect<ReadonlyArray<ComparedPlayer>, StoreError>
    /** Singles matches that fit the filter, newest first. */
    readonly meetings: (player1: string, player2: string, filter: MeetingFilter) => Effect.Effect<ReadonlyArray<Meeting>, StoreError>
    /** Wins between the players from the day `since` on. Pairs without a win are left out. */
    readonly wins: (ids: ReadonlyArray<string>, since: Since) => Effect.Effect<ReadonlyArray<PairWins>, StoreError>
  }
>()("@matchpoint/tennis/archive/h2h/TennisHeadToHeads") {
  static readonly layer = Layer.effect(
    TennisHeadToHeads,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const selectPlayers = (ids: ReadonlyArray<string>, since: Since) =>
        players(sql`
          SELECT ${comparedJson(sql, "p", since)} AS row
          FROM unnest(${[...ids]}::text[]) WITH ORDINALITY AS wanted (player_id, place)
          JOIN tennis_player_summaries p ON p.player_id = wanted.player_id ORDER BY wanted.place`)

      const selectMeetings = (playerId: string, opponentId: string, { level, since, surface, yearFrom, yearTo }: MeetingFilter) =>
        matches(sql`
          SELECT json_build_object('match', ${sql.literal(matchJsonText("m"))}, 'isFinal', ${sql.literal(isFinalText("m"))}) AS row
          FROM tennis_matches m
          WHERE ${matchesWhere(sql, { playerId, opponentId, surface, level, since })}
            ${yearFrom === undefined ? sql.literal("") : sql`AND m.match_date >= ${`${yearFrom}-01-01`}::date`}
            ${yearTo === undefined ? sql.literal("") : sql`AND m.match_date <= ${`${yearTo}-12-31`}::date`}
          ORDER BY ${sql.literal(orderText(newestMatches))}`)

      // Each pair is looked up by the index of pairs. A condition with both lists would read all matches of the winners.
      const selectWins = (ids: ReadonlyArray<string>, since: Since) =>
        Effect.flatMap(
          sql`
            SELECT w.player_id AS "winnerId", l.player_id AS "loserId", met.wins
            FROM unnest(${[...ids]}::text[]) AS w (player_id)
            JOIN unnest(${[...ids]}::text[]) AS l (player_id) ON l.player_id <> w.player_id
            CROSS JOIN LATERAL (
              SELECT count(*) AS wins FROM tennis_matches m
              WHERE m.winner_id = w.player_id AND m.loser_id = l.player_id AND m.ending NOT IN ${sql.in(uncountedEndings)}
                ${since === undefined ? sql.literal("") : sql`AND m.match_date >= ${since}::date`}) AS met
            WHERE met.wins > 0`,
          decodeWins,
        )

      return TennisHeadToHeads.of({
        players: storeFn("TennisHeadToHeads.players", timeout, selectPlayers),
        meetings: storeFn("TennisHeadToHeads.meetings", timeout, selectMeetings),
        wins: storeFn("TennisHeadToHeads.wins", timeout, selectWins),
      })
    }),
  )
}

const players = rowsOf(ComparedPlayer)
const matches = rowsOf(Meeting)
const decodeWins = Schema.decodeUnknownEffect(Schema.Array(PairWins))
