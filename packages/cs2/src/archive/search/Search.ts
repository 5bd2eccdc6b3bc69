/** Finds entities by name, and the matches of the found entities. The SQL function `cs2_find` ranks the results. */
import { PgClient } from "@effect/sql-pg"
import { foldName } from "@matchpoint/domain/names/foldName"
import { OperationTimeout, type StoreError, storeFn } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { Found } from "../../contract/http/data/endpoints/SearchApi.ts"
import { searchKey } from "../../rules/archive/names.ts"
import { eventJson, matchJoins, matchJson, playerJson, teamJson } from "../fragments.ts"
import { visibleResultSql } from "../visibleResults.ts"

export interface Question {
  readonly text: string
  /** Maximum number of results per type. */
  readonly limit: number
  /** Matches that started before this time and events that ended before it are excluded. */
  readonly since: Date | undefined
}

export class Search extends Context.Service<
  Search,
  {
    /** `team vs team` finds the matches between the two. A text without a letter, digit or symbol finds nothing. */
    readonly find: (question: Question) => Effect.Effect<Found, StoreError>
  }
>()("@matchpoint/cs2/archive/search/Search") {
  static readonly layer = Layer.effect(
    Search,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const find = (words: SearchWords) =>
        hasLetter.test(words.spaced)
          ? sql`SELECT * FROM cs2_find(${words.spaced}, ${words.joined}::text, ${like(words.spaced)}, ${like(words.joined)}::text, ${CANDIDATES})`
          : // Symbols have no trigrams, so a text made only of symbols must match the whole name.
            sql`SELECT entity_type, entity_number, 4 AS tier, 1::bigint AS place FROM cs2_search WHERE words = ${words.spaced}`

      /** Entities whose matches the result includes. Merely similar names count only if no name matches better. */
      const best = (found: string, type = "team") =>
        sql.literal(`SELECT b.* FROM ${found} b WHERE b.entity_type IN ('team', '${type}') AND b.place <= ${SUBJECTS}
          AND b.tier >= least(2, (SELECT max(tier) FROM ${found} WHERE entity_type IN ('team', 'event')))`)

      /** `found` has all entities whose name fits. Only the matches of the entities in `best` are listed. */
      const byName = (words: SearchWords) => sql`
        found AS MATERIALIZED (${find(words)}), best AS MATERIALIZED (${best("found", "event")})`

      /**
       * For two sides, such as `navi vs faze`. Also finds entities whose name contains the whole text, because some
       * tournament names contain a dash, which otherwise separates the two sides.
       */
      const bySides = (words: SearchWords, [one, other]: Sides) => sql`
        named AS MATERIALIZED (SELECT * FROM (${find(words)}) f WHERE f.tier > 1), best AS MATERIALIZED (${best("named", "event")}),
        found1 AS MATERIALIZED (${find(one)}), side1 AS MATERIALIZED (${best("found1")}),
        found2 AS MATERIALIZED (${find(other)}), side2 AS MATERIALIZED (${best("found2")}),
        found AS MATERIALIZED (
          SELECT f.entity_type, f.entity_number, min(f.place) AS place
          FROM (SELECT * FROM named UNION ALL SELECT * FROM side1 UNION ALL SELECT * FROM side2) f GROUP BY f.entity_type, f.entity_number)`

      /** The newest matches of each entity in `best`, read from an index in order: thousands would be slow to sort. */
      const newest = (type: "team" | "event", column: "team1_number" | "team2_number" | "event_number", question: Question) => sql`
        SELECT m.match_number, m.starts_at FROM best b CROSS JOIN LATERAL (
          SELECT s.match_number, s.starts_at FROM cs2_series s
          WHERE s.${sql.literal(column)} = b.entity_number AND ${shown(question)} ORDER BY s.starts_at DESC LIMIT ${question.limit}
        ) m WHERE b.entity_type = ${type}`

      const ofBest = (question: Question) => sql`
        ${newest("team", "team1_number", question)} UNION ALL ${newest("team", "team2_number", question)}
        UNION ALL ${newest("event", "event_number", question)}`

      const ofSides = (question: Question) => {
        const between = (home: string, away: string) => sql`
          SELECT s.match_number, s.starts_at FROM ${sql.literal(home)} home JOIN cs2_series s ON s.team1_number = home.entity_number
          WHERE s.team2_number IN (SELECT away.entity_number FROM ${sql.literal(away)} away) AND ${shown(question)}`
        return sql`${between("side1", "side2")} UNION ALL ${between("side2", "side1")}`
      }

      /** Upcoming matches, and matches whose result every plan may see. The live section of the API serves live ones. */
      const shown = ({ since }: Question) =>
        sql.and([
          sql.literal(`(s.status = 'upcoming' OR (${visibleResultSql("s")}))`),
          ...(since === undefined ? [] : [sql`s.starts_at >= ${since}`]),
        ])

      /** One statement, so that the session reuses its plan: separate ones spent most of their time on planning. */
      const searchAll = (words: SearchWords, sides: Sides | undefined, question: Question) => {
        const kind = (type: string, json: Fragment, table: Fragment) => sql`
          (SELECT coalesce(jsonb_agg(one.json ORDER BY one.place, one.entity_number), '[]') FROM (
            SELECT ${json} AS json, f.place, f.entity_number FROM found f JOIN ${table}
            WHERE f.entity_type = ${type} ORDER BY f.place, f.entity_number LIMIT ${question.limit}
          ) one)`
        const recent = question.since === undefined ? sql`` : sql`AND coalesce(e.ends_at >= ${question.since}, true)`
        return SqlSchema.findOne({
          Request: Schema.Void,
          Result: Found,
          execute: () => sql`
            WITH ${sides === undefined ? byName(words) : bySides(words, sides)},
            chosen AS MATERIALIZED (
              SELECT m.match_number FROM (${ofBest(question)} ${sides === undefined ? sql`` : sql`UNION ALL ${ofSides(question)}`}) m
              GROUP BY m.match_number, m.starts_at ORDER BY m.starts_at DESC, m.match_number DESC LIMIT ${question.limit})
            SELECT
              ${kind("team", teamJson(sql, "t"), sql`cs2_teams t ON t.team_number = f.entity_number`)} AS teams,
              ${kind("player", playerJson(sql, "p"), sql`cs2_players p ON p.player_number = f.entity_number`)} AS players,
              ${kind("event", eventJson(sql, "e"), sql`cs2_events e ON e.event_number = f.entity_number ${recent}`)} AS events,
              (SELECT coalesce(jsonb_agg(${matchJson(sql, "s", "t1", "t2", "e")} ORDER BY s.starts_at DESC, s.match_number DESC), '[]')
                FROM chosen JOIN cs2_series s USING (match_number) ${matchJoins(sql)}) AS matches`,
        })()
      }

      return Search.of({
        find: storeFn("Search.find", limit, function* (question) {
          const words = wordsOf(question.text)
          if (words.spaced === "") return { teams: [], players: [], events: [], matches: [] }
          return yield* Effect.catchTag(searchAll(words, sidesOf(question.text), question), "NoSuchElementError", Effect.die)
        }),
      })
    }),
  )
}

/** Ranked candidates per entity type. More than the returned results: the plan's time window removes some. */
const CANDIDATES = 100
/** Teams and events whose matches a search result includes. */
const SUBJECTS = 3

/** Texts in other letters are searched in Latin letters. */
const isAscii = /^[\x20-\x7e]*$/u
const hasLetter = /[\p{L}\p{N}]/u

interface SearchWords {
  /** The searched text after normalization, with spaces between words. */
  readonly spaced: string
  /** The searched text after normalization, without spaces. Null if the text is a single word. */
  readonly joined: string | null
}

type Sides = readonly [SearchWords, SearchWords]

const wordsOf = (text: string): SearchWords => {
  const words = searchKey(isAscii.test(text) ? text : foldName(text) || text).split(" ")
  return words.length === 1
    ? { spaced: words[0] ?? "", joined: null }
    : { spaced: words.slice(0, -1).join(" "), joined: words.at(-1) ?? null }
}

/** Splits a text such as `navi vs faze` or `navi - faze` into its two sides. Undefined for other texts. */
const sidesOf = (text: string): Sides | undefined => {
  const [one, other, ...more] = text.split(/\s+(?:vs?\.?|versus|[-–—])\s+/iu).map(wordsOf)
  if (one === undefined || other === undefined || more.length > 0 || one.spaced === "" || other.spaced === "") return undefined
  return [one, other]
}

function like(text: string): string
function like(text: string | null): string | null
function like(text: string | null): string | null {
  return text === null ? null : text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)
}
