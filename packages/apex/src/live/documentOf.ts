/**
 * Converts the state of a lobby to the document and the event rows of message format v2. Pure. Parts that a change has
 * not touched are the same objects as before, so that the comparison of two documents skips them.
 */
import { withoutNulls } from "@matchpoint/game/contract/withoutNulls"
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
type Player = LiveGame["teams"][string]["players"][string]

export const documentOf = (state: LobbyState): Document => {
  const { endedAt, game, games, lobby, readyFor, silence, standings, startedAt, suspendedAt, winner } = state
  return withoutNulls({
    id: state.matchId,
    status: state.status === "scheduled" ? "upcoming" : state.status,
    source: state.source,
    silence: silence === null ? null : { status: silence.status, since: iso(silence.since) },
    ...headOf(lobby),
    standings: numbered(standings.map(standingOf)),
    readyFor,
    game: game === null ? null : gameOf(game),
    games: numbered(games.map(pastGameOf)),
    suspendedAt: isoOrNull(suspendedAt),
    winner,
    startedAt: isoOrNull(startedAt),
    endedAt: isoOrNull(endedAt),
  })
}

const iso = (at: number): string => new Date(at).toISOString()

const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

/** Keys are numbers from 1. */
const numbered = <A>(values: ReadonlyArray<A>): Readonly<Record<string, A>> => {
  const record: Record<string, A> = {}
  for (const [index, value] of values.entries()) record[index + 1] = value
  return record
}

/** Keeps the last result for each object, for as long as the object exists. */
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
  stage,
  region,
  tournament: withoutNulls<Document["tournament"]>({ id: tournament.id, name: tournament.name }),
  format: withoutNulls<Document["format"]>({ games: format.games, matchPoint: format.matchPoint }),
  teams: numbered(
    teams.map(
      ({ id, name: teamName, players }): Row<"teams"> =>
        withoutNulls({ id, name: teamName, players: numbered(players.map(({ id, name }) => withoutNulls({ id, name }))) }),
    ),
  ),
}))

const standingOf = ({ hms, isOnMatchPoint, kills, points, rank, wins }: Standing): Row<"standings"> =>
  withoutNulls({ rank, points, kills, hms, wins, isOnMatchPoint })

const gameOf = (game: Game): LiveGame => {
  const { bannedLegends, map, number, ring, startedAt, teams } = game
  return withoutNulls({
    number,
    map,
    bannedLegends,
    startedAt: iso(startedAt),
    ring: ring === null ? null : ringOf(ring),
    teamsLeft: teamsLeft(game),
    playersLeft: teams.reduce((sum, { alive }) => sum + alive, 0),
    teams: numbered(teams.map((team, index) => teamOf(game, team, index + 1))),
  })
}

const ringOf = ({ centre, damagePerTick, radius, ring, state }: NonNullable<Game["ring"]>): NonNullable<LiveGame["ring"]> =>
  withoutNulls({ ring, state, damagePerTick, centre, radius })

const teamOf = ({ players }: Game, { alive, kills, placement }: TeamLine, number: number): LiveGame["teams"][string] => {
  const [first, end] = placesOf(number)
  const lines: Record<string, Player> = {}
  for (let place = first; place < end; place++) {
    const line = players[place]
    if (line !== null && line !== undefined) lines[place - first + 1] = playerOf(line)
  }
  return withoutNulls({ placement, kills, alive, players: lines })
}

const playerOf = remembered(
  ({ assists, damage, isConnected, kills, knockdowns, legend, respawns, revives, state }: PlayerLine): Player =>
    withoutNulls({ legend, state, isConnected, kills, assists, knockdowns, revives, respawns, damage }),
)

const pastGameOf = remembered(
  ({ bannedLegends, endedAt, isCorrected, map, results, startedAt, status }: PastGame): Row<"games"> =>
    withoutNulls({
      status,
      map,
      bannedLegends,
      startedAt: iso(startedAt),
      endedAt: iso(endedAt),
      isCorrected,
      teams: numbered(results.map(({ kills, placement }) => ({ placement, kills, points: pointsOfGame(placement, kills) }))),
    }),
)

/** Null if the list of events does not contain the change. */
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

/** Their values come from the newest action of the game. */
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
