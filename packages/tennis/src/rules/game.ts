import { gameName } from "@matchpoint/domain/ids"

export const TENNIS = gameName("tennis")
