/** Builds the public document of a match from its state: from the main feed, or from the backup feed while that is active. */
import type { LiveMatch } from "@matchpoint/contracts/cs2/LiveMatch"
import type { MatchState } from "@matchpoint/domain/cs2/live/state"
import { projectBackup } from "./projectBackup.ts"
import { projectMain } from "./projectMain.ts"

export const projectMatch = (state: MatchState): LiveMatch => (state.source === "live_backup" ? projectBackup(state) : projectMain(state))
