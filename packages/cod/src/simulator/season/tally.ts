/**
 * Counts the statistics of the players on a map: kills, deaths, assists, damage, trades and streaks. Has no side effects
 * other than on itself.
 */
import type { Random } from "@matchpoint/simulator/random"
import { emptyLine, type PlayerMapLine } from "../../rules/archive/rows.ts"
import type { LeaguePlayer } from "./leagueTeams.ts"

export type Side = 0 | 1
export const otherSide = (side: Side): Side => (side === 0 ? 1 : 0)

/** Values of a line that change during a map. */
export type Counts = { -readonly [Field in keyof typeof emptyLine]: number }

/** A player on a map. */
export interface Fighter {
  readonly player: LeaguePlayer
  readonly side: Side
  readonly counts: Counts
  /** Kills since the last death. */
  streak: number
}

/** Statistics of a line that the map's mode has. */
export type ModeFields = ReadonlyArray<keyof typeof emptyLine>

/** Statistics of every mode. */
const everywhere: ModeFields = ["kills", "deaths", "assists", "damage", "highestStreak", "rating", "tradeKills", "tradedDeaths"]

/** Health of a player, in points of damage. */
const HEALTH = 150
/** Probability that a kill has an assist. */
const ASSISTED = 0.3
/** Probability that the next kill, if its victim is the last killer, is soon enough to be a trade. */
const TRADED = 0.8

export class Tally {
  readonly fighters: readonly [ReadonlyArray<Fighter>, ReadonlyArray<Fighter>]
  readonly #random: Random
  /** The last kill, until it was traded. */
  #last: { readonly killer: Fighter; readonly victim: Fighter } | undefined

  constructor(random: Random, teams: readonly [ReadonlyArray<LeaguePlayer>, ReadonlyArray<LeaguePlayer>]) {
    this.#random = random
    const sideOf = (side: Side) => teams[side].map((player): Fighter => ({ player, side, counts: zeroCounts(), streak: 0 }))
    this.fighters = [sideOf(0), sideOf(1)]
  }

  /** Counts a kill. `helpers` are the living teammates of the killer. */
  kill(killer: Fighter, victim: Fighter, helpers: ReadonlyArray<Fighter>): void {
    killer.counts.kills += 1
    killer.streak += 1
    killer.counts.highestStreak = Math.max(killer.counts.highestStreak, killer.streak)
    victim.counts.deaths += 1
    victim.streak = 0
    const helper = helpers.length > 0 && this.#random.chance(ASSISTED) ? helpers[this.#random.int(0, helpers.length - 1)] : undefined
    const byHelper = helper === undefined ? 0 : this.#random.int(30, 80)
    if (helper !== undefined) {
      helper.counts.assists += 1
      helper.counts.damage += byHelper
    }
    killer.counts.damage += HEALTH - byHelper
    // Damage without a kill.
    victim.counts.damage += this.#random.int(0, 60)
    if (this.#last !== undefined && this.#last.killer === victim && this.#random.chance(TRADED)) {
      killer.counts.tradeKills += 1
      this.#last.victim.counts.tradedDeaths += 1
    }
    this.#last = { killer, victim }
  }

  /** Ends a round: streaks go on, but kills of the next round trade none of this one. */
  endRound(): void {
    this.#last = undefined
  }

  /** Returns the lines of all players, with the statistics of the mode. Others are null. */
  lines(
    map: Pick<PlayerMapLine, "mapNumber" | "matchId">,
    teamSlugs: readonly [string, string],
    ofMode: ModeFields,
  ): ReadonlyArray<PlayerMapLine> {
    return this.fighters.flat().map(({ counts, player, side }) => ({
      ...map,
      playerId: player.playerId,
      teamSlug: teamSlugs[side],
      ...emptyLine,
      ...Object.fromEntries([...everywhere, ...ofMode].map((field) => [field, counts[field]])),
      rating: ratingOf(counts),
    }))
  }
}

const zeroCounts = (): Counts => {
  const counts: Record<string, number> = {}
  for (const field of Object.keys(emptyLine)) counts[field] = 0
  return counts as Counts
}

/** Rating of the simulated league: kills and a quarter of the assists per death, rounded to two decimals. */
export const ratingOf = ({ assists, deaths, kills }: Pick<Counts, "assists" | "deaths" | "kills">): number =>
  Math.round(((kills + assists / 4) / Math.max(1, deaths)) * 100) / 100

/** Picks an item with a probability in proportion to its weight. */
export const weighted = <A>(random: Random, items: ReadonlyArray<A>, weightOf: (item: A) => number): A => {
  const total = items.reduce((sum, item) => sum + weightOf(item), 0)
  let left = random.next() * total
  for (const item of items) {
    left -= weightOf(item)
    if (left < 0) return item
  }
  const last = items.at(-1)
  if (last === undefined) throw new Error("There is no item to pick from")
  return last
}

/** Mean aim of the players. */
export const meanAim = (fighters: ReadonlyArray<Fighter>): number =>
  fighters.reduce((sum, { player }) => sum + player.aim, 0) / Math.max(1, fighters.length)

/** Returns the probability that side 0 wins something if its log-odds are `odds`. */
export const probability = (odds: number): number => 1 / (1 + Math.exp(-odds))
