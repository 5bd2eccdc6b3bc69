/**
 * Finds players by a text. The relevance of a hit is the sum of how well the text fits its name and of the weight of the
 * player, the logarithm of its career. So the first name of a famous player stands before the equal last name of an
 * unknown one. Hits with equal relevance are ordered by id.
 */
import type { PgClient } from "@effect/sql-pg"
import { readings } from "@matchpoint/domain/names/foldName"
import { otherGivenNames } from "@matchpoint/domain/names/givenNames"
import type { Fragment } from "effect/sql/Statement"
import type { Tour } from "../../rules/archive/archiveRows.ts"
import { playersByNickname } from "../../rules/archive/nicknames.ts"

interface SearchedPlayer {
  readonly text: string
  readonly tour: Tour | undefined
  readonly offset: number
  readonly limit: number
}

/**
 * How well each kind of hit fits, in steps of the weight: at a difference of 1, the better fitting player stands first
 * unless the other one has 2.7 times its career. A similar name has `similar` plus four times its similarity.
 */
const fits = { wholeName: 4, nickname: 4, lastName: 3, words: 2.5, givenName: 1, beginnings: 0, similar: -8 } as const

/** Lowest and highest sum of weight and fit, from which the score between 0 and 1 is computed. */
const range = { low: -6, high: 13.5 } as const

/** Similar names are searched only if fewer players than this are found otherwise. */
const ENOUGH = 5
/** Shortest text for which similar names are searched. Shorter texts are similar to too many names. */
const SHORTEST_SIMILAR = 3

/** A shorter word begins too many names, so it finds whole words, and beginnings of famous names. */
const SHORTEST_BEGINNING = 3
const FAMOUS = 2_000

/**
 * WITH clause whose table `hits` has the columns `player_id`, `match`, `score` and `place`, one row per player of the
 * page. Undefined if the text has no words.
 */
export const playerHits = (sql: PgClient.PgClient, { limit, offset, text, tour }: SearchedPlayer): Fragment | undefined => {
  const read = readings(text)
  const [first] = read
  if (first === undefined) return undefined
  const spoken = first.join(" ")
  const nicknames = read.flatMap((words) => playersByNickname(words))
  const ofTour = tour === undefined ? sql.literal("true") : sql`n.tour = ${tour}`
  const similar = spoken.length < SHORTEST_SIMILAR ? sql.literal("false") : sql`(SELECT count(*) FROM sure) < ${ENOUGH}`
  const most = offset + limit
  return sql`
    WITH found AS (
      ${unionAll(sql, [
        ...read.flatMap((words) => readHits(sql, words, ofTour)),
        ...nicknames.map(
          (hit) => sql`
            (SELECT n.player_id, n.weight, ${hit.isWhole ? fits.nickname : fits.beginnings}::real AS fit, 'nickname' AS match
            FROM tennis_player_names n WHERE n.name = ${hit.words} AND n.tour = ${hit.tour} AND ${ofTour} ORDER BY n.weight DESC, n.player_id LIMIT 1)`,
        ),
      ])}
    ), sure AS MATERIALIZED (
      SELECT player_id, match, relevance FROM (
        SELECT DISTINCT ON (player_id) player_id, match, fit + weight AS relevance FROM found ORDER BY player_id, fit DESC, match
      ) AS best ORDER BY relevance DESC, player_id LIMIT ${most}
    ), all_hits AS (
      SELECT player_id, match, relevance FROM sure
      UNION ALL
      SELECT s.player_id, 'fuzzy', ${fits.similar}::real + 4 * s.similarity + s.weight
      FROM (SELECT WHERE ${similar}) AS few
      CROSS JOIN LATERAL tennis_names_similar(${spoken}, ${tour ?? null}::text, ${most}::integer) AS s
      WHERE NOT EXISTS (SELECT FROM sure WHERE sure.player_id = s.player_id)
    ), hits AS (
      SELECT player_id, match, row_number() OVER (ORDER BY relevance DESC, player_id) AS place,
        round(greatest(0, least(1, (relevance - ${range.low}) / ${range.high - range.low}))::numeric, 3) AS score
      FROM all_hits ORDER BY relevance DESC, player_id LIMIT ${limit} OFFSET ${offset}
    )`
}

/** Ids of players whose names have words that begin with the words of a text. */
export const playersNamed = (sql: PgClient.PgClient, text: string): Fragment => {
  const read = readings(text)
  return read.length === 0
    ? sql`SELECT NULL::text AS player_id WHERE false`
    : unionAll(
        sql,
        read.map(
          (words) => sql`
            SELECT n.player_id FROM tennis_names_like(ARRAY[${begun(driverOf(words))}]) n
            WHERE ${sql.and(words.map((word) => sql`n.words LIKE ${begun(word)}`))}`,
        ),
      )
}

/** The SELECTs for one reading of a text. */
const readHits = (sql: PgClient.PgClient, words: ReadonlyArray<string>, ofTour: Fragment): ReadonlyArray<Fragment> => {
  const text = words.join(" ")
  const driver = driverOf(words)
  // The words in their order, and with the last name first.
  const orders = words.map((_, at) => [...words.slice(at), ...words.slice(0, at)].join(" "))
  const others = (word: string) => otherGivenNames(word).map(whole)
  const isBegun = sql.and(words.map((word) => sql`n.words LIKE ${begun(word)}`))
  const isMeant = sql.and(
    words.map((word) =>
      others(word).length === 0
        ? sql`n.words LIKE ${begun(word)}`
        : sql`(n.words LIKE ${begun(word)} OR n.words LIKE ANY (${others(word)}::text[]))`,
    ),
  )
  const hits = (from: Fragment, condition: Fragment) => sql`
    SELECT n.player_id, n.weight, f.fit, CASE WHEN f.fit >= ${fits.lastName} THEN 'exact' WHEN f.fit = ${fits.givenName} THEN 'nickname' ELSE 'prefix' END AS match
    FROM ${from} n CROSS JOIN LATERAL (SELECT (CASE
      WHEN n.name = ANY (${orders}::text[]) THEN ${words.length > 1 ? fits.wholeName : fits.lastName}::real
      WHEN n.name LIKE ${`% ${text}`} THEN ${fits.lastName}
      WHEN ${sql.and(words.map((word) => sql`n.words LIKE ${whole(word)}`))} THEN ${fits.words}
      WHEN ${isBegun} THEN ${fits.beginnings}
      ELSE ${fits.givenName} END)::real AS fit) AS f
    WHERE ${condition} AND ${ofTour}`
  const likeAny = (patterns: ReadonlyArray<string>) => sql`tennis_names_like(${patterns}::text[])`
  const famous = sql`(SELECT * FROM tennis_player_names ORDER BY weight DESC, player_id LIMIT ${sql.literal(String(FAMOUS))})`
  return driver.length < SHORTEST_BEGINNING
    ? [hits(likeAny([whole(driver)]), isBegun), hits(famous, isBegun)]
    : [hits(likeAny([begun(driver)]), isMeant), ...(others(driver).length === 0 ? [] : [hits(famous, isMeant)])]
}

/**
 * The word that the index searches: the longest one, preferably without other given names. Players with another given
 * name than such a word are found only if they are famous, because each of these names is common.
 */
const driverOf = (words: ReadonlyArray<string>): string => {
  const rare = words.filter((word) => word.length >= SHORTEST_BEGINNING && otherGivenNames(word).length === 0)
  return longestOf(rare.length === 0 ? words : rare)
}

const longestOf = (words: ReadonlyArray<string>): string => words.reduce((one, other) => (other.length >= one.length ? other : one), "")

const whole = (word: string): string => `% ${literally(word)} %`
const begun = (word: string): string => `% ${literally(word)}%`
const literally = (text: string): string => text.replace(/[\\%_]/gu, "\\$&")

const unionAll = (sql: PgClient.PgClient, [first = sql``, ...rest]: ReadonlyArray<Fragment>): Fragment =>
  rest.reduce((so, next) => sql`${so} UNION ALL ${next}`, first)
