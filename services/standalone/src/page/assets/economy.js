/** What a team's equipment means, in the words of the scene. Pure. */

/** @import { LiveMatch, LiveTeam } from "@matchpoint/contracts/cs2/LiveMatch" */

/** Upper bounds in dollars of equipment for a whole team of five. Full buys start where the last one ends. */
const bounds = /** @type {const} */ ([
  [5_000, "eco", "Eco"],
  [10_000, "light", "Semi-eco"],
  [20_000, "force", "Force"],
])

/** @typedef {{ readonly kind: "buying" | "pistol" | "eco" | "light" | "force" | "full", readonly words: string }} Buy */

/**
 * What the team bought for this round; null where the feed doesn't tell. Counts those who died as well, for a buy stays what it
 * was. Before the round is live nobody has to have bought yet. `opensHalf`: everybody starts with a pistol.
 * @param {LiveMatch} match
 * @param {LiveTeam} team
 * @param {boolean} opensHalf
 * @returns {Buy | null}
 */
export const buyOf = (match, team, opensHalf) => {
  const values = match.players.filter((player) => player.teamId === team.id).map((player) => player.equipmentValue)
  if (values.length === 0 || values.some((value) => value === null)) return null
  if (match.game?.phase !== "live" && match.game?.phase !== "over") return { kind: "buying", words: "Buying" }
  if (opensHalf) return { kind: "pistol", words: "Pistol" }
  const perFive = (values.reduce((sum, value) => (sum ?? 0) + (value ?? 0), 0) ?? 0) * (5 / values.length)
  for (const [bound, kind, words] of bounds) if (perFive < bound) return { kind, words }
  return { kind: "full", words: "Full buy" }
}
