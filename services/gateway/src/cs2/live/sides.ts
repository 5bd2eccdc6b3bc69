/** Which side a team plays: the document says so per team once a round has begun, and of the map in play from its beginning. */
import type { LiveMatch, LiveTeam } from "@matchpoint/contracts/cs2/LiveMatch"

/** Null: no map has begun, or the backup feed is in use, which does not tell. */
export const sideOfTeam = ({ game, source }: LiveMatch, teamId: LiveTeam["id"]): LiveTeam["side"] =>
  game === null || source === "live_backup" ? null : game.sides.ctTeamId === teamId ? "CT" : "T"
