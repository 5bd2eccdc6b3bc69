/** SQL that finds players by a text. Similar names are found by the SQL function `tennis_similar_players`. */
import type { PgClient } from "@effect/sql-pg"
import type { Tour } from "@matchpoint/domain/tennis/archive/archiveRows"
import type { NicknameHit } from "@matchpoint/domain/tennis/archive/nicknames"
import type { Fragment } from "effect/sql/Statement"
import { nameBegins, playersCalled, playersNamed } from "./playerFilters.ts"

interface SearchedPlayer {
  readonly words: ReadonlyArray<string>
  readonly nicknames: ReadonlyArray<NicknameHit>
  readonly tour: Tour | undefined
  readonly limit: number
}

/** Similar names are searched only if fewer players than this are found otherwise. */
const ENOUGH = 5
/** Shortest text for which similar names are searched. Shorter texts are similar to too many names. */
const SHORTEST_SIMILAR = 3

/** A text shorter than this begins words of too many names, so it finds only famous players. */
const SHORTEST_BEGINNING = 3
/** Number of players that count as famous. */
const FAMOUS = 2_000

/** How well each kind of hit fits. Scores of similar names are below all others. */
const scores = { wholeName: 1, nickname: 0.97, singleName: 0.95, prefix: 0.8, nicknameBeginning: 0.75, similar: 0.7 } as const

/**
 * Returns a WITH clause whose table `hits` has the columns `player_id`, `match` and `score`, one row per player. It has
 * more rows than `limit`, so that the caller can choose the best ones.
 */
export const playerHits = (sql: PgClient.PgClient, { limit, nicknames, tour, words }: SearchedPlayer): Fragment => {
  const text = words.join(" ")
  const ofTour = tour === undefined ? sql.literal("true") : sql`tour = ${tour}`
  const called =
    nicknames.length === 0
      ? sql.literal("false")
      : sql.or(nicknames.map((nickname) => sql`(tour = ${nickname.tour} AND words = ${nickname.words})`))
  const whole = nicknames.filter(({ isWhole }) => isWhole).map((nickname) => nickname.words)
  // A few players have only one name in the archive. They are no better hits than players with this last name.
  const wholeName = words.length > 1 ? scores.wholeName : scores.singleName
  const similar = text.length < SHORTEST_SIMILAR ? sql.literal("false") : sql`(SELECT count(*) FROM sure) < ${ENOUGH}`
  return sql`
    WITH exact AS MATERIALIZED (
      SELECT player_id, 'exact' AS match, CASE WHEN words = ${text} THEN ${wholeName}::numeric ELSE ${scores.singleName} END AS score
      FROM ${playersCalled(sql, text)} AS named WHERE ${ofTour}
      ORDER BY score DESC, fame DESC, player_id LIMIT ${limit}
    ), called AS (
      SELECT player_id, 'nickname' AS match,
        CASE WHEN words = ANY(${whole}::text[]) THEN ${scores.nickname}::numeric ELSE ${scores.nicknameBeginning} END AS score
      FROM tennis_player_summaries WHERE (${called}) AND ${ofTour}
    ), begun AS MATERIALIZED (
      SELECT player_id, 'prefix' AS match, ${scores.prefix}::numeric AS score
      FROM ${text.length < SHORTEST_BEGINNING ? famousNamed(sql, words) : playersNamed(sql, words)} AS named WHERE ${ofTour}
      ORDER BY fame DESC, player_id LIMIT ${limit}
    ), sure AS MATERIALIZED (
      SELECT DISTINCT ON (player_id) player_id, match, score
      FROM (SELECT * FROM exact UNION ALL SELECT * FROM called UNION ALL SELECT * FROM begun) AS found
      ORDER BY player_id, score DESC
    ), hits AS (
      SELECT player_id, match, score FROM sure
      UNION ALL
      SELECT s.player_id, 'fuzzy', round((s.similarity * ${scores.similar})::numeric, 2)
      FROM (SELECT WHERE ${similar}) AS few
      CROSS JOIN LATERAL tennis_similar_players(${text}, ${tour ?? null}::text, ${limit}::integer) AS s
      WHERE NOT EXISTS (SELECT FROM sure WHERE sure.player_id = s.player_id)
    )`
}

/** Returns a subselect of the famous players with words that begin with the words of a text. */
const famousNamed = (sql: PgClient.PgClient, words: ReadonlyArray<string>): Fragment =>
  sql`(SELECT * FROM (SELECT * FROM tennis_player_summaries ORDER BY fame DESC, player_id DESC LIMIT ${sql.literal(String(FAMOUS))}) AS famous
    WHERE ${nameBegins(sql, words)})`
