/** Builds the public document from the data of the main feed, or of the backup feed while that feed is active. */
import type { LiveMatch } from "../contract/LiveMatch.ts"
import type { MatchState } from "../rules/live/state.ts"
import { projectBackup } from "./projectBackup.ts"
import { projectMain } from "./projectMain.ts"

export const projectMatch = (state: MatchState): LiveMatch => (state.source === "live_backup" ? projectBackup(state) : projectMain(state))
