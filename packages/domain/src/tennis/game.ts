/** Name of tennis among the games. */
import { gameName } from "../ids.ts"

export const TENNIS = gameName("tennis")
