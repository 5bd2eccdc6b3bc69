/** Rooms of live lobbies of Apex. */
import { apexLive } from "@matchpoint/contracts/apex/apexLive"
import { gameRooms } from "../../live/gameRooms.ts"

export const apexRooms = gameRooms(apexLive)
