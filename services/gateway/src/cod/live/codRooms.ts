/** Rooms of live Call of Duty matches. */
import { codLive } from "@matchpoint/contracts/cod/codLive"
import { gameRooms } from "../../live/gameRooms.ts"

export const codRooms = gameRooms(codLive)
