import { gameRooms } from "@matchpoint/game/edge/live/gameRooms"
import { codLive } from "../../contract/codLive.ts"

export const codRooms = gameRooms(codLive)
