import { gameName } from "@matchpoint/domain/ids"

export const COD = gameName("cod")
