/**
 * Generates complete matches fact by fact from a seed. Reads no outside state and gives the same facts for the same
 * options. It is lazy: play goes on only when the next fact is requested. The rules keep the score.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { Random } from "@matchpoint/simulator/random"
import type { ReportedLine, TournamentSheet } from "../../rules/live/feedEvents.ts"
import { type BestOf, type SideIndex, targetOf } from "../../rules/live/format.ts"
import type { TeamSlug } from "../../rules/live/registry.ts"
import type { MatchState } from "../../rules/live/state.ts"
import type { ChosenMap } from "../season/mapPool.ts"
import { leaderOf, playHardpoint } from "./hardpoint.ts"
import { MatchPlay, type SimulatedPlayer } from "./play.ts"
import { playControlRound, playRounds, playSearchRound } from "./rounds.ts"
import type { TimedFact } from "./timedFact.ts"

/**
 * Increase with every change of the facts from a seed; a test enforces it. Else stored matches continue differently.
 */
export const GENERATOR_VERSION = 2

export interface SimulatedTeam {
  readonly slug: TeamSlug
  readonly name: string
  readonly players: ReadonlyArray<SimulatedPlayer>
}

export interface MatchOptions {
  /** Any safe integer. */
  readonly seed: number
  readonly matchId: MatchId
  readonly tournament: TournamentSheet
  readonly bestOf: BestOf
  readonly teams: readonly [SimulatedTeam, SimulatedTeam]
  readonly maps: ReadonlyArray<ChosenMap>
}

/** Standard deviation of the daily form of a team, as log-odds of a fight. */
const FORM = 0.12
/** Probabilities per map of a timeout, and of a technical pause. */
const [TIMEOUT, TECHNICAL] = [0.25, 0.03]
const [KILL_DAMAGE, ASSIST_DAMAGE] = [115, 55]

/**
 * Facts in order. The n-th fact has the id `sim:<n>`, and the first fact is `MatchCreated` at offset 0. To resume after
 * the n-th fact, skip the first n facts. Returns the final state, in which times are offsets.
 */
export function* simulateMatch(options: MatchOptions): Generator<TimedFact, MatchState, undefined> {
  const { bestOf, maps, teams, tournament } = options
  const random = new Random(options.seed)
  const forms = [random.normal() * FORM, random.normal() * FORM] as const
  const lineup = (side: SideIndex) => teams[side].players.map((player) => ({ ...player, aim: player.aim + forms[side] }))
  const play = new MatchPlay(options.matchId, random, [lineup(0), lineup(1)])
  const sheet = ({ name, players, slug }: SimulatedTeam) => ({ slug, name, players: players.map(({ id, ign }) => ({ id, ign })) })
  yield play.add({ type: "MatchCreated", payload: { tournament, bestOf, teams: [sheet(teams[0]), sheet(teams[1])], maps: [] } })
  play.pass(random.between(5_000, 20_000))
  const sheets = maps.slice(0, bestOf).map(({ mapName, mode, pickedBy }) => ({ name: mapName, mode, pickedBy }))
  yield play.add({ type: "MapsChosen", payload: { maps: sheets } })
  play.pass(random.between(5_000, 15_000))
  yield play.add({ type: "MatchStarted", payload: {} })
  const edge = meanAim(play.lineups[0]) - meanAim(play.lineups[1])
  for (const [index, { mode }] of sheets.entries()) {
    const map = index + 1
    play.pass(random.between(20_000, 60_000))
    if (map > 1) yield* pauses(play)
    yield play.add({ type: "MapStarted", payload: { map, attacker: mode === "hardpoint" ? null : random.chance(0.5) ? 0 : 1 } })
    if (mode === "hardpoint") yield* playHardpoint(play, map, edge * 2)
    else yield* playRounds(play, map, targetOf[mode], mode === "snd" ? playSearchRound : playControlRound)
    play.pass(random.between(2_000, 6_000))
    yield play.add({ type: "MapEnded", payload: { map, winner: leaderOf(play.map.scores), statistics: damages(play) } })
    if (play.live.status !== "live") break
  }
  return play.live
}

function* pauses(play: MatchPlay): Generator<TimedFact, void, undefined> {
  const { random } = play
  const isTimeout = random.chance(TIMEOUT)
  if (!isTimeout && !random.chance(TECHNICAL)) return
  const side = isTimeout ? (random.chance(0.5) ? 0 : 1) : null
  yield play.add({ type: "Suspended", payload: { reason: isTimeout ? "timeout" : "technical", side } })
  play.pass(isTimeout ? 30_000 : random.between(60_000, 180_000))
  yield play.add({ type: "Resumed", payload: {} })
  play.pass(random.between(3_000, 8_000))
}

const meanAim = (players: ReadonlyArray<SimulatedPlayer>): number => players.reduce((sum, { aim }) => sum + aim, 0) / players.length

/** Damage of the players on the map in progress. */
const damages = ({ lineups, live, random }: MatchPlay): ReadonlyArray<ReportedLine> =>
  ([0, 1] as const).flatMap((side) =>
    lineups[side].map(({ id }, position) => {
      const line = live.current?.lines[side][position]
      const kills = line?.kills ?? 0
      const assists = line?.assists ?? 0
      return { player: id, damage: kills * KILL_DAMAGE + assists * ASSIST_DAMAGE + random.int(50, 400) }
    }),
  )
