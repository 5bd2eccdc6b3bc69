/** Rooms of live Call of Duty matches. */
import { codLive } from "../../contract/codLive.ts"
import { gameRooms } from "@matchpoint/game/edge/live/gameRooms"

export const codRooms = gameRooms(codLive)
