/** Sums of players that the analytics use. `packages/cod/src/rules/analytics/playerSums.ts` describes the sums. */
import { type SumField, sumFields } from "../../rules/analytics/playerSums.ts"

/** Column of a sum: `hillTime` is `hill_time`. */
export const sumColumn = (field: SumField): string => field.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)

/** Columns in the order of {@link sumFields}. */
export const sumColumns: ReadonlyArray<string> = sumFields.map(sumColumn)

const isKnown = (column: string): string => `(l.${column} IS NOT NULL)::integer`
const where = (condition: string, value: string): string => `CASE WHEN ${condition} THEN ${value} END`

/** Sums of a line `l` with kills. A null adds nothing. */
const ofLine: Readonly<Record<SumField, string>> = {
  maps: "1",
  kills: "l.kills",
  deaths: "l.deaths",
  damageMaps: isKnown("damage"),
  damage: "l.damage",
  seconds: "l.duration_seconds",
  timedKills: where("l.duration_seconds IS NOT NULL", "l.kills"),
  damageSeconds: where("l.damage IS NOT NULL", "l.duration_seconds"),
  timedDamage: where("l.duration_seconds IS NOT NULL", "l.damage"),
  lobbyKills: "l.kills",
  lobbyMeanKills: "l.mean_kills",
  hillMaps: isKnown("hill_time"),
  hillTime: "l.hill_time",
  firstBloodMaps: isKnown("first_bloods"),
  firstBloods: "l.first_bloods",
  rounds: where("l.first_bloods IS NOT NULL", "l.rounds"),
  roundFirstBloods: where("l.rounds IS NOT NULL", "l.first_bloods"),
  tradeDeaths: where("l.traded_deaths IS NOT NULL", "l.deaths"),
  tradedDeaths: "l.traded_deaths",
  mateDeaths: where("l.trade_kills IS NOT NULL", "l.mate_deaths"),
  tradeKills: "l.trade_kills",
  clutchMaps: isKnown("clutch1v1_attempts"),
  clutch1v1Attempts: "l.clutch1v1_attempts",
  clutch1v1Wins: "l.clutch1v1_wins",
  clutch1v2Attempts: "l.clutch1v2_attempts",
  clutch1v2Wins: "l.clutch1v2_wins",
  clutch1v3Attempts: "l.clutch1v3_attempts",
  clutch1v3Wins: "l.clutch1v3_wins",
}

/** Sums that tournaments without matches have, for a total `t`. Others are zero. */
const ofTotal: Partial<Readonly<Record<SumField, string>>> = {
  maps: "t.maps_played",
  kills: "t.kills",
  deaths: "t.deaths",
  hillMaps: "CASE WHEN t.hill_time IS NOT NULL THEN t.maps_played END",
  hillTime: "t.hill_time",
  firstBloodMaps: "CASE WHEN t.first_bloods IS NOT NULL THEN t.maps_played END",
  firstBloods: "t.first_bloods",
}

const sumText = (of: Partial<Readonly<Record<SumField, string>>>): string =>
  sumFields.map((field) => (of[field] === undefined ? "0" : `COALESCE(sum(${of[field]}), 0)`)).join(", ")

export const factColumns = `player_id, season, tournament_id, match_id, starts_at, start_order, team_slug, opponent_slug, won, ${sumColumns.join(", ")}`

/** Facts of the seasons of the first parameter, with the columns {@link factColumns}. */
export const factsText = (seasons: string): string => `
  WITH lines AS (
    SELECT l.*, m.tournament_id, m.starts_at, m.start_order, tournaments.season, p.duration_seconds, m.winner_slug,
      CASE WHEN l.team_slug = m.team1_slug THEN m.team2_slug ELSE m.team1_slug END AS opponent_slug,
      p.team1_score + p.team2_score AS rounds,
      avg(l.kills) OVER lobby AS mean_kills,
      sum(l.deaths) OVER (PARTITION BY l.match_id, l.map_number, l.team_slug) - l.deaths AS mate_deaths
    FROM cod_matches m
    JOIN cod_tournaments tournaments ON tournaments.tournament_id = m.tournament_id
    JOIN cod_player_lines l ON l.match_id = m.match_id
    JOIN cod_maps p ON p.match_id = l.match_id AND p.map_number = l.map_number
    WHERE m.status = 'completed' AND l.kills IS NOT NULL AND tournaments.season = ANY(${seasons})
    WINDOW lobby AS (PARTITION BY l.match_id, l.map_number)
  )
  SELECT l.player_id, l.season, l.tournament_id, l.match_id, l.starts_at, l.start_order, min(l.team_slug) AS team_slug,
    min(l.opponent_slug) AS opponent_slug, bool_or(l.team_slug = l.winner_slug) AS won, ${sumText(ofLine)}
  FROM lines l GROUP BY l.player_id, l.season, l.tournament_id, l.match_id, l.starts_at, l.start_order
  UNION ALL
  SELECT t.player_id, tournaments.season, t.tournament_id, '', NULL, 0, NULL, NULL, NULL, ${sumText(ofTotal)}
  FROM cod_tournament_totals t JOIN cod_tournaments tournaments ON tournaments.tournament_id = t.tournament_id
  WHERE tournaments.season = ANY(${seasons})
  GROUP BY t.player_id, tournaments.season, t.tournament_id`

/** Sums of facts `f` as a JSON array in the order of the fields. */
export const summedJson = (fields: ReadonlyArray<SumField>, alias = "f"): string =>
  `jsonb_build_array(${fields.map((field) => `COALESCE(sum(${alias}.${sumColumn(field)}), 0)`).join(", ")})`
