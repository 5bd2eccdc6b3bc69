/** Rooms of live tennis matches. */
import { tennisLive } from "@matchpoint/contracts/tennis/tennisLive"
import { gameRooms } from "../../live/gameRooms.ts"

export const tennisRooms = gameRooms(tennisLive)
