/** Paths of the archive pages of Call of Duty. */
export const codPagePaths = [
  "/cod/leaders",
  "/cod/matches/:matchId",
  "/cod/player-comparison",
  "/cod/players/:playerId",
  "/cod/results",
  "/cod/schedule",
  "/cod/standings",
  "/cod/team-comparison",
  "/cod/teams/:slug",
] as const
