/** SQL expressions for JSON of player statistics, with tables `m` (`cs2_stats_players`), `p` (player) and `t` (team). */
import type { LeaderboardMetric } from "../../contract/http/data/statsModels.ts"
import { RATING_VERSION } from "../../rules/rating.ts"
import { roundedShareText, roundedText } from "../rates.ts"

const WHO = `
    'playerId', cs2_player_id(m.player_number), 'playerName', p.nickname, 'teamId', cs2_team_id(m.team_number), 'teamName', t.name`

const RATES = `'rating', ${roundedText("m.rating")}, 'adr', ${roundedText("m.adr")}, 'kast', ${roundedShareText("m.kast")}`

/** Opening kills divided by opening duels. Null if the player had no opening duel. */
const OPENING_SUCCESS = roundedShareText("m.opening_kills::double precision / NULLIF(m.opening_kills + m.opening_deaths, 0)")

export const LEADERBOARD_ROW = `jsonb_build_object(${WHO},
    'maps', m.maps, ${RATES}, 'kills', m.kills, 'deaths', m.deaths, 'openingKills', m.opening_kills, 'kd', ${roundedText("m.kd")},
    'player', jsonb_build_object('id', cs2_player_id(p.player_number), 'nickname', p.nickname, 'slug', p.slug, 'imageUrl', p.image_url,
      'countryName', p.country_name, 'countryCode', p.country_code))`

/** The column by which a leaderboard is sorted. */
export const METRIC_COLUMN: Readonly<Record<LeaderboardMetric, string>> = {
  rating: "rating",
  adr: "adr",
  kast: "kast",
  kd: "kd",
  kills: "kills",
  "opening-kills": "opening_kills",
}

const FORMULA =
  "mean of the ratings of single maps, weighted by rounds; of a map: 0.0073 KAST% + 0.3591 KPR - 0.5329 DPR + 0.2372 impact + 0.0032 ADR + 0.1587 with impact = 2.13 KPR + 0.42 APR - 0.41"

export const PLAYER_STATS_ROW = `jsonb_build_object(${WHO},
    'maps', m.maps, 'kills', m.kills, 'deaths', m.deaths, 'assists', m.assists, 'kdRatio', ${roundedText("m.kd")}, ${RATES},
    'openingKills', m.opening_kills, 'openingDeaths', m.opening_deaths, 'openingDuelSuccessRate', ${OPENING_SUCCESS},
    'ratingProfile', jsonb_build_object('rating', ${roundedText("m.rating")}, 'ratingVersion', '${RATING_VERSION}',
      'components', jsonb_build_object('killsPerMap', ${roundedText("m.kills::double precision / m.maps")}, 'adr', ${roundedText("m.adr")},
        'kast', ${roundedShareText("m.kast")}, 'killsPlusAssistsPerDeath', ${roundedText("m.kills_plus_assists_per_death")}),
      'openingDuels', jsonb_build_object('openingKills', m.opening_kills, 'openingDeaths', m.opening_deaths,
        'successRate', ${OPENING_SUCCESS}),
      'formula', '${FORMULA}'),
    'source', m.source)`

export const OPENING_DUELS_ROW = `jsonb_build_object(${WHO},
    'maps', m.opening_maps, 'openingKills', m.opening_kills, 'openingDeaths', m.opening_deaths,
    'openingDuelAttempts', m.opening_kills + m.opening_deaths, 'openingDuelSuccessRate', ${OPENING_SUCCESS},
    'kills', m.kills, 'deaths', m.deaths)`

export const CLUTCHES_ROW = `jsonb_build_object(${WHO},
    'clutchAttempts', m.clutch_attempts, 'clutchesWon', m.clutches_won,
    'clutchWinPercent', ${roundedText("100.0 * m.clutches_won / NULLIF(m.clutch_attempts, 0)")},
    'wins1v1', m.wins_1v1, 'wins1v2', m.wins_1v2, 'wins1v3Plus', m.wins_1v3_plus)`

export const FLASH_ASSISTS_ROW = `jsonb_build_object(${WHO},
    'flashAssists', m.flash_assists, 'maps', m.flash_maps,
    'flashAssistsPerMap', ${roundedText("m.flash_assists::double precision / m.flash_maps")})`

export const UTILITY_ROW = `jsonb_build_object(${WHO},
    'maps', m.utility_maps, 'utilityEvents', m.utility_events, 'flashes', m.flashes, 'smokes', m.smokes, 'fireGrenades', m.fire_grenades,
    'heGrenades', m.he_grenades, 'decoys', m.decoys, 'utilityPerMap', ${roundedText("m.utility_events::double precision / m.utility_maps")},
    'lastSyncedAt', iso_utc(m.last_synced_at))`

export const ECONOMY_ROW = `jsonb_build_object(${WHO},
    'maps', m.economy_maps, 'purchases', m.purchases, 'totalSpend', m.total_spend,
    'avgEquipmentValue', ${roundedText("m.equipment_value::double precision / NULLIF(m.equipment_snapshots, 0)")},
    'equipmentSnapshots', m.equipment_snapshots, 'fullBuyRounds', m.full_buy_rounds, 'halfBuyRounds', m.half_buy_rounds,
    'forceBuyRounds', m.force_buy_rounds, 'ecoOrPistolRounds', m.eco_or_pistol_rounds,
    'spendPerMap', ${roundedText("m.total_spend::double precision / m.economy_maps")}, 'lastSyncedAt', iso_utc(m.last_synced_at))`
