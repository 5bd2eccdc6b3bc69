/** Name of the Call of Duty section among the games. */
import { gameName } from "../ids.ts"

export const COD = gameName("cod")
