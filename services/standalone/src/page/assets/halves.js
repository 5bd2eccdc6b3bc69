/** How the rounds of a map fall into halves and overtimes, as far as the document tells. Pure. */

/** @import { LiveMap } from "@matchpoint/contracts/stream/LiveMatch" */

/**
 * @typedef {{ readonly words: string, readonly short: string, readonly from: number, readonly to: number, readonly overtime: boolean }} Half
 * `from` and `to` are the numbers of its first and last round.
 */

/** Where a half has not been finished yet, its length is the usual one: MR12 with MR3 overtimes. */
const REGULATION_HALF = 12
const OVERTIME_HALF = 3

/**
 * Both halves of regulation, and every half of overtime that has begun, with its second one.
 * @param {LiveMap | undefined} map
 * @param {number} round the round in play
 * @returns {ReadonlyArray<Half>}
 */
export const halvesOf = (map, round) => {
  const played = (map?.team1Halves ?? []).map((rounds, half) => rounds + (map?.team2Halves[half] ?? 0))
  const first = played[0] ?? 0
  const regulation = played.length > 1 ? first : Math.max(REGULATION_HALF, first)
  const overtime = played.length > 3 ? (played[2] ?? OVERTIME_HALF) : OVERTIME_HALF
  /** @type {Array<Half>} */
  const halves = [
    { words: "First half", short: "1st", from: 1, to: regulation, overtime: false },
    { words: "Second half", short: "2nd", from: regulation + 1, to: 2 * regulation, overtime: false },
  ]
  for (let number = 1, from = 2 * regulation + 1; overtime > 0 && from <= round; number++, from += 2 * overtime) {
    halves.push({ words: `Overtime ${number}, first half`, short: `OT${number}`, from, to: from + overtime - 1, overtime: true })
    halves.push({
      words: `Overtime ${number}, second half`,
      short: "",
      from: from + overtime,
      to: from + 2 * overtime - 1,
      overtime: true,
    })
  }
  return halves
}

/**
 * Whether a round is played with pistols: the first of either half of regulation.
 * @param {ReadonlyArray<Half>} halves
 * @param {number} round
 */
export const opensHalf = (halves, round) => halves.some((half) => !half.overtime && half.from === round)
