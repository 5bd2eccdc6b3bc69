/** The simulated match in progress. Also simulates fights between players, which all modes have. */
import type { MatchId } from "@matchpoint/domain/ids"
import { Play } from "@matchpoint/simulator/Play"
import type { Random } from "@matchpoint/simulator/random"
import type { ReportedEvent } from "../../rules/live/feedEvents.ts"
import { fold } from "../../rules/live/fold.ts"
import { otherSide, type SideIndex } from "../../rules/live/format.ts"
import type { PlayerId } from "../../rules/live/registry.ts"
import { type MatchMap, type MatchState, mapInPlay } from "../../rules/live/state.ts"
import type { TimedFact } from "./timedFact.ts"

export interface SimulatedPlayer {
  readonly id: PlayerId
  readonly ign: string
  /** Log-odds that the player wins a fight against an average player. */
  readonly aim: number
  /** Share of the team's time on objectives, relative to the teammates. The mean is 1. */
  readonly objective: number
  /** Chance to take part in a fight, relative to the teammates. The mean is 1. */
  readonly pace: number
}

export type Lineups = readonly [ReadonlyArray<SimulatedPlayer>, ReadonlyArray<SimulatedPlayer>]

const weapons = ["AK-27", "Cypher 091", "Dresden 9mm", "Kilo 4", "Saug", "VS Recon"] as const

/** Probability that a kill has an assist, and that the next kill is a trade. */
const ASSISTED = 0.32
const TRADED = 0.28

export class MatchPlay extends Play<MatchState, ReportedEvent> {
  readonly random: Random
  readonly lineups: Lineups
  /** May be killed next in a trade. */
  #lastKiller: { readonly side: SideIndex; readonly player: SimulatedPlayer } | undefined

  constructor(matchId: MatchId, random: Random, lineups: Lineups) {
    super(matchId, fold)
    this.random = random
    this.lineups = lineups
  }

  get map(): MatchMap {
    return mapInPlay(this.live) ?? this.live.maps[0] ?? failed("no map is chosen")
  }

  /** Fights with the given living players. Undefined if a side has none. */
  kill(map: number, round: number | undefined, alive: Lineups): TimedFact | undefined {
    const { random } = this
    const traded = this.#lastKiller
    const isTrade = traded !== undefined && alive[traded.side].includes(traded.player) && random.chance(TRADED)
    const [one, two] = [random.weighted(alive[0], paceOf), random.weighted(alive[1], paceOf)]
    if (one === undefined || two === undefined) return undefined
    const winsFirst = random.chance(1 / (1 + Math.exp(two.aim - one.aim)))
    const side: SideIndex = isTrade ? otherSide(traded.side) : winsFirst ? 0 : 1
    const attacker = side === 0 ? one : two
    const victim = isTrade ? traded.player : side === 0 ? two : one
    const helpers = alive[side].filter((player) => player !== attacker)
    const helper = random.chance(ASSISTED) ? helpers[random.int(0, Math.max(0, helpers.length - 1))] : undefined
    this.#lastKiller = { side, player: attacker }
    return this.add({
      type: "PlayerKilled",
      payload: {
        map,
        ...(round === undefined ? {} : { round }),
        attacker: attacker.id,
        victim: victim.id,
        weapon: random.pick(weapons),
        assists: helper === undefined ? [] : [helper.id],
      },
    })
  }

  /** Different players who take an objective, at most `count` of the given ones. */
  takers(players: ReadonlyArray<SimulatedPlayer>, count: number): ReadonlyArray<SimulatedPlayer> {
    const first = count === 0 ? undefined : this.random.weighted(players, ({ objective }) => objective)
    if (first === undefined) return []
    const others = players.filter((player) => player !== first)
    return [first, ...this.takers(others, count - 1)]
  }
}

const paceOf = ({ pace }: SimulatedPlayer): number => pace

const failed = (message: string): never => {
  throw new Error(message)
}
