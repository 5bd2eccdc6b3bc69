import { gameName } from "@matchpoint/domain/ids"

export const APEX = gameName("apex")
