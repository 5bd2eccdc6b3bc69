/**
 * Generates complete matches point by point from a seed, in every format. Reads no outside state and gives the same
 * facts for the same options. It is lazy: a point is played only when its fact is requested. The rules keep the score.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { Play } from "@matchpoint/simulator/Play"
import { Random } from "@matchpoint/simulator/random"
import type { PlayerSheet, ReportedEvent, TournamentSheet } from "../../rules/live/feedEvents.ts"
import { fold } from "../../rules/live/fold.ts"
import { type MatchFormat, otherSide, type SideIndex } from "../../rules/live/format.ts"
import type { Tour } from "../../rules/live/registry.ts"
import { type MatchState, nextPosition, type Position, serverOf } from "../../rules/live/state.ts"
import { playPoint, type Strength, servePointChance } from "./points.ts"
import type { TimedFact } from "./timedFact.ts"

/**
 * Increase with every change of the facts from a seed; a test enforces it. Else stored matches continue differently.
 */
export const GENERATOR_VERSION = 1

export interface SimulatedSide extends Strength {
  readonly players: ReadonlyArray<PlayerSheet>
}

export interface MatchOptions {
  /** Any safe integer. */
  readonly seed: number
  readonly matchId: MatchId
  readonly tour: Tour
  readonly tournament: TournamentSheet
  readonly format: MatchFormat
  readonly sides: readonly [SimulatedSide, SimulatedSide]
}

/** Standard deviation of a side's daily form, as a probability of a point. */
const FORM = 0.012
/** Probabilities per match. */
const WALKOVER = 0.005
const RETIREMENT = 0.02
const RAIN = 0.03

/** The n-th has the id `sim:<n>`; the first is `MatchCreated` at offset 0. To resume, skip the first n facts. */
export function* simulateMatch(options: MatchOptions): Generator<TimedFact, void, undefined> {
  const { format, sides, tour } = options
  const random = new Random(options.seed)
  const match = new Play<MatchState, ReportedEvent>(options.matchId, fold)
  const [one, two] = sides
  const sheets = [{ players: one.players }, { players: two.players }] as const
  yield match.add({ type: "MatchCreated", payload: { tour, tournament: options.tournament, format, sides: sheets } })
  const form = [random.normal() * FORM, random.normal() * FORM] as const
  const quitter: SideIndex = random.chance(0.5) ? 0 : 1
  match.pass(random.between(20_000, 60_000))
  if (random.chance(WALKOVER)) {
    yield match.add({ type: "WalkedOver", payload: { side: quitter } })
    return
  }
  const retiresAt = random.chance(RETIREMENT) ? random.int(20, 120) : Number.POSITIVE_INFINITY
  const rainAt = random.chance(RAIN) ? random.int(20, 120) : Number.POSITIVE_INFINITY
  yield match.add({ type: "MatchStarted", payload: { server: random.chance(0.5) ? 0 : 1 } })
  const chances = ([0, 1] as const).map((side) => {
    const other = otherSide(side)
    return servePointChance(tour, format.doubles, sides[side], sides[other]) + form[side] - form[other]
  })

  for (let points = 1; ; points += 1) {
    const server = serverOf(match.live)
    const next = nextPosition(match.live)
    if (server === undefined || next === undefined) return
    if (format.doubles && next.game === 1 && next.point === 1) {
      yield match.add({
        type: "ServeOrderChosen",
        payload: { set: next.set, first: [random.chance(0.5) ? 0 : 1, random.chance(0.5) ? 0 : 1] },
      })
    }
    match.pass(pauseBefore(random, next))
    const { durationMs, kind, winner } = playPoint(random, tour, server, chances[server] ?? 0.6, sides[server].aceFactor)
    match.pass(durationMs)
    yield match.add({ type: "PointPlayed", payload: { ...next, winner, kind } })
    if (match.live.status !== "live") return
    if (points === retiresAt) {
      match.pass(random.between(60_000, 180_000))
      yield match.add({ type: "Retired", payload: { side: quitter } })
      return
    }
    if (points === rainAt) {
      match.pass(30_000)
      yield match.add({ type: "Suspended", payload: { reason: "rain" } })
      match.pass(random.between(180_000, 480_000))
      yield match.add({ type: "Resumed", payload: {} })
    }
  }
}

/** Milliseconds. Sides change ends after odd games and sit down between sets. */
const pauseBefore = (random: Random, { game, point, set }: Position): number => {
  if (point > 1) return random.between(14_000, 24_000)
  if (game === 1) return set === 1 ? random.between(10_000, 30_000) : random.between(100_000, 130_000)
  return game % 2 === 0 && game > 2 ? random.between(75_000, 95_000) : random.between(20_000, 30_000)
}
