import { gameRooms } from "@matchpoint/game/edge/live/gameRooms"
import { tennisLive } from "../../contract/tennisLive.ts"

export const tennisRooms = gameRooms(tennisLive)
