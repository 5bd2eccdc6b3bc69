/** Builds the public document from the match state alone, because every node must produce an identical frame. */
import type { LiveFeed, LiveGame, LiveMap, LiveMatch, LivePlayer, LivePlayerLine, LiveRound, LiveTeam } from "../contract/LiveMatch.ts"
import { mapId, type TeamId } from "../rules/ids.ts"
import { sumOfTeam } from "../rules/live/evolvePlayers.ts"
import { type MatchRules, otherTeam, type Side, type TeamIndex } from "../rules/live/rules.ts"
import {
  clockSecondsAt,
  currentMap,
  type GameMap,
  type MatchState,
  type Player,
  type PlayerTally,
  type Round,
  type RoundResult,
  sideOfTeam,
} from "../rules/live/state.ts"
import { adr, kast, rating, round2 } from "../rules/rating.ts"
import { winTypeName } from "../rules/statistics/winTypeNames.ts"
import { isoTime } from "./encode/isoTime.ts"

export const projectMain = (state: MatchState): LiveMatch => {
  const map = currentMap(state)
  const game = map === undefined ? null : projectGame(state, map)
  const teams: LiveMatch["teams"] = [projectTeam(state, map, 0), projectTeam(state, map, 1)]
  const rounds = countedRounds(state, map)
  const players = state.players.map((player) => projectPlayer(state, rounds, player))
  return {
    ...shownHead(state),
    updatedAt: isoTime(state.observedAt),
    ...projectScore(state, map),
    teams,
    maps: state.maps.map((played) => projectMap(state, played)),
    game,
    players,
    rounds: map === undefined ? [] : map.rounds.map((result) => projectRound(state, result)),
    timeout: projectTimeout(state),
    lastEvent: state.lastEvent,
    unavailableFields: unavailable(game, teams, players),
  }
}

export const projectHead = (state: MatchState) => ({
  matchId: state.matchId,
  status: state.status === "scheduled" ? ("upcoming" as const) : state.status,
  source: state.source,
  bestOf: state.bestOf,
  rules: projectRules(state.rules),
  eventName: state.eventName,
  startedAt: iso(state.startedAt),
  endedAt: iso(state.endedAt),
  feed: projectSilence(state),
  unresolvedTeamNames: state.unresolvedNames.length === 0 ? null : state.unresolvedNames.map(({ name }) => name),
})

/** Optional fields without a value are omitted. */
export const shownHead = (state: MatchState) => {
  const { feed, unresolvedTeamNames, ...head } = projectHead(state)
  return { ...head, ...(feed === null ? {} : { feed }), ...(unresolvedTeamNames === null ? {} : { unresolvedTeamNames }) }
}

const projectSilence = ({ silence }: MatchState): LiveFeed | null =>
  silence === null ? null : { status: silence.status, lastReportAt: isoTime(silence.lastReportAt), since: isoTime(silence.since) }

export const projectScore = (state: MatchState, map: GameMap | undefined) => ({
  seriesScore: { team1: state.seriesScore[0], team2: state.seriesScore[1] },
  winnerTeamId: teamIdOf(state, state.winner),
  currentGame: map?.number ?? 0,
})

const projectRules = (rules: MatchRules): LiveMatch["rules"] => ({
  maxRounds: rules.maxRounds,
  overtimeRounds: rules.overtimeRounds,
  roundSeconds: rules.roundSeconds,
  freezeSeconds: rules.freezeSeconds,
  bombSeconds: rules.bombSeconds,
})

export const projectTimeout = (state: MatchState): LiveMatch["timeout"] =>
  state.timeout === null
    ? null
    : { teamId: teamIdOf(state, state.timeout.team), kind: state.timeout.kind, since: isoTime(state.timeout.since) }

export const iso = (at: number | null): string | null => (at === null ? null : isoTime(at))

export const teamIdOf = (state: MatchState, team: TeamIndex | "draw" | null): TeamId | null =>
  team === null || team === "draw" ? null : state.teams[team].id

export const sideOf = (state: MatchState, team: TeamIndex): Side | null => (state.round === null ? null : sideOfTeam(state.round, team))

export const projectTeam = (state: MatchState, map: GameMap | undefined, index: TeamIndex): LiveTeam => {
  const team = state.teams[index]
  return {
    id: team.id,
    name: team.name,
    logoUrl: team.logoUrl,
    side: sideOf(state, index),
    score: state.seriesScore[index],
    mapScore: map?.score[index] ?? 0,
    playersAlive: state.players.filter((player) => player.team === index && player.connected && player.alive).length,
    equipmentValue: sumOfTeam(state, index, (player) => (player.alive ? player.equipmentValue : player.equipmentValue === null ? null : 0)),
    money: sumOfTeam(state, index, (player) => player.money),
    timeoutsRemaining: team.timeoutsRemaining,
  }
}

/** Divisors of a player's averages: started rounds for ADR, ended rounds for KAST and rating. */
export interface Rounds {
  readonly begun: number
  readonly ended: number
}

const roundsOf = (state: MatchState): Rounds => {
  const number = state.round?.number ?? 0
  const ended = state.round === null ? 0 : state.round.phase === "over" ? number : number - 1
  return { begun: state.round?.phase === "freezetime" ? ended : number, ended }
}

const counts = (tally: PlayerTally, rounds: Rounds) => {
  const share = kast(tally, rounds.ended)
  const rated = rating(tally, rounds.ended)
  return {
    kills: tally.kills,
    assists: tally.assists,
    deaths: tally.deaths,
    adr: round2(adr(tally, rounds.begun)),
    kast: share === null ? null : Math.round(share * 10_000) / 10_000,
    rating: rated === null ? null : round2(rated),
    headshots: tally.headshots,
    flashAssists: tally.flashAssists,
    firstKills: tally.firstKills,
    firstDeaths: tally.firstDeaths,
    tradeKills: tally.tradeKills,
    clutchAttempts: tally.clutchAttempts,
    clutchesWon: tally.clutchesWon,
  }
}

/** Round counts of a completed map, or of the map in progress. */
export const countedRounds = (state: MatchState, map: GameMap | undefined): Rounds =>
  map?.status === "completed" ? { begun: map.roundsPlayed, ended: map.roundsPlayed } : roundsOf(state)

export const projectPlayer = (state: MatchState, rounds: Rounds, player: Player): LivePlayer => ({
  id: player.id,
  nickname: player.nickname,
  name: player.name,
  teamId: state.teams[player.team].id,
  side: sideOf(state, player.team),
  alive: player.alive,
  hp: player.hp,
  armor: player.armor,
  helmet: player.helmet,
  defuseKit: player.defuseKit,
  money: player.money,
  equipmentValue: player.equipmentValue,
  weapon: player.weapon,
  ...counts(player.tally, rounds),
})

export const projectMap = (state: MatchState, map: GameMap): LiveMap => ({
  id: mapId(state.matchId, map.number),
  mapNumber: map.number,
  mapName: map.name,
  status: map.status,
  pickTeamId: map.pickTeamId,
  team1Score: map.score[0],
  team2Score: map.score[1],
  team1Halves: map.halves.map((half) => half[0]),
  team2Halves: map.halves.map((half) => half[1]),
  winnerTeamId: teamIdOf(state, map.winner),
  durationRounds: map.roundsPlayed,
  startedAt: isoTime(map.startedAt),
  endedAt: iso(map.endedAt),
  players: map.lines.map(
    (line): LivePlayerLine => ({
      id: line.playerId,
      nickname: line.nickname,
      teamId: state.teams[line.team].id,
      ...counts(line, { begun: map.roundsPlayed, ended: map.roundsPlayed }),
    }),
  ),
})

export const projectGame = (state: MatchState, map: GameMap): LiveGame => {
  const round = state.round
  const ctTeam = round?.ctTeam ?? map.startingCtTeam
  return {
    id: mapId(state.matchId, map.number),
    map: map.name,
    round: round?.number ?? 0,
    phase: phaseOf(state, map, round),
    clockSeconds: round === null ? null : clockSecondsAt(round, state.observedAt),
    clockEndsAt: iso(round?.clockEndsAt ?? null),
    bomb:
      round?.bomb == null
        ? null
        : {
            state: round.bomb.state,
            playerId: round.bomb.playerId,
            site: round.bomb.site,
            plantedAt: iso(round.bomb.plantedAt),
            explodesAt: iso(round.bomb.explodesAt),
          },
    score: { ct: map.score[ctTeam], t: map.score[otherTeam(ctTeam)] },
    sides: { ctTeamId: state.teams[ctTeam].id, tTeamId: state.teams[otherTeam(ctTeam)].id },
  }
}

const phaseOf = (state: MatchState, map: GameMap, round: Round | null): LiveGame["phase"] => {
  if (map.status === "completed") return "ended"
  if (state.timeout !== null) return "timeout"
  return round === null ? "warmup" : round.phase
}

export const projectRound = (state: MatchState, result: RoundResult): LiveRound => ({
  eventId: result.factId,
  round: result.round,
  winner: result.winner,
  winnerTeamId: state.teams[result.winnerTeam].id,
  winType: winTypeName(result.winType, result.winner),
  ctScore: result.ctScore,
  tScore: result.tScore,
  ctEquipmentValue: result.ctEquipment,
  tEquipmentValue: result.tEquipment,
  observedAt: isoTime(result.endedAt),
})

/** Paths of fields that are `null` because the feed does not report them. */
export const unavailable = (
  game: LiveGame | null,
  teams: LiveMatch["teams"],
  players: ReadonlyArray<LivePlayer>,
): ReadonlyArray<string> => {
  const fields: Array<string> = []
  if (game !== null && game.clockSeconds === null) fields.push("game.clockSeconds")
  if (teams.some((team) => team.equipmentValue === null)) fields.push("teams.equipmentValue")
  if (teams.some((team) => team.money === null)) fields.push("teams.money")
  if (teams.some((team) => team.timeoutsRemaining === null)) fields.push("teams.timeoutsRemaining")
  if (players.some((player) => player.armor === null)) fields.push("players.armor")
  if (players.some((player) => player.helmet === null)) fields.push("players.helmet")
  if (players.some((player) => player.money === null)) fields.push("players.money")
  return fields
}
