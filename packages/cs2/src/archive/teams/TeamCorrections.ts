/**
 * Applies operators' corrections of team identities: merging duplicates, and splitting one stored team that is really
 * two teams. Corrections apply to all later imports and appear in the changelog. Existing data is moved immediately and
 * rosters are derived again. The next run of the background jobs updates the world ranking and statistics.
 */
import { PgClient } from "@effect/sql-pg"
import { Chores } from "@matchpoint/store/Chores"
import { Counter } from "@matchpoint/store/Counter"
import { holdUntilCommit } from "@matchpoint/store/database/advisoryLock"
import { totalOf } from "@matchpoint/store/reading"
import { OperationTimeout, StoreError } from "@matchpoint/store/StoreError"
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { OWN_IDS } from "../../rules/archive/identity.ts"
import { nameKey } from "../../rules/archive/names.ts"
import { CS2 } from "../../rules/live/cs2Rules.ts"
import { teamNumberOf } from "../references.ts"
import { deriveRosters } from "../rosters/RosterDerivation.ts"
import { indexTeams } from "../search/searchWords.ts"
import { StatsRefresh } from "../stats/StatsRefresh.ts"
import { writeChanges } from "../writer/changelog.ts"
import { moveTeam, type Period } from "../writer/identity/moveTeam.ts"
import { assignSlugs } from "./SlugKeeper.ts"

/** `message` explains why the correction is not possible and what to do instead. */
export class CorrectionRejected extends Schema.TaggedError<CorrectionRejected>()("CorrectionRefused", {
  kind: Schema.Literals(["unknown_team", "conflict"]),
  message: Schema.String,
}) {}

export interface Merge {
  /** Team to remove, by id or slug. `into` is the team that remains. */
  readonly team: string
  readonly into: string
}

export interface Split extends Period {
  readonly team: string
  readonly name: string
}

export interface Author {
  readonly actor: string
  readonly reason: string | null
}

const CorrectionRow = Schema.Struct({
  number: Counter,
  kind: Schema.Literals(["merge", "split"]),
  /** The removed team of a merge, or the original team of a split. */
  team: Counter,
  /** The remaining team of a merge, or the new team of a split. */
  other: Counter,
  otherName: Schema.String,
  /** Bounds of the period whose data a split moved to the new team, epoch ms. Null if the period is open at that end. */
  from: Schema.NullOr(Schema.Finite),
  until: Schema.NullOr(Schema.Finite),
  reason: Schema.NullOr(Schema.String),
  actor: Schema.String,
  createdAt: Schema.Finite,
})
export type CorrectionRow = typeof CorrectionRow.Type

type Failure = StoreError | CorrectionRejected

export class TeamCorrections extends Context.Service<
  TeamCorrections,
  {
    /** The id and slugs of the removed team then refer to the remaining one. */
    readonly merge: (merge: Merge, author: Author) => Effect.Effect<CorrectionRow, Failure>
    /** Moves the team's data of the period to a new team, which also gets data of that period from later imports. */
    readonly split: (split: Split, author: Author) => Effect.Effect<CorrectionRow, Failure>
    /** Lists corrections, newest first. */
    readonly list: (page: {
      readonly limit: number
      readonly offset: number
    }) => Effect.Effect<{ readonly rows: ReadonlyArray<CorrectionRow>; readonly total: number }, StoreError>
  }
>()("@matchpoint/cs2/archive/teams/TeamCorrections") {
  static readonly layer = Layer.effect(
    TeamCorrections,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const chores = (yield* Chores).of(CS2)
      const stats = yield* StatsRefresh
      const timeout = yield* OperationTimeout
      // Longer than other timeouts: a correction runs many statements and may have to wait for an import batch.
      const correctionTimeout = Duration.times(timeout, 5)

      const teams = SqlSchema.findAll({
        Request: Schema.String,
        Result: Schema.Struct({ number: Counter, name: Schema.String, slug: Schema.String }),
        execute: (reference) =>
          sql`SELECT team_number AS number, name, slug FROM cs2_teams WHERE team_number = ${teamNumberOf(sql, reference)}`,
      })
      const teamOf = Effect.fnUntraced(function* (reference: string) {
        const [team] = yield* teams(reference)
        return (
          team ??
          (yield* refused("unknown_team", `The team ${reference} does not exist. Use GET /api/v1/cs2/search to find ids and slugs.`))
        )
      })

      const select = SqlSchema.findAll({
        Request: Schema.Struct({ limit: Schema.Natural, offset: Schema.Natural }),
        Result: CorrectionRow,
        execute: (page) => sql`
          SELECT c.correction_number AS number, c.kind, c.team_number AS team, c.other_number AS other, t.name AS "otherName",
            extract(epoch FROM c.from_at)::float8 * 1000 AS "from", extract(epoch FROM c.until_at)::float8 * 1000 AS until, c.reason, c.actor,
            floor(extract(epoch FROM c.created_at)::float8 * 1000) AS "createdAt"
          FROM cs2_team_corrections c JOIN cs2_teams t ON t.team_number = c.other_number
          ORDER BY c.correction_number DESC LIMIT ${page.limit} OFFSET ${page.offset}`,
      })

      const stored = Effect.fnUntraced(function* (
        kind: "merge" | "split",
        team: number,
        other: number,
        { from, until }: Period,
        { actor, reason }: Author,
      ) {
        yield* sql`
          INSERT INTO cs2_team_corrections (kind, team_number, other_number, from_at, until_at, reason, actor)
          VALUES (${kind}, ${team}, ${other}, ${from}, ${until}, ${reason}, ${actor})`
        const [row] = yield* select({ limit: 1, offset: 0 })
        return row ?? (yield* Effect.die(new Error("The correction was not stored.")))
      })

      /** Derives rosters and slugs again and updates the search index. The background jobs update all other derived data. */
      const settled = Effect.fnUntraced(function* (touched: ReadonlyArray<number>) {
        const players = yield* SqlSchema.findAll({
          Request: Schema.Void,
          Result: Schema.Struct({ player: Counter }),
          execute: () => sql`SELECT DISTINCT player_number AS player FROM cs2_team_players WHERE team_number IN ${sql.in(touched)}`,
        })()
        yield* deriveRosters(
          sql,
          players.map(({ player }) => player),
        )
        yield* assignSlugs(sql, "team")
        yield* indexTeams(sql, touched)
        yield* chores.request(["rosters", "slugs", "world-ranking"])
        yield* stats.request
      })

      const merge = Effect.fnUntraced(function* ({ into, team }: Merge, author: Author) {
        const [gone, kept] = [yield* teamOf(team), yield* teamOf(into)]
        if (gone.number === kept.number) return yield* refused("conflict", `${team} and ${into} are already the same team.`)
        const matchesBetween = yield* totalOf(sql`
          SELECT count(*) AS total FROM cs2_series
          WHERE (team1_number, team2_number) IN ((${gone.number}::bigint, ${kept.number}::bigint), (${kept.number}::bigint, ${gone.number}::bigint))`)
        if (matchesBetween > 0) {
          return yield* refused(
            "conflict",
            `${gone.name} and ${kept.name} have played each other (matches: ${matchesBetween}), so they are two teams. If one has wrong matches, split it first.`,
          )
        }
        yield* moveTeam(sql, gone.number, kept.number, { from: null, until: null })
        yield* moveIdentity(gone, kept)
        return yield* finished("merge", gone, kept)

        function finished(kind: "merge", from: Team, to: Team) {
          return Effect.gen(function* () {
            const row = yield* stored(kind, from.number, to.number, { from: null, until: null }, author)
            yield* settled([to.number])
            yield* writeChanges(sql, [
              {
                type: "team",
                number: from.number,
                field: "identity",
                action: "merged",
                before: { id: `cs2-team-${from.number}`, name: from.name },
                after: { id: `cs2-team-${to.number}`, name: to.name, reason: author.reason, source: "operator" },
              },
            ])
            return row
          })
        }
      })

      const moveIdentity = Effect.fnUntraced(function* (gone: Team, kept: Team) {
        const [from, to] = [gone.number, kept.number]
        yield* sql`UPDATE cs2_source_keys SET entity_number = ${to} WHERE entity_type = 'team' AND entity_number = ${from}`
        yield* sql`
          INSERT INTO cs2_source_keys (entity_type, source, source_key, entity_number) VALUES ('team', ${OWN_IDS}, ${String(from)}, ${to})
          ON CONFLICT (entity_type, source, source_key) DO UPDATE SET entity_number = excluded.entity_number`
        yield* sql`
          WITH moved AS (DELETE FROM cs2_names WHERE entity_type = 'team' AND entity_number = ${from} RETURNING *)
          INSERT INTO cs2_names AS stored (entity_type, entity_number, source, name_key, name, first_seen_at, last_seen_at)
          SELECT entity_type, ${to}, source, name_key, name, first_seen_at, last_seen_at FROM moved
          ON CONFLICT (entity_type, entity_number, source, name_key) DO UPDATE
          SET first_seen_at = LEAST(stored.first_seen_at, excluded.first_seen_at), last_seen_at = GREATEST(stored.last_seen_at, excluded.last_seen_at)`
        yield* sql`UPDATE cs2_players SET current_team_number = ${to} WHERE current_team_number = ${from}`
        yield* sql`UPDATE cs2_players SET told_team_number = ${to} WHERE told_team_number = ${from}`
        yield* sql`UPDATE cs2_stats_players SET team_number = ${to} WHERE team_number = ${from}`
        // These rows are derived again afterwards. Transfers reported by sources are kept.
        yield* sql`DELETE FROM cs2_roster_spells WHERE team_number = ${from}`
        yield* sql`DELETE FROM cs2_roster_changes WHERE ${from} IN (team_number, from_team_number, to_team_number)`
        yield* sql`DELETE FROM cs2_transfers WHERE computed AND ${from} IN (from_team_number, to_team_number)`
        yield* sql`UPDATE cs2_transfers SET from_team_number = ${to} WHERE from_team_number = ${from}`
        yield* sql`UPDATE cs2_transfers SET to_team_number = ${to} WHERE to_team_number = ${from}`
        yield* sql`DELETE FROM cs2_search WHERE entity_type = 'team' AND entity_number = ${from}`
        yield* sql`UPDATE cs2_former_slugs SET entity_number = ${to} WHERE entity_type = 'team' AND entity_number = ${from}`
        yield* sql`UPDATE cs2_team_corrections SET other_number = ${to} WHERE other_number = ${from} AND team_number <> ${to}`
        yield* sql`DELETE FROM cs2_team_corrections WHERE kind = 'split' AND ${from} IN (team_number, other_number)`
        yield* sql`DELETE FROM cs2_event_teams WHERE team_number = ${from}`
        yield* sql`DELETE FROM cs2_teams WHERE team_number = ${from}`
        yield* sql`
          INSERT INTO cs2_former_slugs (entity_type, slug, entity_number) VALUES ('team', ${gone.slug}, ${to})
          ON CONFLICT (entity_type, slug) DO UPDATE SET entity_number = excluded.entity_number`
      })

      const split = Effect.fnUntraced(function* ({ name, team, ...period }: Split, author: Author) {
        const { from, until } = period
        const whole = yield* teamOf(team)
        if (from === null && until === null)
          return yield* refused("conflict", "Set `from`, `until` or both to give the period in which it is another team.")
        if (from !== null && until !== null && from >= until) return yield* refused("conflict", "The period must end after it begins.")
        const made = yield* newTeam(name)
        yield* moveTeam(sql, whole.number, made.number, period)
        const matches = yield* totalOf(sql`SELECT count(*) AS total FROM cs2_series WHERE ${made.number} IN (team1_number, team2_number)`)
        if (matches === 0)
          return yield* refused("conflict", `${whole.name} has no match in this period. Choose a period with at least one of its matches.`)
        // A name of the original team that equals the new team's name now belongs to the new team, unless the original
        // team is displayed under it.
        yield* sql`
          UPDATE cs2_names n SET entity_number = ${made.number} FROM cs2_teams t
          WHERE t.team_number = ${whole.number} AND n.entity_type = 'team' AND n.entity_number = t.team_number
            AND n.name_key = ${nameKey(name)} AND t.name_key <> n.name_key`
        const row = yield* stored("split", whole.number, made.number, period, author)
        yield* settled([whole.number, made.number])
        yield* writeChanges(sql, [
          {
            type: "team",
            number: whole.number,
            field: "identity",
            action: "split",
            before: { id: `cs2-team-${whole.number}`, name: whole.name },
            after: {
              id: `cs2-team-${made.number}`,
              name,
              from: from?.toISOString() ?? null,
              until: until?.toISOString() ?? null,
              reason: author.reason,
              source: "operator",
            },
          },
        ])
        return row
      })

      const newTeam = Effect.fnUntraced(function* (name: string) {
        const [made] = yield* SqlSchema.findAll({
          Request: Schema.Void,
          Result: Schema.Struct({ number: Counter }),
          execute: () => sql`
            INSERT INTO cs2_teams (name, name_key, slug, source, confidence, last_verified)
            VALUES (${name}, ${nameKey(name)}, ${`~${nameKey(name)}`}, 'operator', 'high', now()) RETURNING team_number AS number`,
        })()
        const { number } = made ?? (yield* Effect.die(new Error("The team was not stored.")))
        // A temporary unique slug. The final one is assigned later, together with those of all other teams.
        yield* sql`UPDATE cs2_teams SET slug = ${`team-${number}`} WHERE team_number = ${number}`
        yield* sql`
          INSERT INTO cs2_names (entity_type, entity_number, source, name_key, name, first_seen_at, last_seen_at)
          VALUES ('team', ${number}, 'operator', ${nameKey(name)}, ${name}, 'epoch', 'epoch')`
        return { number, name }
      })

      const operation =
        <Args extends ReadonlyArray<unknown>>(
          name: string,
          correct: (...args: Args) => Effect.Effect<CorrectionRow, SqlError | Schema.SchemaError | Failure>,
        ) =>
        (...args: Args): Effect.Effect<CorrectionRow, Failure> =>
          sql.withTransaction(Effect.andThen(holdUntilCommit(sql, "archive"), correct(...args))).pipe(
            Effect.timeout(correctionTimeout),
            Effect.mapError((error) =>
              error._tag === "CorrectionRefused" || error._tag === "StoreError" ? error : new StoreError({ operation: name, cause: error }),
            ),
            Effect.withSpan(name),
          )

      return TeamCorrections.of({
        merge: operation("TeamCorrections.merge", merge),
        split: operation("TeamCorrections.split", split),
        list: (page) =>
          Effect.all({ rows: select(page), total: totalOf(sql`SELECT count(*) AS total FROM cs2_team_corrections`) }).pipe(
            Effect.timeout(timeout),
            Effect.mapError((cause) => new StoreError({ operation: "TeamCorrections.list", cause })),
            Effect.withSpan("TeamCorrections.list"),
          ),
      })
    }),
  )
}

interface Team {
  readonly number: number
  readonly name: string
  readonly slug: string
}

const refused = (kind: CorrectionRejected["kind"], message: string) => Effect.fail(new CorrectionRejected({ kind, message }))
