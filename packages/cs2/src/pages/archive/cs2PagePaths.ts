/** Paths of the archive pages of CS2. */
export const cs2PagePaths = ["/matches/:matchId", "/teams/:teamIdOrSlug", "/players/:playerIdOrSlug", "/events/:eventIdOrSlug"] as const
