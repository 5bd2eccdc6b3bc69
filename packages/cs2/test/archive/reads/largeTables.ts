/**
 * Tables that have a thousand rows or more with full data, or that grow with every match. They must not be scanned
 * while a customer waits.
 */
export const largeTables: ReadonlySet<string> = new Set([
  "cs2_players",
  "cs2_names",
  "cs2_event_teams",
  "cs2_team_players",
  "cs2_roster_spells",
  "cs2_prizes",
  "cs2_skins",
  "cs2_stats_teams",
  "cs2_series",
  "cs2_games",
  "cs2_lineups",
  "cs2_player_games",
  "cs2_rounds",
  "cs2_game_events",
  "cs2_weapon_games",
  "cs2_rankings",
  "cs2_roster_changes",
  "cs2_transfers",
  "cs2_changelog",
  "cs2_search",
  "cs2_odds_markets",
  "cs2_odds_prices",
  "cs2_skin_prices",
  "cs2_stats_players",
])
