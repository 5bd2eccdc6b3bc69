/**
 * Clutches, 1vN: a player is the last of his side while the round still runs, against N >= 1 living enemies. It begins with the death
 * that leaves him alone and N stays what it was then, whoever dies later; it is won when his side wins the round, dead or alive. One
 * per side and round; the other side's begins where it comes to 1v1. Sides that began the round with one player have none. As
 * cs-demo-analyzer (`registerCommonHandlers`, "1vX detection") finds them; its sums per player (`oneVsXClutches`) add those of the
 * whole match and are not followed.
 */
import type { ClutchTally } from "../archive/ArchivedMatch.ts"
import { otherSide, type Side } from "../live/rules.ts"
import type { PlayerKey, RoundRecord } from "./MapRecord.ts"

export interface Clutch {
  /** Null: a bot's. */
  readonly player: PlayerKey | null
  readonly side: Side
  readonly opponents: number
  readonly won: boolean
}

const sides: ReadonlyArray<Side> = ["CT", "T"]

export const clutchesOf = (round: RoundRecord): ReadonlyArray<Clutch> => {
  const begun = new Map<Side, Clutch>()
  const living = standingIn(round)
  const of = (side: Side) => living.filter((one) => one.side === side)
  const alone = new Set(sides.filter((side) => of(side).length < 2))
  for (const { at, victim } of round.kills) {
    const index = living.findIndex((one) => one.player === victim.player && one.side === victim.side)
    // In a bot's body: it is a bot that falls.
    const fallen = index === -1 || victim.controlsBot ? living.findIndex((one) => one.player === null && one.side === victim.side) : index
    if (fallen !== -1) living.splice(fallen, 1)
    if (at > round.endedAt) continue
    for (const side of sides) {
      const [last, ...mates] = of(side)
      const opponents = of(otherSide(side)).length
      if (last === undefined || mates.length > 0 || opponents === 0 || alone.has(side) || begun.has(side)) continue
      begun.set(side, { player: last.player, side, opponents, won: round.winner === side })
    }
  }
  return [...begun.values()]
}

interface Standing {
  readonly player: PlayerKey | null
  readonly side: Side
}

/** Who began the round, and who joined it later: he takes the place of the bot that stood in for him. */
const standingIn = (round: RoundRecord): Array<Standing> => {
  const joined = new Set<PlayerKey>()
  const standing: Array<Standing> = round.present.map(({ player, side }) => ({ player, side }))
  for (const { killer, victim } of round.kills) {
    for (const { controlsBot, player, side } of [killer, victim]) {
      if (player === null || side === null || standing.some((one) => one.player === player) || joined.has(player)) continue
      joined.add(player)
      const bot = standing.findIndex((one) => one.player === null && one.side === side)
      if (bot !== -1) standing.splice(bot, 1)
      if (!controlsBot) standing.push({ player, side })
    }
  }
  return standing
}

export const clutchTally = (clutches: ReadonlyArray<Clutch>): ClutchTally => {
  const won = clutches.filter((clutch) => clutch.won)
  const against = (opponents: number) => won.filter((clutch) => clutch.opponents === opponents).length
  return {
    attempts: clutches.length,
    won: won.length,
    won1v1: against(1),
    won1v2: against(2),
    won1v3Plus: won.length - against(1) - against(2),
  }
}
