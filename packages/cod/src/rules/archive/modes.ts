/**
 * Modes of league maps. Hardpoint, search and destroy and control were played until the season of 2025. Overload
 * replaced control in the season of 2026.
 */

export const gameModes = ["hardpoint", "snd", "control", "overload"] as const

/** `snd` is search and destroy. */
export type GameMode = (typeof gameModes)[number]

/** Names in responses, such as the field `gameMode` of a map. */
export const modeNames: Readonly<Record<GameMode, string>> = {
  hardpoint: "Hardpoint",
  snd: "Search and Destroy",
  control: "Control",
  overload: "Overload",
}

/** Accepts names such as `Search & Destroy`, `SnD` or `HP` in any case. */
export const modeOf = (name: string): GameMode | undefined =>
  spellings.get(name.toLowerCase().replaceAll("&", "and").replace(/\s+/gu, " ").trim())

const spellings: ReadonlyMap<string, GameMode> = new Map([
  ["hardpoint", "hardpoint"],
  ["hp", "hardpoint"],
  ["search and destroy", "snd"],
  ["snd", "snd"],
  ["control", "control"],
  ["overload", "overload"],
])
