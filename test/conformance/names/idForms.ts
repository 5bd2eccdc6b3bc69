/**
 * The forms of the ids in paths, by path and parameter, with ids that are accepted and ids that are not. The forms of CS2 are
 * those of 1-cs2, 1, "Id formats" and "Slugs"; the others those of 2-other-sections, 2 and 4, where it names them. Data only.
 */
export type IdForm = readonly [operation: string, accepted: ReadonlyArray<string>, rejected: ReadonlyArray<string>]

export const idForms: ReadonlyArray<IdForm> = [
  ["/cs2/matches/{matchId} matchId", ["cs2-match-7"], ["7", "cs2-match-0", "CS2-match-7", "tennis-match-7"]],
  ["/cs2/games/{gameId} gameId", ["cs2-match-7-map-2"], ["cs2-match-7", "cs2-match-7-map-0"]],
  ["/cs2/maps/{mapId}/stats mapId", ["cs2-match-7-map-2"], ["de_mirage"]],
  ["/cs2/teams/{teamIdOrSlug} teamIdOrSlug", ["cs2-team-7", "alpha-wolves"], ["cs2_team_7", "-wolves"]],
  ["/cs2/players/{playerIdOrSlug} playerIdOrSlug", ["cs2-player-7", "ada"], ["cs2_player_7"]],
  ["/cs2/events/{eventIdOrSlug} eventIdOrSlug", ["cs2-event-7", "iem-sydney-2018"], ["iem sydney"]],
  ["/cs2/odds/markets/{marketId}/history marketId", ["cs2-odds-7"], ["7", "cs2-market-7"]],
  ["/tennis/players/{playerId} playerId", ["atp_206173", "wta_1"], ["206173", "ATP_206173", "atp-206173"]],
  ["/tennis/tournaments/{tournamentId} tournamentId", ["atp_2023-580", "wta_rome"], ["2023-580", "itf_2023-580"]],
  ["/tennis/matches/{matchId} matchId", ["atp_2023-580-300", "tennis-match-7"], ["atp/300"]],
  ["/cod/matches/{matchId} matchId", ["4711", "bp-match-4711"], ["match-4711", "bp_match_4711", "x"]],
  ["/cod/analytics/teams/{slug}/style slug", ["optic-texas"], ["OpTic Texas", "optic_texas"]],
  ["/apex/algs/events/{seriesId}/scores seriesId", ["year-4-championship-avsb"], ["year 4", "-year-4"]],
  ["/apex/algs/global-stats/{eventId}/players eventId", ["year-4-championship"], ["year 4"]],
  ["/apex/algs/tournaments/{tournamentId}/player-stats tournamentId", ["year-4-championship"], ["year 4"]],
]
