/** Commands of `npm run admin` that only one game has. */
import { teams } from "@matchpoint/cs2/edge/admin/cli/teamCommands"
import { tennisPlayers } from "@matchpoint/tennis/edge/admin/cli/playerCommands"

export const gameCommands = [teams, tennisPlayers] as const
