/**
 * Converts the state of a Call of Duty match to the document of message format v2. Pure. Sides are numbered 0 and 1 in
 * states, and teams 1 and 2 in documents.
 */
import { withoutNulls } from "@matchpoint/game/contract/withoutNulls"
import type { CompactCodMatch } from "../contract/CompactCodMatch.ts"
import type { CodMap, TeamNumber } from "../contract/LiveCodMatch.ts"
import { modeNames } from "../rules/archive/modes.ts"
import type { Pair, SideIndex } from "../rules/live/format.ts"
import { type LiveLine, type PlayerLine, sumOfLines, unpackLine } from "../rules/live/lines.ts"
import { attackerOf, type CurrentMap, countAlive, type Hill, type MatchMap, type MatchState, type Round } from "../rules/live/state.ts"

type Document = CompactCodMatch
type DocumentMap = NonNullable<Document["currentMap"]>

export const documentOf = (state: MatchState): Document => {
  const { current, endReason, endedAt, maps, pause, silence, startedAt, suspendedAt, tournament, winner } = state
  return withoutNulls({
    matchId: state.matchId,
    status: statusOf(state),
    source: state.source,
    bestOf: state.bestOf,
    isComplete: state.countsEverything,
    silence: silence === null ? null : { status: silence.status, since: iso(silence.since) },
    tournament: withoutNulls({ tournamentId: tournament.id, name: tournament.name }),
    round: tournament.round,
    team1: teamOf(state, 0),
    team2: teamOf(state, 1),
    currentMap: current === null ? null : currentOf(state, current),
    maps: Object.fromEntries(maps.map((map, index) => [index + 1, compactMap(map, index)])),
    suspension: suspendedAt === null || pause === null ? null : suspensionOf(pause, suspendedAt),
    winner: numberOrNull(winner),
    endReason,
    startedAt: isoOrNull(startedAt),
    endedAt: isoOrNull(endedAt),
  })
}

export const statusOf = ({ status }: MatchState): Document["status"] => (status === "scheduled" ? "upcoming" : status)

export const numberOf = (side: SideIndex): TeamNumber => (side === 0 ? 1 : 2)

const numberOrNull = (side: SideIndex | null): TeamNumber | null => (side === null ? null : numberOf(side))

export const iso = (at: number): string => new Date(at).toISOString()

const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

const suspensionOf = ({ reason, side }: NonNullable<MatchState["pause"]>, since: number): NonNullable<Document["suspension"]> =>
  withoutNulls({ reason, team: numberOrNull(side), since: iso(since) })

const teamOf = (state: MatchState, side: SideIndex): Document["team1"] => {
  const { name, players, slug } = state.teams[side]
  return withoutNulls({
    slug,
    name,
    score: state.mapsWon[side],
    timeouts: state.timeouts[side],
    players: Object.fromEntries(players.map(({ id }, position) => [id, playerOf(state, side, position)])),
  })
}

type Player = Document["team1"]["players"][keyof Document["team1"]["players"]]

const playerOf = ({ current, maps, teams }: MatchState, side: SideIndex, position: number): Player => {
  const team = teams[side]
  const isActive = team.active.includes(position)
  const line = current?.lines[side][position]
  const over = finishedLines(maps, side, position)
  const alive = current === null || maps[current.map - 1]?.mode !== "snd" ? undefined : current.round?.alive[side]
  return withoutNulls({
    ign: team.players[position]?.ign ?? "",
    isActive,
    isAlive: alive === undefined || !isActive ? null : ((alive >> position) & 1) === 1,
    map: line === undefined ? null : mapStatsOf(line),
    total: totalsOf(sumOfLines(line === undefined ? over : [...over, line])),
  })
}

const finishedLines = (maps: ReadonlyArray<MatchMap>, side: SideIndex, position: number): ReadonlyArray<PlayerLine> =>
  maps.flatMap(({ lines }) => {
    const packed = lines?.[side][position]
    return packed === undefined ? [] : unpackLine(packed)
  })

const mapStatsOf = (line: LiveLine): NonNullable<Player["map"]> =>
  withoutNulls({
    kills: line.kills,
    deaths: line.deaths,
    assists: line.assists,
    damage: line.damage,
    hillTime: line.hillTime,
    streak: line.streak,
  })

const totalsOf = (line: PlayerLine): Player["total"] =>
  withoutNulls({
    kills: line.kills,
    deaths: line.deaths,
    assists: line.assists,
    damage: line.damage,
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

const currentOf = ({ maps }: MatchState, current: CurrentMap): DocumentMap => {
  const { hill, round } = current
  return withoutNulls({
    mapNumber: current.map,
    attacker: numberOrNull(attackerOf(current)),
    hill: hill === null ? null : hillOf(hill),
    round: round === null ? null : roundOf(round, maps[current.map - 1]?.mode === "snd"),
  })
}

const hillOf = ({ hill, holder, isContested }: Hill): NonNullable<DocumentMap["hill"]> =>
  withoutNulls({ hill, holder: numberOrNull(holder), isContested })

const roundOf = ({ alive, bomb, lives, round, zones: [a, b] }: Round, isSnd: boolean): NonNullable<DocumentMap["round"]> =>
  withoutNulls({
    round,
    alive: isSnd ? perTeam([countAlive(alive[0]), countAlive(alive[1])]) : null,
    lives: isSnd ? null : perTeam(lives),
    zones: isSnd ? null : { a, b },
    bomb: bomb === null || !isSnd ? null : { site: bomb.site, status: bomb.status },
  })

const compactMap = (map: MatchMap, index: number): Document["maps"][string] => {
  const { mapNumber: _, ...fields } = mapOf(map, index)
  return withoutNulls(fields)
}

/** In message format v1, for webhooks too. */
export const mapOf = ({ endedAt, mode, name, pickedBy, scores, startedAt, status, winner }: MatchMap, index: number): CodMap => ({
  mapNumber: index + 1,
  mapName: name,
  gameMode: modeNames[mode],
  team1Score: scores[0],
  team2Score: scores[1],
  status,
  pickedBy: numberOrNull(pickedBy),
  winner: numberOrNull(winner),
  startedAt: isoOrNull(startedAt),
  endedAt: isoOrNull(endedAt),
})
