/** Name of Call of Duty among the games. */
import { gameName } from "../ids.ts"

export const COD = gameName("cod")
