/** Converts one map of a live match to the archive's format: halves, player statistics with rates, and rounds. */
import type { LiveEvent } from "../contract/LiveEvent.ts"
import type { ArchivedGame, ArchivedHalf, ArchivedPlayerStats, ArchivedRound, BuyType } from "../rules/archive/ArchivedMatch.ts"
import { type MatchRules, onStartingSides, otherTeam, type Side, type TeamIndex } from "../rules/live/rules.ts"
import type { GameMap, MatchState, RoundResult, PlayerState as Tally } from "../rules/live/state.ts"
import { adr, kast, rating } from "../rules/rating.ts"
import { buyTypeOf } from "../rules/statistics/buyTypes.ts"
import { winTypeName } from "../rules/statistics/winTypeNames.ts"
import { archivedEvents, bombSites, eventsOfMap, type RefOf, weaponsOf } from "./archivedTimeline.ts"

/** `events` are those of the whole match, or undefined if some are lost. Then the archived map contains no events. */
export const archivedMap = (state: MatchState, map: GameMap, events: ReadonlyArray<LiveEvent> | undefined, refOf: RefOf): ArchivedGame => {
  const ofMap = events === undefined ? [] : eventsOfMap(events, map.number)
  const pickedBy = state.teams.findIndex(({ id }) => id === map.pickTeamId)
  return {
    mapNumber: map.number,
    map: map.name,
    resultType: map.endReason === "forfeit" ? "forfeit" : "played",
    score: map.score,
    ...(map.halves.length === 0 ? {} : { halves: halvesOf(map, state.rules) }),
    ...(pickedBy === 0 || pickedBy === 1 ? { pickedBy } : {}),
    ...(map.winner === null || map.winner === "draw" ? {} : { winner: map.winner }),
    playedAt: map.startedAt,
    ...(map.endedAt === null ? {} : { durationMs: Math.max(0, map.endedAt - map.startedAt) }),
    lines: linesOf(map, events === undefined ? undefined : weaponsOf(ofMap), refOf),
    rounds: roundsOf(state, map, bombSites(ofMap)),
    events: archivedEvents(ofMap, refOf),
  }
}

/** A player who is only listed in the roster has not played. */
export const hasPlayed = ({ assists, damage, deaths, kastRounds, kills }: Tally): boolean =>
  kills !== 0 || deaths > 0 || assists > 0 || damage > 0 || kastRounds > 0

/** If every player's damage is zero, the feed does not report damage: rates that depend on it are omitted. */
const linesOf = (map: GameMap, weapons: ReturnType<typeof weaponsOf> | undefined, refOf: RefOf): ReadonlyArray<ArchivedPlayerStats> => {
  const hasDamage = map.lines.some(({ damage }) => damage > 0)
  const rounds = map.roundsPlayed
  return map.lines.filter(hasPlayed).flatMap((tally) => {
    const player = refOf(tally.playerId)
    const [twos, threes, fours, fives] = tally.multiKills
    return player === undefined
      ? []
      : {
          player,
          team: tally.team,
          rounds,
          kills: tally.kills,
          deaths: tally.deaths,
          assists: tally.assists,
          headshots: tally.headshots,
          firstKills: tally.firstKills,
          firstDeaths: tally.firstDeaths,
          kast: kast(tally, rounds) ?? undefined,
          ...(hasDamage ? { adr: adr(tally, rounds), rating: rating(tally, rounds) ?? undefined, damage: tally.damage } : {}),
          flashAssists: tally.flashAssists,
          tradeKills: tally.tradeKills,
          multiKills: [Math.max(0, tally.kills - 2 * twos - 3 * threes - 4 * fours - 5 * fives), twos, threes, fours, fives] as const,
          // The number of opponents in each clutch is missing, because the match state does not record it.
          clutches: { attempts: tally.clutchAttempts, won: tally.clutchesWon },
          ...(weapons === undefined ? {} : { weapons: weapons.get(tally.playerId) ?? [] }),
        }
  })
}

const roundsOf = (state: MatchState, map: GameMap, sites: ReadonlyMap<number, "A" | "B">): ReadonlyArray<ArchivedRound> =>
  map.rounds.map((result, index) => {
    const { ctEquipment, ctScore, round, tEquipment, tScore, winType, winner, winnerTeam } = result
    const ct = winner === "CT" ? winnerTeam : otherTeam(winnerTeam)
    const previous = map.rounds[index - 1]
    return {
      round,
      ct,
      winnerSide: winner,
      winType: winTypeName(winType, winner),
      score: ct === 0 ? [ctScore, tScore] : [tScore, ctScore],
      ctEquipmentValue: ctEquipment ?? undefined,
      tEquipmentValue: tEquipment ?? undefined,
      ctBuyType: buyOf(state, "CT", ct, result, previous),
      tBuyType: buyOf(state, "T", otherTeam(ct), result, previous),
      bombSite: sites.get(round),
    }
  })

/** Undefined if the feed reports no equipment, or if an older version, which recorded no money, made the checkpoint. */
const buyOf = (
  { players, rules }: MatchState,
  side: Side,
  team: TeamIndex,
  result: RoundResult,
  previous: RoundResult | undefined,
): BuyType | undefined => {
  if (result.round === 1 || result.round === rules.maxRounds / 2 + 1) return "pistol"
  const [equipment, left] = side === "CT" ? [result.ctEquipment, result.ctMoney] : [result.tEquipment, result.tMoney]
  const count = players.filter((player) => player.team === team && player.connected).length
  if (equipment == null || left == null || count === 0) return undefined
  // Lost only if the feed reported the previous round and its winner is the other team.
  const hasLost = previous?.round === result.round - 1 && previous.winnerTeam !== team
  const each = Math.min(5, count)
  return buyTypeOf({ side, equipmentEach: equipment / each, leftEach: left / each, hasLost })
}

const halvesOf = (map: GameMap, rules: MatchRules): ReadonlyArray<ArchivedHalf> =>
  map.halves.map(([team1, team2], index) => {
    const starting = onStartingSides(firstRoundOf(index + 1, rules), rules)
    const ct = starting ? map.startingCtTeam : otherTeam(map.startingCtTeam)
    return { number: index + 1, team1Side: ct === 0 ? "CT" : "T", team1, team2, overtime: index >= 2 }
  })

/** Halves are numbered as in `halfOfRound`. */
const firstRoundOf = (half: number, { maxRounds, overtimeRounds }: MatchRules): number =>
  half <= 2 ? 1 + ((half - 1) * maxRounds) / 2 : 1 + maxRounds + ((half - 3) * overtimeRounds) / 2
