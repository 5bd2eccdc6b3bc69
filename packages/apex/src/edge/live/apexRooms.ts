import { gameRooms } from "@matchpoint/game/edge/live/gameRooms"
import { apexLive } from "../../contract/apexLive.ts"

export const apexRooms = gameRooms(apexLive)
