/** Name of tennis among the games. */
import { gameName } from "@matchpoint/domain/ids"

export const TENNIS = gameName("tennis")
