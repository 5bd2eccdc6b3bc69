/**
 * Finds entities by name, as the function `cs2_find` ranks them, and the matches of those that were found. The words that it looks at
 * are `ArchiveWriter`'s.
 */
import { PgClient } from "@effect/sql-pg"
import { MatchSummary } from "@matchpoint/contracts/http/cs2/data/models"
import { Found } from "@matchpoint/contracts/http/cs2/data/SearchApi"
import { searchKey } from "@matchpoint/domain/cs2/archive/names"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"
import { eventJson, matchJoins, matchJson, playerJson, teamJson } from "./fragments.ts"

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
>()("@matchpoint/store/cs2/Search") {
  static readonly layer = Layer.effect(
    Search,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const find = (words: Words) =>
        sql`cs2_find(${words.spoken}, ${words.joined}, ${like(words.spoken)}, ${like(words.joined)}, ${CANDIDATES})`

      const names = (words: Words, { limit, since }: Question) => {
        /** Those of one kind, as JSON, in their places. */
        const kind = (type: string, json: Fragment, table: Fragment, condition: Fragment = sql`true`) => sql`
          (SELECT coalesce(jsonb_agg(one.json ORDER BY one.place), '[]') FROM (
            SELECT ${json} AS json, f.place FROM found f JOIN ${table}
            WHERE f.entity_type = ${type} AND ${condition} ORDER BY f.place LIMIT ${limit}
          ) one)`
        const recent = since === undefined ? sql`true` : sql`coalesce(e.ends_at >= ${since}, true)`
        return SqlSchema.findNonEmpty({
          Request: Schema.Void,
          Result: FoundNames,
          execute: () => sql`
            WITH found AS MATERIALIZED (SELECT * FROM ${find(words)})
            SELECT
              ${kind("team", teamJson(sql, "t"), sql`cs2_teams t ON t.team_number = f.entity_number`)} AS teams,
              ${kind("player", playerJson(sql, "p"), sql`cs2_players p ON p.player_number = f.entity_number`)} AS players,
              ${kind("event", eventJson(sql, "e"), sql`cs2_events e ON e.event_number = f.entity_number`, recent)} AS events`,
        })()
      }

      /** What matches can be of: the best teams and events, and similar ones only where there is nothing better. */
      const subjects = (words: Words) =>
        SqlSchema.findAll({
          Request: Schema.Void,
          Result: Schema.Struct({ type: Schema.Literals(["team", "event"]), number: Counter, tier: Schema.Int }),
          execute: () => sql`
            SELECT entity_type AS type, entity_number AS number, tier FROM ${find(words)}
            WHERE entity_type IN ('team', 'event') AND place <= ${SUBJECTS} ORDER BY tier DESC, place`,
        })()

      const numbersOf = (found: ReadonlyArray<Subject>, type: Subject["type"]) => {
        const best = Math.max(...found.map(({ tier }) => tier), 1)
        return found.filter((one) => one.type === type && (one.tier > 1 || one.tier === best)).map(({ number }) => number)
      }

      /** The newest of each subject by its own index; nobody's thousands of matches are sorted. */
      const newest = (column: "team1_number" | "team2_number" | "event_number", numbers: ReadonlyArray<number>, question: Question) => sql`
        SELECT m.match_number FROM unnest(${numbers}::bigint[]) AS n CROSS JOIN LATERAL (
          SELECT s.match_number FROM cs2_series s
          WHERE s.${sql.literal(column)} = n AND ${recentMatch(question)} ORDER BY s.starts_at DESC LIMIT ${question.limit}
        ) m`

      const recentMatch = ({ since }: Question) =>
        since === undefined ? sql`s.status <> 'cancelled'` : sql`s.status <> 'cancelled' AND s.starts_at >= ${since}`

      const shown = (numbers: Fragment, question: Question) =>
        SqlSchema.findAll({
          Request: Schema.Void,
          Result: Schema.Struct({ row: MatchSummary }),
          execute: () => sql`
            SELECT ${matchJson(sql, "s", "t1", "t2", "e")} AS row
            FROM cs2_series s ${matchJoins(sql)}
            WHERE s.match_number IN (${numbers})
            ORDER BY s.starts_at DESC, s.match_number DESC LIMIT ${question.limit}`,
        })()

      /** Of one side, or of two against each other. */
      const matches = Effect.fnUntraced(function* (question: Question) {
        const sides = sidesOf(question.text)
        const [one = [], other] = yield* Effect.forEach(sides, subjects)
        const teams = numbersOf(one, "team")
        if (other !== undefined) {
          const opponents = numbersOf(other, "team")
          return yield* shown(
            sql`SELECT s.match_number FROM cs2_series s WHERE ${recentMatch(question)} AND (
              (s.team1_number = ANY(${teams}::bigint[]) AND s.team2_number = ANY(${opponents}::bigint[]))
              OR (s.team2_number = ANY(${teams}::bigint[]) AND s.team1_number = ANY(${opponents}::bigint[])))`,
            question,
          )
        }
        const events = numbersOf(one, "event")
        if (teams.length === 0 && events.length === 0) return []
        return yield* shown(
          sql`${newest("team1_number", teams, question)} UNION ALL ${newest("team2_number", teams, question)}
            UNION ALL ${newest("event_number", events, question)}`,
          question,
        )
      })

      return Search.of({
        find: Effect.fn("Search.find")(
          function* (question) {
            const words = wordsOf(question.text)
            if (words.spoken === "") return { teams: [], players: [], events: [], matches: [] }
            const [found] = yield* Effect.catchTag(names(words, question), "NoSuchElementError", Effect.die)
            return { ...found, matches: (yield* matches(question)).map(({ row }) => row) }
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

interface Words {
  /** With gaps where they are spoken. */
  readonly spoken: string
  readonly joined: string
}

type Subject = { readonly type: "team" | "event"; readonly number: number; readonly tier: number }

const wordsOf = (text: string): Words => {
  const words = searchKey(text).split(" ")
  const joined = words.at(-1) ?? ""
  return { spoken: words.length === 1 ? joined : words.slice(0, -1).join(" "), joined }
}

/** `navi vs faze`, `navi - faze`. */
const sidesOf = (text: string): ReadonlyArray<Words> => {
  const [one, other, ...more] = text.split(/\s+(?:vs?\.?|versus|[-–—])\s+/iu).map(wordsOf)
  return one === undefined || other === undefined || more.length > 0 || one.spoken === "" || other.spoken === ""
    ? [wordsOf(text)]
    : [one, other]
}

const like = (text: string): string => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)

const FoundNames = Schema.Struct({ teams: Found.fields.teams, players: Found.fields.players, events: Found.fields.events })
