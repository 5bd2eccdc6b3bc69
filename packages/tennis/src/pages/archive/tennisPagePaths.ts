/** Paths of the archive pages of tennis. */
export const tennisPagePaths = [
  "/tennis/h2h",
  "/tennis/matches/:matchId",
  "/tennis/players/:playerId",
  "/tennis/tournaments/:tournamentId",
] as const
