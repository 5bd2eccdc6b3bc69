/** Applies play on a map. Pure. The hot path: a kill copies the lines of both sides once. */
import type { FeedEventOf, ReportedLine } from "./feedEvents.ts"
import { LIVES, otherSide, type Pair, type SideIndex, TRADE_MS } from "./format.ts"
import type { LineField, LiveLine } from "./lines.ts"
import type { PlayerId } from "./registry.ts"
import {
  type BySide,
  type Clutch,
  type CurrentMap,
  countAlive,
  type MatchState,
  type Place,
  placeOf,
  type RecentKill,
  type Round,
} from "./state.ts"

/** Copies of the lines of both sides, in which a line is replaced when it changes. */
class LineEditor {
  readonly lines: readonly [Array<LiveLine>, Array<LiveLine>]

  constructor([one, two]: BySide<LiveLine>) {
    this.lines = [[...one], [...two]]
  }

  add(side: SideIndex, position: number, field: LineField, count = 1): void {
    const line = this.lines[side][position]
    if (line !== undefined) this.lines[side][position] = { ...line, [field]: (line[field] ?? 0) + count }
  }

  change(side: SideIndex, position: number, change: (line: LiveLine) => LiveLine): void {
    const line = this.lines[side][position]
    if (line !== undefined) this.lines[side][position] = change(line)
  }
}

export const startRound = (state: MatchState, number: number): MatchState => {
  const { current, maps, teams } = state
  if (current === null) return state
  const bits = ({ active }: MatchState["teams"][number]) => active.reduce((all, position) => all | (1 << position), 0)
  const isControl = maps[current.map - 1]?.mode === "control"
  const round: Round = {
    round: number,
    alive: isControl ? [0, 0] : [bits(teams[0]), bits(teams[1])],
    lives: isControl ? [LIVES, LIVES] : [0, 0],
    hasKill: false,
    bomb: null,
    clutches: [null, null],
    zones: [0, 0],
  }
  return { ...state, lastKill: null, current: { ...current, round, recentKills: [] } }
}

export const evolveKill = (state: MatchState, { observedAt, payload }: FeedEventOf<"PlayerKilled">): MatchState => {
  const { current, maps } = state
  const victim = placeOf(state, payload.victim)
  if (current === null || victim === undefined) return state
  const attacker = payload.attacker === null ? undefined : placeOf(state, payload.attacker)
  const editor = new LineEditor(current.lines)
  editor.change(victim.side, victim.position, (line) => ({ ...line, deaths: line.deaths + 1, streak: 0 }))
  // The kill of a teammate, or of oneself, counts as a death only.
  const killer = attacker === undefined || attacker.side === victim.side ? undefined : attacker
  const isSnd = maps[current.map - 1]?.mode === "snd"
  const isFirst = isSnd && current.round?.hasKill === false && killer !== undefined
  const recent = current.recentKills.filter(({ at }) => observedAt - at <= TRADE_MS)
  const traded = killer === undefined ? [] : recent.filter((kill) => kill.killerSide === victim.side && kill.killer === victim.position)
  let streak = 0
  if (killer !== undefined) {
    editor.change(killer.side, killer.position, (line) => {
      streak = line.streak + 1
      return {
        ...line,
        kills: line.kills + 1,
        streak,
        highestStreak: Math.max(line.highestStreak, streak),
        firstBloods: line.firstBloods + (isFirst ? 1 : 0),
        tradeKills: line.tradeKills + (traded.length > 0 ? 1 : 0),
      }
    })
    if (isFirst) editor.add(victim.side, victim.position, "firstDeaths")
    for (const kill of traded) editor.add(killer.side, kill.victim, "tradedDeaths")
    for (const id of payload.assists) {
      const helper = placeOf(state, id)
      if (helper !== undefined) editor.add(helper.side, helper.position, "assists")
    }
  }
  const own: ReadonlyArray<RecentKill> =
    killer === undefined ? [] : [{ killerSide: killer.side, killer: killer.position, victim: victim.position, at: observedAt }]
  return {
    ...state,
    lastKill: { side: killer?.side ?? null, isTrade: traded.length > 0, isFirstBlood: isFirst, streak },
    current: {
      ...current,
      lines: editor.lines,
      round: current.round === null ? null : roundAfterDeath(current.round, victim, isSnd, killer !== undefined),
      recentKills: [...recent.filter((kill) => !traded.includes(kill)), ...own].slice(-MAX_RECENT),
    },
  }
}

/** Kills that can still be traded. More in five seconds do not occur. */
const MAX_RECENT = 16

const roundAfterDeath = (round: Round, { position, side }: Place, isSnd: boolean, isKill: boolean): Round => {
  if (!isSnd) return { ...round, lives: at(round.lives, side, round.lives[side] - 1), hasKill: true }
  const alive = at(round.alive, side, round.alive[side] & ~(1 << position))
  return { ...round, alive, hasKill: round.hasKill || isKill, clutches: clutchesAfter(round.clutches, alive) }
}

/** A side whose last player is alive against opponents is in a clutch. The number of opponents is that at its start. */
const clutchesAfter = (clutches: Round["clutches"], alive: Pair): Round["clutches"] => {
  const clutchOf = (side: SideIndex): Clutch | null => {
    const opponents = countAlive(alive[otherSide(side)])
    if (clutches[side] !== null || countAlive(alive[side]) !== 1 || opponents === 0) return clutches[side]
    return { player: Math.log2(alive[side]), opponents }
  }
  return [clutchOf(0), clutchOf(1)]
}

const at = ([one, two]: Pair, side: SideIndex, value: number): Pair => (side === 0 ? [value, two] : [one, value])

type Objective = FeedEventOf<"HillChanged" | "HillScored" | "BombPlanted" | "BombDefused" | "BombDetonated" | "ZoneTicked">

export const evolveObjective = (state: MatchState, event: Objective): MatchState => {
  const { current } = state
  if (current === null) return state
  const { round } = current
  switch (event.type) {
    case "HillChanged": {
      const { hill, holder, isContested } = event.payload
      return { ...state, current: { ...current, hill: { hill, holder, isContested } } }
    }
    case "HillScored": {
      const { players, score, side } = event.payload
      const scores = state.maps[current.map - 1]?.scores ?? [0, 0]
      return {
        ...withScores(state, current, at(scores, side, score)),
        current: credited(state, current, players, "hillTime", score - scores[side]),
      }
    }
  }
  if (round === null) return state
  switch (event.type) {
    case "BombPlanted": {
      const { player, site } = event.payload
      const planted = credited(state, current, [player], "plants")
      return { ...state, current: { ...planted, round: { ...round, bomb: { site, status: "planted", player } } } }
    }
    case "BombDefused":
    case "BombDetonated": {
      const { bomb } = round
      if (bomb === null) return state
      if (event.type === "BombDetonated")
        return { ...state, current: { ...current, round: { ...round, bomb: { ...bomb, status: "detonated" } } } }
      const defused = credited(state, current, [event.payload.player], "defuses")
      return { ...state, current: { ...defused, round: { ...round, bomb: { ...bomb, status: "defused" } } } }
    }
    case "ZoneTicked": {
      const { players, tick, zone } = event.payload
      const captured = credited(state, current, players, "captures")
      return { ...state, current: { ...captured, round: { ...round, zones: at(round.zones, zone === "a" ? 0 : 1, tick) } } }
    }
  }
}

const credited = (state: MatchState, current: CurrentMap, players: ReadonlyArray<PlayerId>, field: LineField, count = 1): CurrentMap => {
  const editor = new LineEditor(current.lines)
  for (const id of players) {
    const place = placeOf(state, id)
    if (place !== undefined) editor.add(place.side, place.position, field, count)
  }
  return { ...current, lines: editor.lines }
}

const withScores = (state: MatchState, { map: number }: CurrentMap, scores: Pair): MatchState => ({
  ...state,
  maps: state.maps.map((map, index) => (index + 1 === number ? { ...map, scores } : map)),
})

export const evolveRoundEnded = (state: MatchState, { reason, winner }: FeedEventOf<"RoundEnded">["payload"]): MatchState => {
  const { current } = state
  const round = current?.round ?? null
  if (current === null || round === null) return state
  const map = state.maps[current.map - 1]
  const scores = map?.scores ?? [0, 0]
  const editor = new LineEditor(current.lines)
  for (const side of [0, 1] as const) {
    const clutch = round.clutches[side]
    const against = clutch === null ? undefined : clutchFields[clutch.opponents - 1]
    if (clutch === null || against === undefined) continue
    editor.add(side, clutch.player, against.attempts)
    if (side === winner) editor.add(side, clutch.player, against.wins)
  }
  // An elimination without all deaths means that a fact was lost.
  const loser = otherSide(winner)
  const isLost = reason === "elimination" && (map?.mode === "snd" ? round.alive[loser] > 0 : round.lives[loser] > 0)
  return {
    ...withScores(state, current, at(scores, winner, scores[winner] + 1)),
    countsEverything: state.countsEverything && !isLost,
    lastKill: null,
    current: { ...current, lines: editor.lines, round: null, roundsPlayed: round.round, recentKills: [] },
  }
}

/** Fields by the number of opponents, from 1. Clutches against four are too rare to be counted. */
const clutchFields = [
  { attempts: "clutch1v1Attempts", wins: "clutch1v1Wins" },
  { attempts: "clutch1v2Attempts", wins: "clutch1v2Wins" },
  { attempts: "clutch1v3Attempts", wins: "clutch1v3Wins" },
] as const

/** The sums that the game reports replace damage and hill time of players. */
export const reportLines = (state: MatchState, lines: ReadonlyArray<ReportedLine>): MatchState => {
  const { current } = state
  if (current === null || lines.length === 0) return state
  const editor = new LineEditor(current.lines)
  for (const { damage, hillTime, player } of lines) {
    const place = placeOf(state, player)
    if (place === undefined) continue
    editor.change(place.side, place.position, (line) => ({ ...line, damage: damage ?? line.damage, hillTime: hillTime ?? line.hillTime }))
  }
  return { ...state, current: { ...current, lines: editor.lines } }
}
