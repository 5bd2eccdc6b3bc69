// Owns the values that requests are made of: ids, names and days that exist in the database, the same for the same
// seed. `hot`: the most requested. `cold`: any.
import { PgClient } from "@effect/sql-pg"
import { Effect, Record, Schema } from "effect"

export interface Sample {
  /** Best known first. */
  readonly hot: ReadonlyArray<string>
  readonly cold: ReadonlyArray<string>
}

/** Per sample, a statement with one column `it` for each half. `$1` of `cold` is the seed as text. */
const sources = {
  match: {
    hot: `SELECT 'cs2-match-' || match_number AS it FROM cs2_series WHERE status = 'completed' ORDER BY starts_at DESC LIMIT 100`,
    cold: `SELECT 'cs2-match-' || match_number AS it FROM cs2_series ORDER BY md5(match_number || $1) LIMIT 400`,
  },
  matchWithMaps: {
    hot: `SELECT 'cs2-match-' || g.match_number AS it FROM cs2_games g GROUP BY g.match_number ORDER BY max(g.played_at) DESC LIMIT 100`,
    cold: `SELECT it FROM (SELECT DISTINCT 'cs2-match-' || match_number AS it FROM cs2_games) g ORDER BY md5(it || $1) LIMIT 400`,
  },
  game: {
    hot: `SELECT 'cs2-match-' || match_number || '-map-' || map_number AS it FROM cs2_games ORDER BY played_at DESC LIMIT 100`,
    cold: `SELECT 'cs2-match-' || match_number || '-map-' || map_number AS it FROM cs2_games ORDER BY md5(match_number || $1), map_number LIMIT 400`,
  },
  gameWithLines: {
    hot: `SELECT DISTINCT 'cs2-match-' || match_number || '-map-' || map_number AS it FROM cs2_rounds ORDER BY 1 LIMIT 100`,
    cold: `SELECT it FROM (SELECT DISTINCT 'cs2-match-' || match_number || '-map-' || map_number AS it FROM cs2_player_games) g
      ORDER BY md5(it || $1) LIMIT 400`,
  },
  gameWithEvents: {
    hot: `SELECT DISTINCT 'cs2-match-' || match_number || '-map-' || map_number AS it FROM cs2_game_events ORDER BY 1 LIMIT 100`,
    cold: `SELECT DISTINCT 'cs2-match-' || match_number || '-map-' || map_number AS it FROM cs2_game_events ORDER BY 1 LIMIT 400`,
  },
  team: {
    hot: `SELECT slug AS it FROM cs2_teams WHERE world_ranking IS NOT NULL ORDER BY world_ranking LIMIT 60`,
    cold: `SELECT 'cs2-team-' || team_number AS it FROM cs2_teams ORDER BY md5(team_number || $1) LIMIT 400`,
  },
  player: {
    hot: `SELECT p.slug AS it FROM cs2_players p JOIN cs2_team_players m USING (player_number) GROUP BY p.player_number
      ORDER BY sum(m.matches) DESC LIMIT 100`,
    cold: `SELECT 'cs2-player-' || player_number AS it FROM cs2_players ORDER BY md5(player_number || $1) LIMIT 400`,
  },
  event: {
    hot: `SELECT slug AS it FROM cs2_events ORDER BY tier DESC NULLS LAST, starts_at DESC LIMIT 30`,
    cold: `SELECT 'cs2-event-' || event_number AS it FROM cs2_events ORDER BY md5(event_number || $1) LIMIT 200`,
  },
  /** Slugs or ids of two teams that have played each other, separated by a space. */
  pair: {
    hot: `SELECT a.slug || ' ' || b.slug AS it FROM cs2_series s JOIN cs2_teams a ON a.team_number = s.team1_number
      JOIN cs2_teams b ON b.team_number = s.team2_number GROUP BY a.slug, b.slug ORDER BY count(*) DESC, 1 LIMIT 100`,
    cold: `SELECT 'cs2-team-' || team1_number || ' cs2-team-' || team2_number AS it FROM cs2_series ORDER BY md5(match_number || $1) LIMIT 300`,
  },
  /** Names of two teams that have played each other. */
  versus: {
    hot: `SELECT a.name || ' vs ' || b.name AS it FROM cs2_series s JOIN cs2_teams a ON a.team_number = s.team1_number
      JOIN cs2_teams b ON b.team_number = s.team2_number GROUP BY a.name, b.name ORDER BY count(*) DESC, 1 LIMIT 100`,
    cold: `SELECT a.name || ' vs ' || b.name AS it FROM cs2_series s JOIN cs2_teams a ON a.team_number = s.team1_number
      JOIN cs2_teams b ON b.team_number = s.team2_number ORDER BY md5(match_number || $1) LIMIT 300`,
  },
  name: {
    hot: `(SELECT name AS it FROM cs2_teams WHERE world_ranking IS NOT NULL ORDER BY world_ranking LIMIT 60)
      UNION ALL (SELECT nickname FROM cs2_players ORDER BY maps_played DESC LIMIT 60)`,
    cold: `SELECT it FROM (SELECT name AS it FROM cs2_teams UNION ALL SELECT nickname FROM cs2_players UNION ALL SELECT name FROM cs2_events) n
      ORDER BY md5(it || $1) LIMIT 600`,
  },
  /** Days on which matches were played. */
  day: {
    hot: `SELECT DISTINCT (starts_at AT TIME ZONE 'UTC')::date::text AS it FROM cs2_series ORDER BY 1 DESC LIMIT 60`,
    cold: `SELECT it FROM (SELECT DISTINCT (starts_at AT TIME ZONE 'UTC')::date::text AS it FROM cs2_series) d ORDER BY md5(it || $1) LIMIT 300`,
  },
  rankingDay: {
    hot: `SELECT DISTINCT ranked_on::text AS it FROM cs2_rankings ORDER BY 1 DESC LIMIT 10`,
    cold: `SELECT it FROM (SELECT DISTINCT ranked_on::text AS it FROM cs2_rankings) d ORDER BY md5(it || $1) LIMIT 200`,
  },
  teamCountry: {
    hot: `SELECT country_code AS it FROM cs2_teams WHERE country_code IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT 20`,
    cold: `SELECT DISTINCT country_code AS it FROM cs2_teams WHERE country_code IS NOT NULL ORDER BY 1`,
  },
  playerCountry: {
    hot: `SELECT country_code AS it FROM cs2_players WHERE country_code IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT 20`,
    cold: `SELECT DISTINCT country_code AS it FROM cs2_players WHERE country_code IS NOT NULL ORDER BY 1`,
  },
  changed: {
    hot: `SELECT entity_id AS it FROM cs2_changelog GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 60`,
    cold: `SELECT it FROM (SELECT DISTINCT entity_id AS it FROM cs2_changelog) c ORDER BY md5(it || $1) LIMIT 300`,
  },
  skin: {
    hot: `SELECT s.slug AS it FROM cs2_skin_prices p JOIN cs2_skins s USING (skin_number) GROUP BY s.slug ORDER BY count(*) DESC, 1 LIMIT 100`,
    cold: `SELECT 'cs2-skin-' || skin_number AS it FROM cs2_skins ORDER BY md5(skin_number || $1) LIMIT 400`,
  },
  skinName: {
    hot: `SELECT market_name AS it FROM cs2_skins WHERE weapon = 'AK-47' ORDER BY market_name LIMIT 60`,
    cold: `SELECT market_name AS it FROM cs2_skins ORDER BY md5(skin_number || $1) LIMIT 400`,
  },
  weapon: {
    hot: `SELECT weapon AS it FROM cs2_skins WHERE weapon IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT 10`,
    cold: `SELECT DISTINCT weapon AS it FROM cs2_skins WHERE weapon IS NOT NULL ORDER BY 1`,
  },
  market: {
    hot: `SELECT 'cs2-odds-' || market_number AS it FROM cs2_odds_prices GROUP BY market_number ORDER BY count(*) DESC LIMIT 50`,
    cold: `SELECT 'cs2-odds-' || market_number AS it FROM cs2_odds_markets ORDER BY md5(market_number || $1) LIMIT 300`,
  },
  codSeason: {
    hot: `SELECT DISTINCT season::text AS it FROM cod_season_teams ORDER BY 1 DESC LIMIT 2`,
    cold: `SELECT DISTINCT season::text AS it FROM cod_season_teams ORDER BY 1`,
  },
  codTeam: {
    hot: `SELECT DISTINCT team1_slug AS it FROM cod_matches ORDER BY 1 LIMIT 100`,
    cold: `SELECT it FROM (SELECT DISTINCT team1_slug AS it FROM cod_matches) t ORDER BY md5(it || $1) LIMIT 100`,
  },
  /** Slugs of two teams that have played each other, separated by a space. */
  codPair: {
    hot: `SELECT DISTINCT team1_slug || ' ' || team2_slug AS it FROM cod_matches ORDER BY 1 LIMIT 100`,
    cold: `SELECT it FROM (SELECT DISTINCT team1_slug || ' ' || team2_slug AS it FROM cod_matches) p ORDER BY md5(it || $1) LIMIT 100`,
  },
  codMatch: {
    hot: `SELECT match_id AS it FROM cod_matches WHERE status = 'completed' ORDER BY starts_at DESC LIMIT 60`,
    cold: `SELECT match_id AS it FROM cod_matches WHERE status = 'completed' ORDER BY md5(match_id || $1) LIMIT 400`,
  },
  codTournament: {
    hot: `SELECT DISTINCT tournament_id AS it FROM cod_matches ORDER BY 1 LIMIT 10`,
    cold: `SELECT DISTINCT tournament_id AS it FROM cod_matches ORDER BY 1`,
  },
  codPlayer: {
    hot: `SELECT player_id AS it FROM cod_player_lines GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 30`,
    cold: `SELECT it FROM (SELECT DISTINCT player_id AS it FROM cod_player_lines) p ORDER BY md5(it || $1) LIMIT 200`,
  },
  otherCodPlayer: {
    hot: `SELECT player_id AS it FROM cod_player_lines GROUP BY 1 ORDER BY count(*), 1 LIMIT 30`,
    cold: `SELECT it FROM (SELECT DISTINCT player_id AS it FROM cod_player_lines) p ORDER BY md5($1 || it) LIMIT 200`,
  },
  codName: {
    hot: `SELECT ign AS it FROM cod_players ORDER BY ign LIMIT 60`,
    cold: `SELECT it FROM (SELECT ign AS it FROM cod_players UNION ALL SELECT name FROM cod_teams) n ORDER BY md5(it || $1) LIMIT 300`,
  },
  apexSeries: {
    hot: `SELECT series_id AS it FROM apex_series WHERE status = 'completed' ORDER BY sort_at DESC LIMIT 20`,
    cold: `SELECT series_id AS it FROM apex_series WHERE status = 'completed' ORDER BY md5(series_id || $1) LIMIT 200`,
  },
  apexTournament: {
    hot: `SELECT tournament_id AS it FROM apex_tournaments ORDER BY sort_at DESC LIMIT 5`,
    cold: `SELECT tournament_id AS it FROM apex_tournaments ORDER BY 1`,
  },
  apexPlayerName: {
    hot: `SELECT name AS it FROM apex_players ORDER BY matches DESC, name LIMIT 60`,
    cold: `SELECT name AS it FROM apex_players ORDER BY md5(name || $1) LIMIT 300`,
  },
} as const

export type SampleName = keyof typeof sources

/** Tables of the lists whose pages are requested, to count their rows. */
const lists = {
  matches: "cs2_series",
  teams: "cs2_teams",
  players: "cs2_players",
  events: "cs2_events",
  transfers: "cs2_transfers",
  rosterChanges: "cs2_roster_changes",
  changes: "cs2_changelog",
  skins: "cs2_skins",
  codMatches: "cod_matches",
} as const

export type ListName = keyof typeof lists

export interface Samples {
  readonly of: Readonly<Record<SampleName, Sample>>
  readonly rows: Readonly<Record<ListName, number>>
}

const decodeTexts = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ it: Schema.String })))
const decodeCount = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ rows: Schema.Int })))

export const takeSamples = Effect.fn("takeSamples")(function* (seed: number) {
  const sql = yield* PgClient.PgClient
  const texts = (statement: string, values: ReadonlyArray<unknown>) =>
    Effect.map(Effect.flatMap(sql.unsafe(statement, values), decodeTexts), (rows) => rows.map(({ it }) => it))
  const of: Samples["of"] = yield* Effect.all(
    Record.map(sources, ({ cold, hot }) => Effect.all({ hot: texts(hot, []), cold: texts(cold, cold.includes("$1") ? [`:${seed}`] : []) })),
  )
  const rows: Samples["rows"] = yield* Effect.all(
    Record.map(lists, (table) =>
      Effect.map(Effect.flatMap(sql.unsafe(`SELECT count(*)::int AS rows FROM ${table}`), decodeCount), ([one]) => one.rows),
    ),
  )
  return { of, rows }
})
