/**
 * Converts the state of a Call of Duty match to the document that customers receive (message format v2). Has no side
 * effects. Sides are numbered 0 and 1 in states, and teams 1 and 2 in documents.
 */
import type { CompactCodMatch } from "../contract/CompactCodMatch.ts"
import type { CodMap, TeamNumber } from "../contract/LiveCodMatch.ts"
import { modeNames } from "../rules/archive/modes.ts"
import type { Pair, SideIndex } from "../rules/live/format.ts"
import { type LiveLine, type PlayerLine, sumOfLines, unpackLine } from "../rules/live/lines.ts"
import { attackerOf, type CurrentMap, countAlive, type MatchMap, type MatchState, type Round } from "../rules/live/state.ts"

type Document = CompactCodMatch

export const documentOf = (state: MatchState): Document => {
  const { current, endReason, endedAt, maps, pause, silence, startedAt, suspendedAt, tournament, winner } = state
  return {
    matchId: state.matchId,
    status: statusOf(state),
    source: state.source,
    bestOf: state.bestOf,
    isComplete: state.countsEverything,
    ...(silence === null ? {} : { silence: { status: silence.status, since: iso(silence.since) } }),
    tournament: { ...(tournament.id === null ? {} : { tournamentId: tournament.id }), name: tournament.name },
    ...(tournament.round === null ? {} : { round: tournament.round }),
    team1: teamOf(state, 0),
    team2: teamOf(state, 1),
    ...(current === null ? {} : { currentMap: currentOf(state, current) }),
    maps: Object.fromEntries(maps.map((map, index) => [index + 1, compactMap(map)])),
    ...(suspendedAt === null || pause === null
      ? {}
      : { suspension: { reason: pause.reason, ...(pause.side === null ? {} : { team: numberOf(pause.side) }), since: iso(suspendedAt) } }),
    ...(winner === null ? {} : { winner: numberOf(winner) }),
    ...(endReason === null ? {} : { endReason }),
    ...(startedAt === null ? {} : { startedAt: iso(startedAt) }),
    ...(endedAt === null ? {} : { endedAt: iso(endedAt) }),
  }
}

export const statusOf = ({ status }: MatchState): Document["status"] => (status === "scheduled" ? "upcoming" : status)

export const numberOf = (side: SideIndex): TeamNumber => (side === 0 ? 1 : 2)

export const iso = (at: number): string => new Date(at).toISOString()

const teamOf = (state: MatchState, side: SideIndex): Document["team1"] => {
  const { name, players, slug } = state.teams[side]
  return {
    ...(slug === null ? {} : { slug }),
    name,
    score: state.mapsWon[side],
    timeouts: state.timeouts[side],
    players: Object.fromEntries(players.map(({ id }, position) => [id, playerOf(state, side, position)])),
  }
}

type Player = Document["team1"]["players"][keyof Document["team1"]["players"]]

const playerOf = ({ current, maps, teams }: MatchState, side: SideIndex, position: number): Player => {
  const team = teams[side]
  const isActive = team.active.includes(position)
  const line = current?.lines[side][position]
  const over = finishedLines(maps, side, position)
  const alive = current === null || maps[current.map - 1]?.mode !== "snd" ? undefined : current.round?.alive[side]
  return {
    ign: team.players[position]?.ign ?? "",
    isActive,
    ...(alive === undefined || !isActive ? {} : { isAlive: ((alive >> position) & 1) === 1 }),
    ...(line === undefined ? {} : { map: mapStatsOf(line) }),
    total: totalsOf(sumOfLines(line === undefined ? over : [...over, line])),
  }
}

const finishedLines = (maps: ReadonlyArray<MatchMap>, side: SideIndex, position: number): ReadonlyArray<PlayerLine> =>
  maps.flatMap(({ lines }) => {
    const packed = lines?.[side][position]
    return packed === undefined ? [] : unpackLine(packed)
  })

const damageOf = ({ damage }: PlayerLine) => (damage === null ? {} : { damage })

const mapStatsOf = (line: LiveLine): NonNullable<Player["map"]> => ({
  kills: line.kills,
  deaths: line.deaths,
  assists: line.assists,
  ...damageOf(line),
  hillTime: line.hillTime,
  streak: line.streak,
})

const totalsOf = (line: PlayerLine): Player["total"] => ({
  kills: line.kills,
  deaths: line.deaths,
  assists: line.assists,
  ...damageOf(line),
  hillTime: line.hillTime,
  firstBloods: line.firstBloods,
  firstDeaths: line.firstDeaths,
  plants: line.plants,
  defuses: line.defuses,
  captures: line.captures,
  highestStreak: line.highestStreak,
  tradeKills: line.tradeKills,
  tradedDeaths: line.tradedDeaths,
  clutchAttempts: line.clutch1v1Attempts + line.clutch1v2Attempts + line.clutch1v3Attempts,
  clutchWins: line.clutch1v1Wins + line.clutch1v2Wins + line.clutch1v3Wins,
})

const perTeam = ([team1, team2]: Pair) => ({ team1, team2 })

const currentOf = ({ maps }: MatchState, current: CurrentMap): NonNullable<Document["currentMap"]> => {
  const { hill, round } = current
  const attacker = attackerOf(current)
  return {
    mapNumber: current.map,
    ...(attacker === null ? {} : { attacker: numberOf(attacker) }),
    ...(hill === null
      ? {}
      : { hill: { hill: hill.hill, ...(hill.holder === null ? {} : { holder: numberOf(hill.holder) }), isContested: hill.isContested } }),
    ...(round === null ? {} : { round: roundOf(round, maps[current.map - 1]?.mode === "snd") }),
  }
}

const roundOf = ({ alive, bomb, lives, round, zones: [a, b] }: Round, isSnd: boolean) =>
  isSnd
    ? {
        round,
        alive: perTeam([countAlive(alive[0]), countAlive(alive[1])]),
        ...(bomb === null ? {} : { bomb: { site: bomb.site, status: bomb.status } }),
      }
    : { round, lives: perTeam(lives), zones: { a, b } }

const compactMap = ({ endedAt, mode, name, pickedBy, scores, startedAt, status, winner }: MatchMap): Document["maps"][string] => ({
  mapName: name,
  gameMode: modeNames[mode],
  team1Score: scores[0],
  team2Score: scores[1],
  status,
  ...(pickedBy === null ? {} : { pickedBy: numberOf(pickedBy) }),
  ...(winner === null ? {} : { winner: numberOf(winner) }),
  ...(startedAt === null ? {} : { startedAt: iso(startedAt) }),
  ...(endedAt === null ? {} : { endedAt: iso(endedAt) }),
})

/** A map in message format v1, for webhooks. */
export const mapOf = ({ endedAt, mode, name, pickedBy, scores, startedAt, status, winner }: MatchMap, index: number): CodMap => ({
  mapNumber: index + 1,
  mapName: name,
  gameMode: modeNames[mode],
  team1Score: scores[0],
  team2Score: scores[1],
  status,
  pickedBy: pickedBy === null ? null : numberOf(pickedBy),
  winner: winner === null ? null : numberOf(winner),
  startedAt: startedAt === null ? null : iso(startedAt),
  endedAt: endedAt === null ? null : iso(endedAt),
})
