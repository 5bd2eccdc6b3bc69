/** Which side a team plays: the document says so per team once a round has begun, and of the map in play from its beginning. */
import type { LiveMatch, LiveTeam } from "@matchpoint/contracts/stream/LiveMatch"

/** Null: no map has begun. */
export const sideOfTeam = ({ game }: LiveMatch, teamId: LiveTeam["id"]): LiveTeam["side"] =>
  game === null ? null : game.sides.ctTeamId === teamId ? "CT" : "T"
