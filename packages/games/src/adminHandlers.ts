/** Handlers of admin endpoints that only one game has. */
import { TeamCorrectionsHandlers } from "@matchpoint/cs2/edge/admin/teamCorrectionsHandlers"
import { PlayerMergesHandlers } from "@matchpoint/tennis/edge/admin/playerMergesHandlers"
import { Layer } from "effect"

export const GameAdminHandlers = Layer.mergeAll(TeamCorrectionsHandlers, PlayerMergesHandlers)
