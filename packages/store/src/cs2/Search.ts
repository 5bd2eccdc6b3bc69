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
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"
import { eventJson, matchJoins, matchJson, playerJson, teamJson } from "./fragments.ts"
import { settledText } from "./settled.ts"

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
        sql`cs2_find(${words.spoken}, ${words.joined}::text, ${like(words.spoken)}, ${like(words.joined)}::text, ${CANDIDATES})`

      /** What matches can be of: the best teams and events; similar ones only where nothing is better. */
      const subjects = (type: "team" | "event") => sql`
        (SELECT coalesce(jsonb_agg(s.entity_number), '[]') FROM found s
          WHERE s.entity_type = ${type} AND s.place <= ${SUBJECTS}
            AND s.tier >= least(2, (SELECT max(tier) FROM found WHERE entity_type IN ('team', 'event'))))`

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
              ${kind("event", eventJson(sql, "e"), sql`cs2_events e ON e.event_number = f.entity_number`, recent)} AS events,
              ${subjects("team")} AS "teamNumbers", ${subjects("event")} AS "eventNumbers"`,
        })()
      }

      /** The teams that one side of `team vs team` may be. */
      const side = (words: Words) =>
        SqlSchema.findNonEmpty({
          Request: Schema.Void,
          Result: Schema.Struct({ teamNumbers: Numbers }),
          execute: () => sql`WITH found AS MATERIALIZED (SELECT * FROM ${find(words)}) SELECT ${subjects("team")} AS "teamNumbers"`,
        })()

      /** The newest of each subject by its own index; nobody's thousands of matches are sorted. */
      const newest = (column: "team1_number" | "team2_number" | "event_number", numbers: ReadonlyArray<number>, question: Question) => sql`
        SELECT m.match_number FROM unnest(${numbers}::bigint[]) AS n CROSS JOIN LATERAL (
          SELECT s.match_number FROM cs2_series s
          WHERE s.${sql.literal(column)} = n AND ${recentMatch(question)} ORDER BY s.starts_at DESC LIMIT ${question.limit}
        ) m`

      /** Announced, or over for everybody: what is live is the live section's. */
      const recentMatch = ({ since }: Question) =>
        sql.and([
          sql.literal(`(s.status = 'upcoming' OR (${settledText("s")}))`),
          ...(since === undefined ? [] : [sql`s.starts_at >= ${since}`]),
        ])

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

      const against = Effect.fnUntraced(function* (sides: readonly [Words, Words], question: Question) {
        const [[one], [other]] = yield* Effect.catchTag(Effect.all([side(sides[0]), side(sides[1])]), "NoSuchElementError", Effect.die)
        return yield* shown(
          sql`SELECT s.match_number FROM cs2_series s WHERE ${recentMatch(question)} AND (
            (s.team1_number = ANY(${one.teamNumbers}::bigint[]) AND s.team2_number = ANY(${other.teamNumbers}::bigint[]))
            OR (s.team2_number = ANY(${one.teamNumbers}::bigint[]) AND s.team1_number = ANY(${other.teamNumbers}::bigint[])))`,
          question,
        )
      })

      const of = (teams: ReadonlyArray<number>, events: ReadonlyArray<number>, question: Question) =>
        teams.length === 0 && events.length === 0
          ? Effect.succeed([])
          : shown(
              sql`${newest("team1_number", teams, question)} UNION ALL ${newest("team2_number", teams, question)}
                UNION ALL ${newest("event_number", events, question)}`,
              question,
            )

      return Search.of({
        find: Effect.fn("Search.find")(
          function* (question) {
            const words = wordsOf(question.text)
            if (words.spoken === "") return { teams: [], players: [], events: [], matches: [] }
            const [{ teams, players, events, teamNumbers, eventNumbers }] = yield* Effect.catchTag(
              names(words, question),
              "NoSuchElementError",
              Effect.die,
            )
            const sides = sidesOf(question.text)
            const matches = yield* sides === undefined ? of(teamNumbers, eventNumbers, question) : against(sides, question)
            return { teams, players, events, matches: matches.map(({ row }) => row) }
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
  /** Null: there are no gaps. */
  readonly joined: string | null
}

const wordsOf = (text: string): Words => {
  const words = searchKey(text).split(" ")
  return words.length === 1
    ? { spoken: words[0] ?? "", joined: null }
    : { spoken: words.slice(0, -1).join(" "), joined: words.at(-1) ?? null }
}

/** `navi vs faze`, `navi - faze`. Undefined: it is no such question. */
const sidesOf = (text: string): readonly [Words, Words] | undefined => {
  const [one, other, ...more] = text.split(/\s+(?:vs?\.?|versus|[-–—])\s+/iu).map(wordsOf)
  if (one === undefined || other === undefined || more.length > 0 || one.spoken === "" || other.spoken === "") return undefined
  return [one, other]
}

function like(text: string): string
function like(text: string | null): string | null
function like(text: string | null): string | null {
  return text === null ? null : text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)
}

const Numbers = Schema.Array(Schema.Natural)

const FoundNames = Schema.Struct({
  teams: Found.fields.teams,
  players: Found.fields.players,
  events: Found.fields.events,
  teamNumbers: Numbers,
  eventNumbers: Numbers,
})
