/** How the rounds of a map fall into halves and overtimes, by the rules of its match. Pure. */

/** @import { LiveMatch } from "@matchpoint/contracts/cs2/LiveMatch" */

/**
 * @typedef {{ readonly words: string, readonly short: string, readonly from: number, readonly to: number, readonly overtime: boolean }} Half
 * `from` and `to` are the numbers of its first and last round.
 */

/**
 * Both halves of regulation, and every half of overtime that has begun, with its second one.
 * @param {Pick<LiveMatch["rules"], "maxRounds" | "overtimeRounds">} rules
 * @param {number} round the round in play
 * @returns {ReadonlyArray<Half>}
 */
export const halvesOf = (rules, round) => {
  const regulation = rules.maxRounds / 2
  const overtime = rules.overtimeRounds / 2
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
