/**
 * The side (CT or T) that a team currently plays. It is read from the map in play, which has sides as soon as it
 * starts. The team's own `side` field is set only once a round has started.
 */
import type { LiveMatch, LiveTeam } from "../../contract/LiveMatch.ts"

/** Null if no map has started, or if the backup feed is in use, because it does not report sides. */
export const sideOfTeam = ({ game, source }: LiveMatch, teamId: LiveTeam["id"]): LiveTeam["side"] =>
  game === null || source === "live_backup" ? null : game.sides.ctTeamId === teamId ? "CT" : "T"
