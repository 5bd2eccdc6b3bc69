/** Paths of the archive pages of Apex. */
export const apexPagePaths = [
  "/apex/events",
  "/apex/events/:seriesId",
  "/apex/players/:playerId",
  "/apex/tournaments/:eventId",
  "/apex/transactions",
] as const
