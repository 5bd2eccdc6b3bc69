import type { LiveMatch } from "../types.ts"

/** `from` and `to` are the numbers of the first and last round. */
export interface Half {
  readonly words: string
  readonly short: string
  readonly from: number
  readonly to: number
  readonly overtime: boolean
}

/** Both halves of regulation, and of every overtime that has begun by the current round, `round`. */
export const halvesOf = (rules: Pick<LiveMatch["rules"], "maxRounds" | "overtimeRounds">, round: number): ReadonlyArray<Half> => {
  const regulation = rules.maxRounds / 2
  const overtime = rules.overtimeRounds / 2
  const halves: Array<Half> = [
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

/** The first round of either half of regulation. */
export const opensHalf = (halves: ReadonlyArray<Half>, round: number) => halves.some((half) => !half.overtime && half.from === round)
