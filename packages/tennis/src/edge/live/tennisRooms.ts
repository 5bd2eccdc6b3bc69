/** Rooms of live tennis matches. */
import { tennisLive } from "../../contract/tennisLive.ts"
import { gameRooms } from "@matchpoint/game/edge/live/gameRooms"

export const tennisRooms = gameRooms(tennisLive)
