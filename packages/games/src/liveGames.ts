/** The games whose matches run. */
import { apexLiveGame } from "@matchpoint/apex/live/apexLiveGame"
import { codLiveGame } from "@matchpoint/cod/live/codLiveGame"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import { tennisLiveGame } from "@matchpoint/tennis/live/tennisLiveGame"

export const liveGames: ReadonlyArray<LiveGame> = [apexLiveGame, codLiveGame, cs2LiveGame, tennisLiveGame]
