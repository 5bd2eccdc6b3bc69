/** Coverage of the tennis archive and time of its last change, from small summaries. */
import { PgClient } from "@effect/sql-pg"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { Coverage, Health, SyncHealth } from "../../contract/http/data/coverageModels.ts"

/** `YYYY-MM-DD`, or null. */
const NewestDays = Schema.Struct({
  tour: Schema.Literals(["ATP", "WTA"]),
  match: Schema.NullOr(Schema.String),
  ranking: Schema.NullOr(Schema.String),
})

const Sync = Schema.Struct({
  tours: Schema.Array(NewestDays),
  last_live_result: SyncHealth.fields.last_live_result,
  sources: SyncHealth.fields.sources,
})
export type Sync = typeof Sync.Type

const NewestData = Schema.Struct(Struct.pick(Health.fields, ["database", "newest_match_date", "newest_ranking_date"]))
export type NewestData = typeof NewestData.Type

export class TennisCoverage extends Context.Service<
  TennisCoverage,
  {
    readonly coverage: Effect.Effect<Coverage, StoreError>
    readonly newest: Effect.Effect<NewestData, StoreError>
    /** State of imports and the newest days, from which the caller computes ages. */
    readonly sync: Effect.Effect<Sync, StoreError>
  }
>()("@matchpoint/tennis/archive/content/TennisCoverage") {
  static readonly layer = Layer.effect(
    TennisCoverage,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const read = <A, I>(name: string, model: Schema.Codec<A, I>, text: string): Effect.Effect<A, StoreError> =>
        rowsOf(model)(sql`${sql.literal(text)}`).pipe(
          Effect.flatMap(([row]) => (row === undefined ? Effect.die(new Error(`${name} has no row`)) : Effect.succeed(row))),
          storeOperation(name, limit),
          Effect.withSpan(name),
        )

      return TennisCoverage.of({
        coverage: read("TennisCoverage.coverage", Coverage, COVERAGE),
        newest: read("TennisCoverage.newest", NewestData, NEWEST),
        sync: read("TennisCoverage.sync", Sync, SYNC),
      })
    }),
  )
}

const TOURS = "(VALUES ('atp'), ('wta')) AS t (tour)"

/** Fields that count matches, over the circuits `c` of a group. */
const COUNTS = `'matches', COALESCE(sum(c.matches), 0), 'with_statistics', COALESCE(sum(c.with_statistics), 0),
  'with_verified_day', COALESCE(sum(c.with_verified_day), 0)`

/** Unparsable scores under a condition on the problems `p`. */
const unparsableText = (condition: string): string => `'unparsable_scores', (
  SELECT jsonb_build_object('total', COALESCE(sum(n), 0), 'by_problem', COALESCE(jsonb_object_agg(problem, n), '{}'))
  FROM (SELECT p.problem, sum(p.n) AS n FROM problems p WHERE ${condition} GROUP BY p.problem) counted)`

const COVERAGE = `
  WITH circuits AS (
    SELECT tour, circuit, min(first_date) AS first_date, max(last_date) AS last_date, sum(matches) AS matches,
      sum(with_statistics) AS with_statistics, sum(with_verified_day) AS with_verified_day
    FROM tennis_coverage_years GROUP BY tour, circuit
  ), problems AS (
    SELECT y.tour, y.circuit, e.key AS problem, sum(e.value::integer) AS n
    FROM tennis_coverage_years y CROSS JOIN LATERAL jsonb_each_text(y.problems) e GROUP BY y.tour, y.circuit, e.key
  ), weeks AS (
    SELECT tour, count(*) AS weeks, sum(entries) AS entries, min(ranking_date) AS first_date, max(ranking_date) AS last_date
    FROM tennis_ranking_weeks GROUP BY tour
  )
  SELECT jsonb_build_object(
    'tours', (SELECT jsonb_agg((
        SELECT jsonb_build_object('tour', upper(t.tour), 'first_date', min(c.first_date)::text, 'last_date', max(c.last_date)::text,
          ${COUNTS}, ${unparsableText("p.tour = t.tour")},
          'players', COALESCE((SELECT n.players FROM tennis_player_counts n WHERE n.tour = t.tour AND n.circuit = ''), 0),
          'circuits', COALESCE(jsonb_agg((
            SELECT jsonb_build_object('circuit', o.circuit, 'first_date', o.first_date::text, 'last_date', o.last_date::text,
              'matches', o.matches, 'with_statistics', o.with_statistics, 'with_verified_day', o.with_verified_day,
              ${unparsableText("p.tour = o.tour AND p.circuit = o.circuit")},
              'players', COALESCE((SELECT n.players FROM tennis_player_counts n WHERE n.tour = o.tour AND n.circuit = o.circuit), 0))
            FROM circuits o WHERE o.tour = c.tour AND o.circuit = c.circuit) ORDER BY c.matches DESC, c.circuit), '[]'),
          'rankings', (SELECT jsonb_build_object('weeks', COALESCE(max(w.weeks), 0), 'entries', COALESCE(max(w.entries), 0),
            'first_date', max(w.first_date)::text, 'last_date', max(w.last_date)::text) FROM weeks w WHERE w.tour = t.tour))
        FROM circuits c WHERE c.tour = t.tour) ORDER BY t.tour) FROM ${TOURS}),
    'totals', (SELECT jsonb_build_object(${COUNTS}, ${unparsableText("true")},
      'players', (SELECT COALESCE(sum(players), 0) FROM tennis_player_counts WHERE circuit = ''),
      'ranking_weeks', (SELECT COALESCE(sum(weeks), 0) FROM weeks), 'ranking_entries', (SELECT COALESCE(sum(entries), 0) FROM weeks))
      FROM circuits c)
  ) AS row`

const NEWEST = `
  SELECT jsonb_build_object('database', 'ok',
    'newest_match_date', newest.match::text, 'newest_ranking_date', newest.ranking::text) AS row
  FROM (SELECT (SELECT max(last_date) FROM tennis_coverage_years) AS match, (SELECT max(ranking_date) FROM tennis_ranking_weeks) AS ranking) newest`

/** Rows of \`imports\` without a fingerprint do not describe files. */
const SYNC = `
  SELECT jsonb_build_object(
    'tours', (SELECT jsonb_agg(jsonb_build_object('tour', upper(t.tour),
      'match', (SELECT max(y.last_date)::text FROM tennis_coverage_years y WHERE y.tour = t.tour),
      'ranking', (SELECT max(w.ranking_date)::text FROM tennis_ranking_weeks w WHERE w.tour = t.tour)) ORDER BY t.tour) FROM ${TOURS}),
    'last_live_result', (SELECT max(last_live)::text FROM tennis_coverage_years),
    'sources', (SELECT COALESCE(jsonb_agg(jsonb_build_object('source', i.source, 'files', i.files, 'unfinished_files', i.unfinished,
        'rows_read', i.done, 'rows_written', i.written, 'rows_rejected', i.rejected, 'last_finished_at', iso_utc(i.finished_at)) ORDER BY i.source), '[]')
      FROM (SELECT source, count(*) AS files, count(*) FILTER (WHERE finished_at IS NULL) AS unfinished, sum(done) AS done, sum(written) AS written,
          sum(rejected) AS rejected, max(finished_at) AS finished_at
        FROM imports WHERE game = 'tennis' AND fingerprint <> '' GROUP BY source) i)
  ) AS row`
