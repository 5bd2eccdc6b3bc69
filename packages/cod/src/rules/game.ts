/** Name of Call of Duty among the games. */
import { gameName } from "@matchpoint/domain/ids"

export const COD = gameName("cod")
