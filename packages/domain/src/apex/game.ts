/** Name of Apex Legends among the games. */
import { gameName } from "../ids.ts"

export const APEX = gameName("apex")
