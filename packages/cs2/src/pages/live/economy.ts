/** Classifies what a team has bought for a round. */
import type { LiveMatch, LiveTeam } from "../types.ts"

/** Ascending upper bounds, in dollars, of the equipment value of a team of five players. From the last bound on: full buy. */
const bounds = [
  [5_000, "eco", "Eco"],
  [10_000, "light", "Semi-eco"],
  [20_000, "force", "Force"],
] as const

export interface Buy {
  readonly kind: "buying" | "pistol" | "eco" | "light" | "force" | "full"
  readonly words: string
}

/**
 * Null if the feed does not report equipment. The equipment of players who have died since is included. Unless the
 * round is live or over, the result is "Buying". `opensHalf`: first round of a half of regulation, with pistols only.
 */
export const buyOf = (match: LiveMatch, team: LiveTeam, opensHalf: boolean): Buy | null => {
  const values = match.players.filter((player) => player.teamId === team.id).map((player) => player.equipmentValue)
  if (values.length === 0 || values.some((value) => value === null)) return null
  if (match.game?.phase !== "live" && match.game?.phase !== "over") return { kind: "buying", words: "Buying" }
  if (opensHalf) return { kind: "pistol", words: "Pistol" }
  const perFive = (values.reduce((sum, value) => (sum ?? 0) + (value ?? 0), 0) ?? 0) * (5 / values.length)
  for (const [bound, kind, words] of bounds) if (perFive < bound) return { kind, words }
  return { kind: "full", words: "Full buy" }
}
