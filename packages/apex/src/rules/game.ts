/** Name of Apex Legends among the games. */
import { gameName } from "@matchpoint/domain/ids"

export const APEX = gameName("apex")
