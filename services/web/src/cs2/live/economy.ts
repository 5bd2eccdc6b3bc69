/** What a team's equipment means, in the words of the scene. Pure. */
import type { LiveMatch, LiveTeam } from "../types.ts"

/** Upper bounds in dollars of equipment for a whole team of five. Full buys start where the last one ends. */
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
 * What the team bought for this round; null where the feed doesn't tell. Counts those who died as well, for a buy stays what it
 * was. Before the round is live nobody has to have bought yet. `opensHalf`: everybody starts with a pistol.
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
