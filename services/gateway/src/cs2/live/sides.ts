/**
 * The side that a team plays. Read from the map in play, which has sides from its start. The team's own `side` is set
 * only when a round has started.
 */
import type { LiveMatch, LiveTeam } from "@matchpoint/contracts/cs2/LiveMatch"

/** Returns null if no map has started, or if the backup feed is in use, which does not report sides. */
export const sideOfTeam = ({ game, source }: LiveMatch, teamId: LiveTeam["id"]): LiveTeam["side"] =>
  game === null || source === "live_backup" ? null : game.sides.ctTeamId === teamId ? "CT" : "T"
