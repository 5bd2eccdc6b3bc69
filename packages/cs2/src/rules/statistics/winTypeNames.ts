/** Win types as CS2 servers write them and the archive stores them. */
import type { WinType } from "../live/feedEvents.ts"
import type { Side } from "../live/rules.ts"

export type WinTypeName =
  | "CTs_Win"
  | "Terrorists_Win"
  | "Target_Bombed"
  | "Bomb_Defused"
  | "Target_Saved"
  | "Terrorists_Surrender"
  | "CTs_Surrender"
  | "Unknown"

/** `winner` is the side that won the round. */
export const winTypeName = (winType: WinType, winner: Side): WinTypeName => {
  switch (winType) {
    case "elimination":
      return winner === "CT" ? "CTs_Win" : "Terrorists_Win"
    case "bomb_exploded":
      return "Target_Bombed"
    case "bomb_defused":
      return "Bomb_Defused"
    case "time_expired":
      return "Target_Saved"
    case "surrender":
      return winner === "CT" ? "Terrorists_Surrender" : "CTs_Surrender"
    case "unknown":
      return "Unknown"
  }
}
