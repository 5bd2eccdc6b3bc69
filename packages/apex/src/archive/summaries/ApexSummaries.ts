/**
 * Statistics of tournaments, sums of players, and copies among series. Computes only tournaments whose series changed.
 */
import { PgClient } from "@effect/sql-pg"
import { foldName } from "@matchpoint/domain/names/foldName"
import { holdUntilCommit } from "@matchpoint/store/database/advisoryLock"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeEffect } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { ApexPlayer, ApexSeries, Region, SeriesSource } from "../../rules/archive/series.ts"
import { eventSummaryOf } from "./eventJson.ts"
import { playerRowFrom } from "./playerJson.ts"

/** A series with fewer teams is not compared with others: few lines may be equal by chance. */
const SMALLEST_COPY = 8

export class ApexSummaries extends Context.Service<
  ApexSummaries,
  {
    /** Computes the summaries of everything that was written since the last call. */
    readonly refresh: Effect.Effect<void, StoreError>
    /**
     * Finds imported series whose teams and results are part of another series. They stay readable by their id, but are
     * left out of lists and statistics. Call `refresh` afterwards.
     */
    readonly markCopies: Effect.Effect<void, StoreError>
    /** One line per tournament with numbers of stored series, and one per copy, for the report of an import. */
    readonly report: Effect.Effect<ReadonlyArray<string>, StoreError>
  }
>()("@matchpoint/apex/archive/summaries/ApexSummaries") {
  static readonly layer = Layer.effect(
    ApexSummaries,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      /** Returns the players that the tournament has or had. */
      const refreshTournament = Effect.fnUntraced(function* (tournament: typeof StaleTournament.Type) {
        const { tournamentId } = tournament
        const series = yield* contents(sql`
          SELECT content AS row FROM apex_series
          WHERE tournament_id = ${tournamentId} AND copy_of IS NULL AND status <> 'cancelled' ORDER BY sort_at, series_id`)
        const { contents: counts, legends, players, stats, teamNames } = eventSummaryOf(tournament, series)
        const removed = yield* playerIds(sql`
          DELETE FROM apex_player_totals WHERE tournament_id = ${tournamentId} RETURNING to_json(player_id) AS row`)
        yield* sql`INSERT INTO apex_player_totals SELECT * FROM json_populate_recordset(NULL::apex_player_totals, ${JSON.stringify(
          players.map((details) => ({
            tournament_id: tournamentId,
            player_id: details.playerId,
            team_name: details.teamName,
            kills: details.kills,
            assists: details.assists,
            damage: details.damage,
            knockdowns: details.knockdowns,
            games: details.games,
            details,
          })),
        )}::json)`
        yield* sql`
          UPDATE apex_tournaments SET summary = ${JSON.stringify(stats)}::json, legends = ${JSON.stringify(legends)}::json,
            contents = ${JSON.stringify(counts)}::json, team_names = ${teamNames}, computed_at = now(), is_stale = false,
            sort_at = COALESCE((SELECT max(sort_at) FROM apex_series WHERE tournament_id = ${tournamentId} AND copy_of IS NULL),
              starts_on::timestamp AT TIME ZONE 'UTC', 'epoch')
          WHERE tournament_id = ${tournamentId}`
        return [...removed, ...players.map(({ playerId }) => playerId)]
      })

      const refreshPlayers = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
        yield* sql`
          INSERT INTO apex_players (player_id, source, name)
          SELECT DISTINCT ON (p.player_id) p.player_id, t.source, p.details->>'playerName'
          FROM apex_player_totals p JOIN apex_tournaments t USING (tournament_id) WHERE p.player_id = ANY (${ids})
          ORDER BY p.player_id, t.sort_at DESC ON CONFLICT (player_id) DO NOTHING`
        const found = yield* stalePlayers(sql`
          SELECT json_build_object('playerId', p.player_id, 'stated', p.stated, 'sums', COALESCE((
            SELECT json_agg(json_build_object('playerName', s.details->>'playerName', 'teamName', s.team_name, 'region', t.region,
              'source', t.source, 'kills', s.kills, 'assists', s.assists, 'games', s.games) ORDER BY t.sort_at DESC, t.tournament_id)
            FROM apex_player_totals s JOIN apex_tournaments t USING (tournament_id) WHERE s.player_id = p.player_id), '[]')) AS row
          FROM apex_players p WHERE p.player_id = ANY (${ids}) OR p.details IS NULL`)
        const kept = found.filter(({ stated, sums }) => stated !== null || sums.length > 0)
        const rows = kept.map(({ playerId, stated, sums }) => playerRowFrom(playerId, stated, sums))
        yield* sql`
          UPDATE apex_players AS p SET details = r.details, name = r.name, words = r.words, matches = r.matches
          FROM json_populate_recordset(NULL::apex_players, ${JSON.stringify(
            rows.map((details) => ({
              player_id: details.playerId,
              details,
              name: details.name,
              words: foldName(details.name),
              matches: details.stats.matchesPlayed,
            })),
          )}::json) AS r WHERE p.player_id = r.player_id`
        yield* sql`DELETE FROM apex_players p WHERE p.player_id = ANY (${ids}) AND p.stated IS NULL
          AND NOT EXISTS (SELECT FROM apex_player_totals s WHERE s.player_id = p.player_id)`
      })

      const findStale = SqlSchema.findAll({
        Request: Schema.Void,
        Result: StaleTournament,
        // The lock makes writers wait, so that no change is marked as computed without having been read.
        execute: () => sql`
          SELECT tournament_id AS "tournamentId", name, region, source, starts_on::text AS "startsOn", ends_on::text AS "endsOn",
            stated->>'location' AS location FROM apex_tournaments WHERE is_stale ORDER BY tournament_id FOR UPDATE`,
      })

      return ApexSummaries.of({
        refresh: Effect.gen(function* () {
          // One process at a time computes the summaries.
          yield* holdUntilCommit(sql, "apex.summaries")
          const players = yield* Effect.forEach(yield* findStale(), refreshTournament)
          yield* refreshPlayers([...new Set(players.flat())])
        }).pipe(sql.withTransaction, storeEffect("ApexSummaries.refresh", limit)),
        markCopies: Effect.gen(function* () {
          yield* holdUntilCommit(sql, "apex.summaries")
          const changed = yield* sql<{ tournament_id: string }>`
            UPDATE apex_series AS s SET copy_of = found.copy_of
            FROM (
              SELECT part.series_id, min(whole.series_id) AS copy_of
              FROM apex_series part LEFT JOIN apex_series whole ON cardinality(part.team_lines) >= ${SMALLEST_COPY}
                AND whole.team_lines @> part.team_lines AND whole.series_id <> part.series_id
                AND (cardinality(whole.team_lines) > cardinality(part.team_lines) OR whole.series_id < part.series_id)
              WHERE part.source = 'import' GROUP BY part.series_id
            ) AS found
            WHERE s.series_id = found.series_id AND s.copy_of IS DISTINCT FROM found.copy_of
            RETURNING s.tournament_id`
          yield* sql`UPDATE apex_games g SET copy_of = s.copy_of FROM apex_series s
            WHERE g.series_id = s.series_id AND g.copy_of IS DISTINCT FROM s.copy_of`
          if (changed.length === 0) return
          yield* sql`UPDATE apex_tournaments SET is_stale = true
            WHERE tournament_id IN ${sql.in(changed.map(({ tournament_id }) => tournament_id))}`
        }).pipe(sql.withTransaction, storeEffect("ApexSummaries.markCopies", limit)),
        report: lines(sql`
          SELECT to_json(line) AS row FROM (
            SELECT 1 AS part, name || ': ' || (contents->>'series') || ' series, ' || (contents->>'games') || ' games' AS line
            FROM apex_tournaments WHERE contents IS NOT NULL
            UNION ALL SELECT 2, series_id || ' is a copy of ' || copy_of FROM apex_series WHERE copy_of IS NOT NULL
          ) AS report ORDER BY part, line`).pipe(storeEffect("ApexSummaries.report", limit)),
      })
    }),
  )
}

const { raw: _raw, ...countedFields } = ApexSeries.fields
const contents = rowsOf(Schema.Struct(countedFields))
const playerIds = rowsOf(Schema.String)
const lines = rowsOf(Schema.String)

const StaleTournament = Schema.Struct({
  tournamentId: Schema.String,
  name: Schema.String,
  region: Schema.NullOr(Region),
  source: SeriesSource,
  startsOn: Schema.NullOr(Schema.String),
  endsOn: Schema.NullOr(Schema.String),
  location: Schema.NullOr(Schema.String),
})

const stalePlayers = rowsOf(
  Schema.Struct({
    playerId: Schema.String,
    stated: Schema.NullOr(ApexPlayer),
    sums: Schema.Array(
      Schema.Struct({
        playerName: Schema.String,
        teamName: Schema.String,
        region: Schema.NullOr(Region),
        source: SeriesSource,
        kills: Schema.NullOr(Schema.Natural),
        assists: Schema.NullOr(Schema.Natural),
        games: Schema.Natural,
      }),
    ),
  }),
)
