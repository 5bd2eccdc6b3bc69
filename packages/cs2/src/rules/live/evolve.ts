/**
 * Computes the state of a match after an accepted feed event. Never fails: every event that `decide` accepts can be
 * applied, and the same events in the same order always give the same state. Kills, players and rounds are in separate
 * files.
 */
import { furthest, isBehind, isFromBackup, knownSeries, outcomeOf, seriesAfter, seriesOf } from "./backupSeries.ts"
import { adopted, caughtUp } from "./catchUp.ts"
import { evolveBomb } from "./evolveBomb.ts"
import { creditKast, evolveDamage, evolveKill } from "./evolveDuel.ts"
import { applyReports, evolveJoined, evolveLeft } from "./evolvePlayers.ts"
import { evolveClock, evolveRoundEnded, evolveRoundLive, evolveRoundStarted, openRoundIfMissed } from "./evolveRound.ts"
import { endMap, evolveMapRestarted, evolveMapStarted } from "./evolveSeries.ts"
import { type FeedEvent, type FeedEventOf, isServerEvent } from "./feedEvents.ts"
import { competitiveRules } from "./rules.ts"
import { currentMap, type MatchState, STATE_FORMAT, type Team, teamIndexOf } from "./state.ts"
import { evolveAliased, evolveNamesUnknown } from "./teamNames.ts"

export const evolve = (state: MatchState | undefined, event: FeedEvent): MatchState => {
  if (event.type === "MatchCreated") return create(event)
  if (state === undefined) throw new Error(`${event.type} was accepted without a match`)
  if (isFromBackup(event)) return stamp(evolveBackup(state, event), event)
  const next = stamp(change(openRoundIfMissed(caughtUp(state, event), event), event), event)
  // Kept until the main feed's next event, because SourceChanged does not state where the main feed resumes.
  return event.type === "SourceChanged" ? next : withoutBackup(next)
}

const evolveBackup = (state: MatchState, event: FeedEvent): MatchState => {
  const backup = seriesAfter(knownSeries(state), event, state)
  const known: MatchState = { ...state, backup, status: "live", startedAt: state.startedAt ?? event.observedAt }
  if (event.type === "MatchEnded") return matchEnded(adopted(known, backup, event), event)
  const winner = outcomeOf(backup, state.bestOf)
  if (winner === undefined) return known
  return { ...adopted(known, backup, event), status: "completed", endReason: "completed", winner, endedAt: event.observedAt }
}

/** Discards the backup feed's series once the main feed is in use again and has progressed at least as far. */
const withoutBackup = (state: MatchState): MatchState =>
  state.backup === null || state.source === "live_backup" || isBehind(seriesOf(state), state.backup) ? state : { ...state, backup: null }

const change = (state: MatchState, event: Exclude<FeedEvent, FeedEventOf<"MatchCreated">>): MatchState => {
  switch (event.type) {
    case "TeamNamesUnknown":
      return evolveNamesUnknown(state, event.payload)
    case "TeamAliased":
      return evolveAliased(state, event.payload)
    case "FeedSilent":
      return { ...state, silence: { status: event.payload.status, lastReportAt: event.payload.lastReportAt, since: event.observedAt } }
    case "PlayerJoined":
      return evolveJoined(state, event.payload)
    case "PlayerLeft":
      return evolveLeft(state, event.payload.playerId)
    case "MapStarted":
      return evolveMapStarted(state, event)
    case "MapRestarted":
      return evolveMapRestarted(state, event)
    case "RoundStarted":
      return evolveRoundStarted(state, event)
    case "RoundLive":
      return evolveRoundLive(state, event)
    case "PlayersReported":
      return reported(state, event.payload.players)
    case "PlayerHurt":
      return evolveDamage(state, event)
    case "PlayerKilled":
      return evolveKill(state, event)
    case "BombPickedUp":
    case "BombDropped":
    case "BombPlanted":
    case "BombDefuseStarted":
    case "BombDefused":
    case "BombExploded":
      return evolveBomb(state, event)
    case "RoundEnded":
      return evolveRoundEnded(state, event)
    case "ClockReported":
      return evolveClock(state, event)
    case "TimeoutCalled":
      return timeoutCalled(state, event)
    case "TimeoutEnded":
      return { ...state, timeout: null }
    case "TimeoutsReported":
      return timeoutsReported(state, event)
    case "MapEnded":
      return endMap(state, event.observedAt, {
        winner: event.payload.winnerTeamId === null ? "draw" : (teamIndexOf(state, event.payload.winnerTeamId) ?? "draw"),
        reason: event.payload.reason,
      })
    case "MatchEnded":
      return matchEnded(state, event)
    case "SourceChanged":
      return sourceChanged(state, event)
    case "HistoryLost":
      return { ...state, epoch: event.payload.epoch, seq: 0 }
  }
}

/** An assist reported after the end of a round still counts for KAST in that round. */
const reported = (state: MatchState, reports: FeedEventOf<"PlayersReported">["payload"]["players"]): MatchState => {
  const next = applyReports(state, reports)
  return state.round?.phase === "over" && reports.some(({ assisted }) => assisted === true) ? creditKast(next) : next
}

const matchEnded = (state: MatchState, event: FeedEventOf<"MatchEnded">): MatchState => ({
  ...state,
  status: event.payload.reason === "cancelled" ? "cancelled" : "completed",
  endReason: event.payload.reason,
  winner: event.payload.winnerTeamId === null ? state.winner : (teamIndexOf(state, event.payload.winnerTeamId) ?? null),
  endedAt: event.observedAt,
})

const sourceChanged = (state: MatchState, { payload: { series, source } }: FeedEventOf<"SourceChanged">): MatchState => {
  if (source === "live") return { ...state, source }
  const known = state.backup === null ? seriesOf(state) : furthest(seriesOf(state), state.backup)
  return { ...state, source, backup: series === undefined ? known : furthest(known, series) }
}

/** The times of the match never go back. */
const stamp = (state: MatchState, event: FeedEvent): MatchState => ({
  ...state,
  seq: state.seq + 1,
  seen: isFromBackup(event)
    ? state.seen
    : "round" in event.payload
      ? { match: state.seen.match, round: [...state.seen.round, event.id] }
      : { match: [...state.seen.match, event.id], round: state.seen.round },
  ...(isServerEvent(event)
    ? undefined
    : {
        silence: null,
        observedAt: Math.max(state.observedAt, event.observedAt),
        receivedAt: Math.max(state.receivedAt, event.receivedAt),
      }),
})

const create = (event: FeedEventOf<"MatchCreated">): MatchState => {
  const { bestOf, teams, rules, eventName, roster } = event.payload
  const sheet = (team: (typeof teams)[number]): Team => ({
    id: team.id,
    name: team.name,
    aliases: team.aliases ?? [],
    logoUrl: team.logoUrl ?? null,
    timeoutsRemaining: rules.timeouts,
  })
  const state: MatchState = {
    format: STATE_FORMAT,
    matchId: event.matchId,
    epoch: 1,
    seq: 1,
    status: "scheduled",
    source: "live",
    backup: null,
    bestOf,
    rules: { ...competitiveRules, ...rules },
    eventName: eventName ?? null,
    teams: [sheet(teams[0]), sheet(teams[1])],
    unresolvedNames: [],
    seriesScore: [0, 0],
    winner: null,
    endReason: null,
    maps: [],
    players: [],
    ...(isWhole(event.payload) ? { hasWholeRoster: true as const } : {}),
    round: null,
    timeout: null,
    lastEvent: null,
    seen: { match: [event.id], round: [] },
    silence: null,
    startedAt: null,
    endedAt: null,
    observedAt: event.observedAt,
    receivedAt: event.receivedAt,
  }
  return (roster ?? []).reduce(evolveJoined, state)
}

const TEAM_SIZE = 5

const isWhole = ({ roster = [], teams }: FeedEventOf<"MatchCreated">["payload"]): boolean =>
  teams.every(({ id }) => roster.filter(({ teamId }) => teamId === id).length >= TEAM_SIZE)

const timeoutCalled = (state: MatchState, event: FeedEventOf<"TimeoutCalled">): MatchState => {
  const team = event.payload.teamId === null ? null : (teamIndexOf(state, event.payload.teamId) ?? null)
  const timeout = { team, kind: event.payload.kind, since: event.observedAt }
  if (team === null || event.payload.kind === "technical") return { ...state, timeout }
  const used = { ...state.teams[team], timeoutsRemaining: Math.max(0, (state.teams[team].timeoutsRemaining ?? 1) - 1) }
  const unknown = state.teams[team].timeoutsRemaining === null
  return { ...state, timeout, teams: unknown ? state.teams : team === 0 ? [used, state.teams[1]] : [state.teams[0], used] }
}

const timeoutsReported = (state: MatchState, event: FeedEventOf<"TimeoutsReported">): MatchState => {
  const count = (team: Team) => event.payload.remaining.find((entry) => entry.teamId === team.id)?.count ?? team.timeoutsRemaining
  const [one, two] = state.teams
  return {
    ...state,
    teams: [
      { ...one, timeoutsRemaining: count(one) },
      { ...two, timeoutsRemaining: count(two) },
    ],
  }
}

/** 0 before the first map. */
export const currentMapNumber = (state: MatchState): number => currentMap(state)?.number ?? 0
