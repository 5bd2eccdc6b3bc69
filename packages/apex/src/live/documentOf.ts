/**
 * Converts the state of a lobby to the document and the event rows that customers receive (message format v2). Has no
 * side effects. Parts of the document that a change has not touched are the same objects as before, so that the
 * comparison of two documents skips them.
 */
import type { CompactApexMatch } from "../contract/CompactApexMatch.ts"
import type { LiveApexEvent } from "../contract/LiveApexMatch.ts"
import { pointsOfGame } from "../rules/archive/points.ts"
import type { FeedEvent } from "../rules/live/feedEvents.ts"
import type { LobbySheet } from "../rules/live/lobby.ts"
import {
  type Game,
  type LobbyState,
  type PastGame,
  type PlayerLine,
  placesOf,
  type Standing,
  type TeamLine,
  teamsLeft,
} from "../rules/live/state.ts"

type Document = CompactApexMatch
type Row<Field extends "teams" | "standings" | "games"> = Document[Field][string]
type LiveGame = NonNullable<Document["game"]>

export const documentOf = (state: LobbyState): Document => {
  const { endedAt, game, games, lobby, readyFor, silence, standings, startedAt, suspendedAt, winner } = state
  return {
    id: state.matchId,
    status: state.status === "scheduled" ? "upcoming" : state.status,
    source: state.source,
    ...(silence === null ? {} : { silence: { status: silence.status, since: iso(silence.since) } }),
    ...headOf(lobby),
    standings: numbered(standings.map(standingOf)),
    ...(readyFor === null ? {} : { readyFor }),
    ...(game === null ? {} : { game: gameOf(game) }),
    games: numbered(games.map(pastGameOf)),
    ...(suspendedAt === null ? {} : { suspendedAt: iso(suspendedAt) }),
    ...(winner === null ? {} : { winner }),
    ...(startedAt === null ? {} : { startedAt: iso(startedAt) }),
    ...(endedAt === null ? {} : { endedAt: iso(endedAt) }),
  }
}

const iso = (at: number): string => new Date(at).toISOString()

/** Returns the values as an object by number, from 1. */
const numbered = <A>(values: ReadonlyArray<A>): Readonly<Record<string, A>> => {
  const record: Record<string, A> = {}
  for (const [index, value] of values.entries()) record[index + 1] = value
  return record
}

/** Keeps the last result of a function for each object, for as long as the object exists. */
const remembered = <A extends object, B>(of: (value: A) => B): ((value: A) => B) => {
  const known = new WeakMap<A, B>()
  return (value) => {
    let result = known.get(value)
    if (result === undefined) {
      result = of(value)
      known.set(value, result)
    }
    return result
  }
}

const headOf = remembered(({ format, name, region, stage, teams, tournament }: LobbySheet) => ({
  name,
  ...(stage === null ? {} : { stage }),
  ...(region === null ? {} : { region }),
  tournament: tournament.id === null ? { name: tournament.name } : { id: tournament.id, name: tournament.name },
  format: format.matchPoint === null ? { games: format.games } : { games: format.games, matchPoint: format.matchPoint },
  teams: numbered(
    teams.map(
      ({ id, name: teamName, players }): Row<"teams"> => ({
        ...(id === null ? {} : { id }),
        name: teamName,
        players: numbered(players.map((player) => (player.id === null ? { name: player.name } : { id: player.id, name: player.name }))),
      }),
    ),
  ),
}))

const standingOf = ({ hms, isOnMatchPoint, kills, points, rank, wins }: Standing): Row<"standings"> => ({
  rank,
  points,
  kills,
  ...(hms === null ? {} : { hms }),
  wins,
  isOnMatchPoint,
})

const gameOf = (game: Game): LiveGame => {
  const { bannedLegends, map, number, ring, startedAt, teams } = game
  return {
    number,
    map,
    ...(bannedLegends === null ? {} : { bannedLegends }),
    startedAt: iso(startedAt),
    ...(ring === null ? {} : { ring: ringOf(ring) }),
    teamsLeft: teamsLeft(game),
    playersLeft: teams.reduce((sum, { alive }) => sum + alive, 0),
    teams: numbered(teams.map((team, index) => teamOf(game, team, index + 1))),
  }
}

const ringOf = ({ centre, damagePerTick, radius, ring, state }: NonNullable<Game["ring"]>): NonNullable<LiveGame["ring"]> => ({
  ring,
  state,
  ...(damagePerTick === null ? {} : { damagePerTick }),
  ...(centre === null ? {} : { centre }),
  ...(radius === null ? {} : { radius }),
})

const teamOf = ({ players }: Game, { alive, kills, placement }: TeamLine, number: number): LiveGame["teams"][string] => {
  const [first, end] = placesOf(number)
  const lines: Record<string, LiveGame["teams"][string]["players"][string]> = {}
  for (let place = first; place < end; place++) {
    const line = players[place]
    if (line !== null && line !== undefined) lines[place - first + 1] = playerOf(line)
  }
  return { ...(placement === null ? {} : { placement }), kills, alive, players: lines }
}

const playerOf = remembered(({ assists, damage, isConnected, kills, knockdowns, legend, respawns, revives, state }: PlayerLine) => ({
  ...(legend === null ? {} : { legend }),
  state,
  isConnected,
  kills,
  assists,
  knockdowns,
  revives,
  respawns,
  ...(damage === null ? {} : { damage }),
}))

const pastGameOf = remembered(
  ({ bannedLegends, endedAt, isCorrected, map, results, startedAt, status }: PastGame): Row<"games"> => ({
    status,
    map,
    ...(bannedLegends === null ? {} : { bannedLegends }),
    startedAt: iso(startedAt),
    endedAt: iso(endedAt),
    isCorrected,
    teams: numbered(results.map(({ kills, placement }) => ({ placement, kills, points: pointsOfGame(placement, kills) }))),
  }),
)

/** Returns the row that describes a change in the lobby's list of events, or null if the change is not listed. */
export const rowOf = (state: LobbyState, event: FeedEvent): LiveApexEvent | null => {
  const type = rowTypes[event.type]
  if (type === null) return null
  const row = { eventId: `${state.epoch}-${state.seq}`, type, at: iso(event.observedAt) }
  if ("player" in event.payload) {
    const { by = null, game, player } = { by: null, ...event.payload }
    return { ...row, game, victim: player, ...(by === null ? {} : { attacker: by }) }
  }
  const { lastAction } = state
  if (lastAction === null || !actions.has(type)) return "game" in event.payload ? { ...row, game: event.payload.game } : row
  const { assists, attacker, cause, eliminated, game, victim, weapon } = lastAction
  return {
    ...row,
    game,
    ...(victim === null ? {} : { victim }),
    ...(attacker === null ? {} : { attacker }),
    ...(assists.length === 0 ? {} : { assists }),
    ...(weapon === null ? {} : { weapon }),
    ...(cause === null ? {} : { cause }),
    ...(eliminated === null ? {} : { eliminated }),
  }
}

/** Types of rows whose values come from the newest action of the game. */
const actions: ReadonlySet<LiveApexEvent["type"]> = new Set(["knockdown", "kill", "elimination"])

const rowTypes: Readonly<Record<FeedEvent["type"], LiveApexEvent["type"] | null>> = {
  MatchCreated: null,
  LobbyReady: "lobby_ready",
  GameStarted: "game_started",
  RingChanged: "ring",
  PlayerKnocked: "knockdown",
  PlayerKilled: "kill",
  PlayerRevived: "revive",
  PlayerRespawned: "respawn",
  TeamEliminated: "elimination",
  DamageReported: null,
  PlayerDisconnected: "disconnected",
  PlayerReconnected: "reconnected",
  GameEnded: "game_ended",
  GameCorrected: "game_corrected",
  GameCancelled: "game_cancelled",
  SeriesEnded: "series_ended",
  Suspended: "suspended",
  Resumed: "resumed",
  Cancelled: "cancelled",
  SourceChanged: null,
  FeedSilent: null,
  HistoryLost: null,
}
