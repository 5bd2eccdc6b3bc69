/** Rooms of live lobbies of Apex. */
import { apexLive } from "../../contract/apexLive.ts"
import { gameRooms } from "@matchpoint/game/edge/live/gameRooms"

export const apexRooms = gameRooms(apexLive)
