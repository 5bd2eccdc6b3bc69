/**
 * SQL expressions for totals over a player's matches and player lines (one player's statistics on one map). They read
 * tables that {@link playerMatches} defines at the start of the statement: `player` (one row of cs2_players, or none),
 * `appearances` (one row per match of the player) and `lines` (one row per player line).
 */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import { RATING_VERSION } from "../../rules/rating.ts"
import { averageByRoundsText, ratioText, shareByRoundsText, shareText } from "../rates.ts"
import { subjectPlayerNumberOf, teamNumberOf } from "../references.ts"
import { visibleResultSql } from "../visibleResults.ts"

/** `from` and `to` bound the start of the match, inclusive. */
export interface LineFilter {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** Map name, such as `de_mirage`. */
  readonly map?: string | undefined
  /** Id or slug of the player's team on the map. */
  readonly team?: string | undefined
}

export const playerMatches = (sql: PgClient.PgClient, reference: string, filter: LineFilter): Fragment => sql`
    WITH player AS (SELECT * FROM cs2_players WHERE player_number = ${subjectPlayerNumberOf(sql, reference)}),
    appearances AS (
      SELECT s.match_number, s.event_number, s.starts_at, a.team_number,
        CASE WHEN s.winner_team_number IS NULL THEN 'D' WHEN s.winner_team_number = a.team_number THEN 'W' ELSE 'L' END AS result
      FROM (
        SELECT l.match_number, l.team_number FROM player JOIN cs2_lineups l USING (player_number) WHERE l.role = 'player'
        UNION SELECT l.match_number, l.team_number FROM player JOIN cs2_player_games l USING (player_number)) AS a
      JOIN cs2_series s ON s.match_number = a.match_number
      WHERE ${sql.and(over(sql, filter))}),
    lines AS (
      SELECT l.*, g.map_id, s.starts_at, g.winner_team_number = l.team_number AS won
      FROM ${linesOf(sql, sql.literal("(SELECT player_number FROM player)"), filter)})`

/** Tables of a query of player lines, for FROM. Aliases: `l` for the line, `g` for its map, `s` for its match. */
export const playerLines = (sql: PgClient.PgClient, reference: string, filter: LineFilter): Fragment =>
  linesOf(sql, subjectPlayerNumberOf(sql, reference), filter)

const linesOf = (sql: PgClient.PgClient, player: Fragment, { map, team, ...filter }: LineFilter): Fragment => sql`
      cs2_player_games l
      JOIN cs2_games g ON g.match_number = l.match_number AND g.map_number = l.map_number
      JOIN cs2_series s ON s.match_number = l.match_number
      WHERE ${sql.and([
        sql`l.player_number = ${player}`,
        ...over(sql, filter),
        ...(map === undefined ? [] : [sql`g.map_id = ${map}`]),
        ...(team === undefined ? [] : [sql`l.team_number = ${teamNumberOf(sql, team)}`]),
      ])}`

/** Matches `s` that totals include: every plan may see the result, and the start is within the time bounds. */
const over = (sql: PgClient.PgClient, { from, to }: LineFilter): ReadonlyArray<Fragment> => [
  sql.literal(visibleResultSql("s")),
  ...(from === undefined ? [] : [sql`s.starts_at >= ${from}`]),
  ...(to === undefined ? [] : [sql`s.starts_at <= ${to}`]),
]

const count = (where: string): string => `count(*) FILTER (WHERE ${where})`

/** JSON fields of `record` (wins, losses and win rate), for queries that group rows of `appearances`. */
const recordText = `'matches', count(*), 'matchWins', ${count("result = 'W'")}, 'matchLosses', ${count("result = 'L'")},
      'matchWinRate', ${shareText(count("result = 'W'"), count("result <> 'D'"))}`

// Kills on maps with reported headshots: the most headshots a total can have. Team kills are subtracted from kills but
// not from headshots.
const KILLS_WITH_HEADSHOTS = "sum(kills) FILTER (WHERE headshots IS NOT NULL)"

/** JSON fields of `lineTotals`, for queries that group rows of `lines`. */
const lineTotalsText = `
      'maps', count(*), 'mapWins', ${count("won")}, 'mapLosses', ${count("NOT won")},
      'mapWinRate', ${shareText(count("won"), count("won IS NOT NULL"))},
      'rounds', COALESCE(sum(rounds), 0), 'kills', COALESCE(sum(kills), 0), 'deaths', COALESCE(sum(deaths), 0), 'assists', sum(assists),
      'plusMinus', COALESCE(sum(kills - deaths), 0), 'kdRatio', ${ratioText("sum(kills)", "sum(deaths)")},
      'killsPerRound', ${ratioText("sum(kills)", "sum(rounds)")}, 'deathsPerRound', ${ratioText("sum(deaths)", "sum(rounds)")},
      'headshots', sum(headshots),
      'headshotPercent', ${shareText(`LEAST(sum(headshots), ${KILLS_WITH_HEADSHOTS})`, KILLS_WITH_HEADSHOTS)},
      'firstKills', sum(first_kills), 'firstDeaths', sum(first_deaths),
      'openingDuelSuccessRate', ${shareText("sum(first_kills)", "sum(first_kills + first_deaths)")},
      'adr', ${averageByRoundsText("adr")}, 'kast', ${shareByRoundsText("kast")}, 'rating', ${averageByRoundsText("rating")},
      'ratingVersion', '${RATING_VERSION}', 'flashAssists', sum(flash_assists), 'utilityDamage', sum(utility_damage),
      'clutchAttempts', sum(clutch_attempts), 'clutchesWon', sum(clutches_won)`

/** `where` is a condition on rows of the table `lines`. */
export const lineTotalsJson = (where = "true"): string => `(SELECT jsonb_build_object(${lineTotalsText}) FROM lines WHERE ${where})`

/** The fields of `record` and of `lineTotals`. `where` is a condition on the rows of `appearances` and of `lines`. */
export const totalsJson = (where = "true"): string =>
  `((SELECT jsonb_build_object(${recordText}) FROM appearances WHERE ${where}) || ${lineTotalsJson(where)})`

/** The teams for which the player has played, most recent first, with totals. */
export const careerTeamsJson = `(
      SELECT COALESCE(jsonb_agg(jsonb_build_object('teamId', cs2_team_id(t.team_number), 'teamName', t.name,
        'firstMatchAt', iso_utc(spell.first), 'lastMatchAt', iso_utc(spell.last)) || ${totalsJson("team_number = t.team_number")}
        ORDER BY spell.last DESC, t.team_number), '[]')
      FROM (SELECT team_number, min(starts_at) AS first, max(starts_at) AS last FROM appearances GROUP BY team_number) AS spell
      JOIN cs2_teams t ON t.team_number = spell.team_number)`

export const careerMapsJson = `(
      SELECT COALESCE(jsonb_agg(jsonb_build_object('mapName', map_id) || totals ORDER BY maps DESC, map_id), '[]')
      FROM (SELECT map_id, count(*) AS maps, jsonb_build_object(${lineTotalsText}) AS totals FROM lines GROUP BY map_id) AS by_map)`

/** The newest 50 events in which the player has played. */
export const careerEventsJson = `(
      SELECT COALESCE(jsonb_agg(jsonb_build_object('eventId', cs2_event_id(e.event_number), 'eventName', e.name, 'teamName', t.name,
        'placement', et.placement, 'lastMatchAt', iso_utc(played.last)) || played.record
        ORDER BY played.last DESC, e.event_number DESC, t.team_number), '[]')
      FROM (
        SELECT event_number, team_number, max(starts_at) AS last, jsonb_build_object(${recordText}) AS record
        FROM appearances WHERE event_number IS NOT NULL GROUP BY event_number, team_number
        ORDER BY last DESC, event_number DESC, team_number LIMIT 50) AS played
      JOIN cs2_events e ON e.event_number = played.event_number
      JOIN cs2_teams t ON t.team_number = played.team_number
      LEFT JOIN cs2_event_teams et ON et.event_number = e.event_number AND et.team_number = t.team_number)`

/** SQL expression for the season of a match, which is the year of its start in UTC. */
const seasonOf = "extract(year FROM starts_at AT TIME ZONE 'UTC')::integer"

export const seasonsJson = `(
      SELECT COALESCE(jsonb_agg(jsonb_build_object('season', season, 'teams', (
          SELECT jsonb_agg(jsonb_build_object('teamId', cs2_team_id(t.team_number), 'teamName', t.name) ORDER BY mine.last, t.team_number)
          FROM (SELECT team_number, max(starts_at) AS last FROM appearances WHERE ${seasonOf} = season GROUP BY team_number) AS mine
          JOIN cs2_teams t ON t.team_number = mine.team_number)) || ${totalsJson(`${seasonOf} = season`)}
        ORDER BY season DESC), '[]')
      FROM (SELECT DISTINCT ${seasonOf} AS season FROM appearances) AS seasons)`

/** SQL for the JSON fields of `availability`, which state whether the archive has any match of the player. */
export const availabilityText = `'dataAvailable', EXISTS (SELECT FROM appearances),
      'unavailableReason', CASE WHEN NOT EXISTS (SELECT FROM appearances) THEN 'not_yet_indexed' END`
