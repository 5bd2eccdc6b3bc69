/**
 * Detects clutches (1vN): a player is the last one alive on a side while the round is still running, against N >= 1
 * living enemies. A clutch starts with the death that leaves the player alone. N keeps its value even if enemies die
 * later. The clutch is won if the side wins the round, whether or not the player survives. There is at most one clutch
 * per side and round. If the other side also has a clutch later in the round, that one is a 1v1. A side that started
 * the round with one player has no clutch.
 *
 * The detection follows cs-demo-analyzer (`registerCommonHandlers`, "1vX detection"). The totals per player that
 * cs-demo-analyzer provides (`oneVsXClutches`) cover the whole match and are not used here.
 */
import type { ClutchTally } from "../archive/ArchivedMatch.ts"
import { otherSide, type Side } from "../live/rules.ts"
import type { PlayerKey, RoundRecord } from "./MapRecord.ts"

export interface Clutch {
  /** `null` for a bot. */
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
    // A victim that was controlling a bot was already dead: the one that dies now is the bot.
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

/** All who started the round or joined it later. A player that joins replaces a bot of the same side. */
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
