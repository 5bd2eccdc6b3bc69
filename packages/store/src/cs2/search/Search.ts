/**
 * Finds entities by name, as the function `cs2_find` ranks them, and the matches of those that were found. The words that it looks at
 * are `ArchiveWriter`'s.
 */
import { PgClient } from "@effect/sql-pg"
import { Found } from "@matchpoint/contracts/http/cs2/data/endpoints/SearchApi"
import { searchKey } from "@matchpoint/domain/cs2/archive/names"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { OperationTimeout, type StoreError, storeOperation } from "../../StoreError.ts"
import { eventJson, matchJoins, matchJson, playerJson, teamJson } from "../fragments.ts"
import { settledText } from "../settled.ts"

export interface Question {
  readonly text: string
  /** Of each kind. */
  readonly limit: number
  /** Matches and events that ended before are not shown; undefined: all are. */
  readonly since: Date | undefined
}

export class Search extends Context.Service<
  Search,
  {
    /** Text without a letter, digit or sign finds nothing. `team vs team` finds the matches of the two. */
    readonly find: (question: Question) => Effect.Effect<Found, StoreError>
  }
>()("@matchpoint/store/cs2/search/Search") {
  static readonly layer = Layer.effect(
    Search,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const find = (words: Words) =>
        isSpoken.test(words.spoken)
          ? sql`SELECT * FROM cs2_find(${words.spoken}, ${words.joined}::text, ${like(words.spoken)}, ${like(words.joined)}::text, ${CANDIDATES})`
          : // No index leads to a part of what is nothing but signs.
            sql`SELECT entity_type, entity_number, 4 AS tier, 1::bigint AS place FROM cs2_search WHERE words = ${words.spoken}`

      /** Whose matches are shown: similar names only where nothing is better. */
      const best = (found: string, type = "team") =>
        sql.literal(`SELECT b.* FROM ${found} b WHERE b.entity_type IN ('team', '${type}') AND b.place <= ${SUBJECTS}
          AND b.tier >= least(2, (SELECT max(tier) FROM ${found} WHERE entity_type IN ('team', 'event')))`)

      /** What `found` has, and the `best` of it. */
      const byName = (words: Words) => sql`
        found AS MATERIALIZED (${find(words)}), best AS MATERIALIZED (${best("found", "event")})`

      /** The teams of both sides, and who has the whole text for a name: there are tournaments with a dash. */
      const bySides = (words: Words, [one, other]: Sides) => sql`
        named AS MATERIALIZED (SELECT * FROM (${find(words)}) f WHERE f.tier > 1), best AS MATERIALIZED (${best("named", "event")}),
        found1 AS MATERIALIZED (${find(one)}), side1 AS MATERIALIZED (${best("found1")}),
        found2 AS MATERIALIZED (${find(other)}), side2 AS MATERIALIZED (${best("found2")}),
        found AS MATERIALIZED (
          SELECT f.entity_type, f.entity_number, min(f.place) AS place
          FROM (SELECT * FROM named UNION ALL SELECT * FROM side1 UNION ALL SELECT * FROM side2) f GROUP BY f.entity_type, f.entity_number)`

      /** The newest of each of the best by its own index; nobody's thousands of matches are sorted. */
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

      /** Announced, or over for everybody: what is live is the live section's. */
      const shown = ({ since }: Question) =>
        sql.and([
          sql.literal(`(s.status = 'upcoming' OR (${settledText("s")}))`),
          ...(since === undefined ? [] : [sql`s.starts_at >= ${since}`]),
        ])

      /** Everything by one statement, whose plan a session keeps; looked up one after the other, most of the time went into planning. */
      const ask = (words: Words, sides: Sides | undefined, question: Question) => {
        /** Those of one kind, as JSON, in their places. */
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
        find: Effect.fn("Search.find")(
          function* (question) {
            const words = wordsOf(question.text)
            if (words.spoken === "") return { teams: [], players: [], events: [], matches: [] }
            return yield* Effect.catchTag(ask(words, sidesOf(question.text), question), "NoSuchElementError", Effect.die)
          },
          storeOperation("Search.find", limit),
        ),
      })
    }),
  )
}

/** Ranked for each kind before those are left out that the plan does not see. */
const CANDIDATES = 100
/** Teams and events whose matches are looked for. */
const SUBJECTS = 3

const isSpoken = /[\p{L}\p{N}]/u

interface Words {
  /** With gaps where they are spoken. */
  readonly spoken: string
  /** Null: there are no gaps. */
  readonly joined: string | null
}

type Sides = readonly [Words, Words]

const wordsOf = (text: string): Words => {
  const words = searchKey(text).split(" ")
  return words.length === 1
    ? { spoken: words[0] ?? "", joined: null }
    : { spoken: words.slice(0, -1).join(" "), joined: words.at(-1) ?? null }
}

/** `navi vs faze`, `navi - faze`. Undefined: it is no such question. */
const sidesOf = (text: string): Sides | undefined => {
  const [one, other, ...more] = text.split(/\s+(?:vs?\.?|versus|[-–—])\s+/iu).map(wordsOf)
  if (one === undefined || other === undefined || more.length > 0 || one.spoken === "" || other.spoken === "") return undefined
  return [one, other]
}

function like(text: string): string
function like(text: string | null): string | null
function like(text: string | null): string | null {
  return text === null ? null : text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)
}
