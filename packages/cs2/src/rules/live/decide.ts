/**
 * Validates a feed event against the state of its match: accepts the event or rejects it with a reason. A rejection is
 * a return value, never an exception. It is sent back to the sender and published on the NATS subject `feed.rejected`.
 */
import type { PlayerId, TeamId } from "../ids.ts"
import { isFromBackup, knownSeries } from "./backupSeries.ts"
import { caughtUp } from "./catchUp.ts"
import type { BackupSeries, FeedEvent, FeedEventOf } from "./feedEvents.ts"
import { currentMap, type GameMap, type MatchState, playerOf, type Round, sideOfTeam, teamIndexOf } from "./state.ts"
import { hasNewNames, teamKnownAs } from "./teamNames.ts"

/** They appear in the messages on the NATS subject `feed.rejected`: a changed code changes the contract with its readers. */
export const rejectionCodes = [
  "malformed",
  "unknown_match",
  "wrong_match",
  "duplicate",
  "observed_in_future",
  "match_not_created",
  "match_exists",
  "match_over",
  "backup_standby",
  "backup_detail",
  "unknown_team",
  "unknown_player",
  "no_map",
  "map_over",
  "map_in_play",
  "wrong_map",
  "late_round",
  "early_round",
  "round_over",
  "round_not_over",
  "player_dead",
  "bomb_state",
  "score_mismatch",
  "no_change",
  "invariant",
  "fold_defect",
  "unknown_line",
  "only_repeats",
] as const
export type RejectionCode = (typeof rejectionCodes)[number]

export interface Rejection {
  readonly code: RejectionCode
  /** For the sender: the problem and what was expected. */
  readonly message: string
}

/** How far the clock of a feed may be ahead of the server's clock, in milliseconds. */
export const MAX_CLOCK_LEAD_MS = 60_000

const reject = (code: RejectionCode, message: string): Rejection => ({ code, message })

export const decide = (before: MatchState | undefined, event: FeedEvent): Rejection | undefined => {
  if (event.observedAt > event.receivedAt + MAX_CLOCK_LEAD_MS) {
    return reject(
      "observed_in_future",
      `observedAt is ${event.observedAt - event.receivedAt} ms ahead of the server's clock; check the sender's clock`,
    )
  }
  if (before === undefined) {
    return event.type === "MatchCreated"
      ? created(event.payload.teams)
      : reject("match_not_created", "the first event of a match must be MatchCreated")
  }
  const state = caughtUp(before, event)
  if (event.matchId !== state.matchId) return reject("wrong_match", `the event belongs to ${event.matchId}, not to ${state.matchId}`)
  if (event.type === "HistoryLost") {
    // Epochs may be skipped: if FEED has lost all of their records but LIVE still contains their frames.
    return event.payload.epoch > state.epoch
      ? undefined
      : reject("duplicate", `epoch ${event.payload.epoch} does not follow ${state.epoch}`)
  }
  if (isFromBackup(event)) return decideBackup(state, event)
  if (state.seen.match.includes(event.id) || state.seen.round.includes(event.id))
    return reject("duplicate", `fact ${event.id} was already accepted`)
  if (event.type === "MatchCreated") return reject("match_exists", `${state.matchId} already exists`)
  if (hasEnded(state) && !isAftermath(state, event)) return reject("match_over", `${state.matchId} is ${state.status}`)

  switch (event.type) {
    case "TeamNamesUnknown":
      return (
        firstRejection(event.payload.names, ({ teamId }) => team(state, teamId)) ??
        (hasNewNames(state, event.payload.names) ? undefined : reject("no_change", "these names are already known"))
      )
    case "TeamAliased":
      return firstRejection(event.payload.aliases, ({ name, teamId }) => team(state, teamId) ?? alias(state, name, teamId))
    case "FeedSilent":
      return decideSilent(state, event.payload)
    case "PlayerJoined":
      return decideJoined(state, event.payload)
    case "PlayerLeft":
      return known(state, event.payload.playerId)
    case "MapStarted":
      return decideMapStarted(state, event.payload.mapNumber, event.payload.ctTeamId)
    case "MapRestarted":
      return inMap(state, event.payload.mapNumber) ?? team(state, event.payload.ctTeamId)
    case "RoundStarted":
      return decideRoundStarted(state, event.payload)
    case "RoundLive":
    case "PlayersReported":
    case "PlayerHurt":
    case "PlayerKilled":
    case "BombPickedUp":
    case "BombDropped":
    case "BombPlanted":
    case "BombDefuseStarted":
    case "BombDefused":
    case "BombExploded":
    case "RoundEnded":
    case "ClockReported":
      return inRound(state, event)
    case "TimeoutCalled":
      return inMap(state, event.payload.mapNumber) ?? (event.payload.teamId === null ? undefined : team(state, event.payload.teamId))
    case "TimeoutEnded":
      return inMap(state, event.payload.mapNumber) ?? (state.timeout === null ? reject("no_change", "no timeout is running") : undefined)
    case "TimeoutsReported":
      return inMap(state, event.payload.mapNumber) ?? firstRejection(event.payload.remaining, (entry) => team(state, entry.teamId))
    case "MapEnded":
      return (
        inMap(state, event.payload.mapNumber) ?? (event.payload.winnerTeamId === null ? undefined : team(state, event.payload.winnerTeamId))
      )
    case "MatchEnded":
      return decideEnded(before, event.payload)
    case "SourceChanged":
      return decideSource(before, event.payload)
  }
}

/**
 * A switch to the backup feed is rejected if the match has changed since the watchdog decided to switch. While the main
 * feed is in use, only its events change the match, so such a change shows that the main feed is back.
 */
const decideSource = (state: MatchState, { basedOn, source }: FeedEventOf<"SourceChanged">["payload"]): Rejection | undefined => {
  if (source === state.source) return reject("no_change", `the source is already ${state.source}`)
  if (source === "live_backup" && basedOn !== undefined && basedOn !== state.seq) {
    return reject("no_change", `the main feed has reported since: the match is at seq ${state.seq}, the switch is based on ${basedOn}`)
  }
  return undefined
}

const decideSilent = (state: MatchState, { basedOn, status }: FeedEventOf<"FeedSilent">["payload"]): Rejection | undefined => {
  if (basedOn !== state.seq) return reject("no_change", `a feed has reported since: the match is at seq ${state.seq}, not ${basedOn}`)
  if (state.silence?.status === status) return reject("no_change", `the match is already ${status}`)
  return state.status === "live" ? undefined : reject("no_change", `the match is ${state.status}`)
}

/** Rejects an end that the watchdog decided for an earlier state: a feed has reported since. */
const decideEnded = (state: MatchState, { basedOn, winnerTeamId }: FeedEventOf<"MatchEnded">["payload"]): Rejection | undefined => {
  if (basedOn !== undefined && basedOn !== state.seq) {
    return reject("no_change", `a feed has reported since: the match is at seq ${state.seq}, not ${basedOn}`)
  }
  return winnerTeamId === null ? undefined : team(state, winnerTeamId)
}

const alias = (state: MatchState, name: string, teamId: TeamId): Rejection | undefined => {
  const known = teamKnownAs(state, name)
  return known === undefined || state.teams[known].id === teamId
    ? undefined
    : reject("unknown_team", `${name} is a name of ${state.teams[known].id}, not of ${teamId}`)
}

/**
 * The backup feed may only report the maps and scores of the series, while it is in use. Its event ids are not compared
 * with those of the main feed, because it may use the same ids for different events.
 */
const decideBackup = (state: MatchState, event: FeedEvent): Rejection | undefined => {
  if (event.type === "MatchCreated") return reject("match_exists", `${state.matchId} already exists`)
  if (hasEnded(state)) return reject("match_over", `${state.matchId} is ${state.status}`)
  if (state.source === "live") {
    return reject("backup_standby", "the main feed is in use; facts of the backup feed are applied only if the main feed fails")
  }
  return decideBackupSeries(state, knownSeries(state), event)
}

/** Undefined if the event is a valid continuation of the series. */
export const decideBackupSeries = (state: MatchState, series: BackupSeries, event: FeedEvent): Rejection | undefined => {
  const map = series.maps.at(-1)
  switch (event.type) {
    case "MapStarted": {
      const { ctTeamId, mapNumber } = event.payload
      if (mapNumber <= series.maps.length) return reject("duplicate", `map ${mapNumber} has already started`)
      if (mapNumber > series.maps.length + 1)
        return reject("wrong_map", `the next map is number ${series.maps.length + 1}, not ${mapNumber}`)
      return team(state, ctTeamId)
    }
    case "MapRestarted":
    case "RoundEnded":
    case "MapEnded": {
      const { mapNumber } = event.payload
      if (map === undefined) return reject("no_map", "no map has started; send MapStarted first")
      if (mapNumber !== map.number) return reject("wrong_map", `map ${map.number} is in play, not ${mapNumber}`)
      if (map.status === "completed") return reject("map_over", `map ${map.number} is over`)
      if (event.type === "MapRestarted") return team(state, event.payload.ctTeamId)
      if (event.type === "MapEnded") return event.payload.winnerTeamId === null ? undefined : team(state, event.payload.winnerTeamId)
      const played = map.score[0] + map.score[1]
      return event.payload.round <= played
        ? reject("late_round", `${played} rounds of the map are already over`)
        : decideRoundEnded(map, event.payload)
    }
    case "MatchEnded":
      return event.payload.winnerTeamId === null ? undefined : team(state, event.payload.winnerTeamId)
    default:
      return reject("backup_detail", "a backup feed may only report maps, their scores and their ends")
  }
}

const hasEnded = (state: MatchState) => state.status === "completed" || state.status === "cancelled"

/**
 * Accepted after the end of a match: kills and damage after the deciding round, which still count for the players, and
 * the resolution of team names.
 */
const isAftermath = (state: MatchState, event: FeedEvent) =>
  event.type === "TeamAliased" || (state.endReason === "completed" && (event.type === "PlayerKilled" || event.type === "PlayerHurt"))

type RoundEvent = Extract<FeedEvent, { readonly payload: { readonly round: number } }>

const firstRejection = <A>(items: ReadonlyArray<A>, judge: (item: A) => Rejection | undefined): Rejection | undefined => {
  for (const item of items) {
    const rejection = judge(item)
    if (rejection !== undefined) return rejection
  }
  return undefined
}

const created = (teams: readonly [{ readonly id: TeamId }, { readonly id: TeamId }]) =>
  teams[0].id === teams[1].id ? reject("unknown_team", "a match needs two different teams") : undefined

const team = (state: MatchState, id: TeamId): Rejection | undefined =>
  teamIndexOf(state, id) === undefined
    ? reject("unknown_team", `${id} is not a team of this match; its teams are ${state.teams[0].id} and ${state.teams[1].id}`)
    : undefined

const known = (state: MatchState, id: PlayerId | null): Rejection | undefined =>
  id === null || playerOf(state, id) !== undefined ? undefined : reject("unknown_player", `${id} has not joined; send PlayerJoined first`)

const decideJoined = (state: MatchState, entry: { readonly playerId: PlayerId; readonly teamId: TeamId; readonly nickname: string }) => {
  const unknownTeam = team(state, entry.teamId)
  if (unknownTeam !== undefined) return unknownTeam
  const player = playerOf(state, entry.playerId)
  return player?.connected && player.nickname === entry.nickname && player.team === teamIndexOf(state, entry.teamId)
    ? reject("no_change", `${entry.playerId} has already joined with the same nickname and team`)
    : undefined
}

const decideMapStarted = (state: MatchState, mapNumber: number, ctTeamId: TeamId) => {
  const map = currentMap(state)
  if (map?.status === "live") {
    return reject(
      "map_in_play",
      `map ${map.number} (${map.name}) is still in play; send MapEnded, or MapRestarted with mapName if another map replaces it`,
    )
  }
  if (mapNumber !== state.maps.length + 1) return reject("wrong_map", `the next map is number ${state.maps.length + 1}, not ${mapNumber}`)
  return team(state, ctTeamId)
}

/** Events of a round are checked by {@link inRound}, which also accepts those that follow the last round of the map. */
const inMap = (state: MatchState, mapNumber: number): Rejection | undefined => {
  const map = currentMap(state)
  if (map === undefined) return reject("no_map", "no map has started; send MapStarted first")
  if (mapNumber !== map.number) return reject("wrong_map", `map ${map.number} is in play, not ${mapNumber}`)
  return map.status === "completed" ? reject("map_over", `map ${map.number} is over`) : undefined
}

const decideRoundStarted = (
  state: MatchState,
  payload: {
    readonly mapNumber: number
    readonly round: number
    readonly ctTeamId: TeamId
    readonly players?: ReadonlyArray<{ readonly playerId: PlayerId }>
  },
): Rejection | undefined => {
  const rejection = inMap(state, payload.mapNumber) ?? team(state, payload.ctTeamId)
  if (rejection !== undefined) return rejection
  const round = state.round
  if (round !== null && payload.round < round.number) return reject("late_round", `round ${round.number} is in play, not ${payload.round}`)
  if (round !== null && payload.round === round.number && round.startedAt !== null) {
    return reject("duplicate", `round ${payload.round} has already started`)
  }
  if (round !== null && payload.round > round.number && round.phase !== "over") {
    return reject("round_not_over", `round ${round.number} has not ended`)
  }
  return firstRejection(payload.players ?? [], (report) => known(state, report.playerId))
}

const inRound = (state: MatchState, event: RoundEvent): Rejection | undefined => {
  const { mapNumber, round: number } = event.payload
  const map = currentMap(state)
  if (map === undefined) return reject("no_map", "no map has started; send MapStarted first")
  if (mapNumber !== map.number) return reject("wrong_map", `map ${map.number} is in play, not ${mapNumber}`)
  const round = state.round
  const current = round?.number ?? 0
  if (number < current) return reject("late_round", `round ${current} is in play, round ${number} is over`)
  if (number > current) {
    // If the RoundStarted event was lost, the first event of a new round opens it, if the previous round is over.
    if (map.status === "completed") return reject("map_over", `map ${map.number} is over`)
    // The match may end within a map. A kill that follows must not open another round.
    if (hasEnded(state)) return reject("match_over", `${state.matchId} is ${state.status}`)
    if (number > current + 1 || (round !== null && round.phase !== "over")) {
      return reject("early_round", `round ${current} is in play, round ${number} has not started`)
    }
    return event.type === "RoundEnded" ? decideRoundEnded(map, event.payload) : people(state, event)
  }
  return round === null ? reject("no_map", "no round has started") : (people(state, event) ?? inCurrentRound(state, map, round, event))
}

/** Every player of the event must have joined the match. */
const people = (state: MatchState, event: RoundEvent): Rejection | undefined => {
  switch (event.type) {
    case "PlayerHurt":
      return known(state, event.payload.attackerId) ?? known(state, event.payload.victimId)
    case "PlayerKilled":
      return known(state, event.payload.killerId) ?? known(state, event.payload.victimId) ?? known(state, event.payload.assisterId)
    case "PlayersReported":
      return firstRejection(event.payload.players, (report) => known(state, report.playerId))
    case "BombPickedUp":
    case "BombDropped":
    case "BombPlanted":
    case "BombDefuseStarted":
    case "BombDefused":
      return known(state, event.payload.playerId)
    default:
      return undefined
  }
}

const inCurrentRound = (state: MatchState, map: GameMap, round: Round, event: RoundEvent): Rejection | undefined => {
  switch (event.type) {
    case "RoundLive":
      return round.phase === "freezetime" ? undefined : reject("duplicate", `the phase of round ${round.number} is already ${round.phase}`)
    case "PlayerKilled": {
      const victim = event.payload.victimId === null ? undefined : playerOf(state, event.payload.victimId)
      return victim?.round.died && event.payload.victimControlsBot !== true
        ? reject("player_dead", `${victim.id} has already died in round ${round.number}`)
        : undefined
    }
    case "BombPlanted":
      return bombIn(round, ["carried", "dropped"]) ?? byside(state, round, event.payload.playerId, "T")
    case "BombDefuseStarted":
      return bombIn(round, ["planted", "defusing"]) ?? byside(state, round, event.payload.playerId, "CT")
    case "BombDefused":
      return bombIn(round, ["planted", "defusing"]) ?? byside(state, round, event.payload.playerId, "CT")
    case "BombExploded":
      return bombIn(round, ["planted", "defusing"])
    case "BombPickedUp":
    case "BombDropped":
      return bombIn(round, ["carried", "dropped"])
    case "RoundEnded":
      return round.phase === "over" ? reject("round_over", `round ${round.number} has already ended`) : decideRoundEnded(map, event.payload)
    case "ClockReported":
      return round.phase === "over" ? reject("round_over", `round ${round.number} has already ended`) : undefined
    default:
      return undefined
  }
}

const bombIn = (round: Round, allowed: ReadonlyArray<string>): Rejection | undefined => {
  const is = round.bomb?.state ?? "carried"
  return allowed.includes(is) ? undefined : reject("bomb_state", `the bomb is ${is}`)
}

const byside = (state: MatchState, round: Round, id: PlayerId | null, side: "CT" | "T"): Rejection | undefined => {
  const player = id === null ? undefined : playerOf(state, id)
  return player === undefined || sideOfTeam(round, player.team) === side
    ? undefined
    : reject("bomb_state", `${player.id} plays ${sideOfTeam(round, player.team)}; only a ${side} player can do this`)
}

const decideRoundEnded = (
  map: Pick<GameMap, "score">,
  payload: { readonly winType: string; readonly winner: "CT" | "T"; readonly score?: { readonly ct: number; readonly t: number } },
): Rejection | undefined => {
  const byTerrorists = payload.winType === "bomb_exploded"
  const byCounterTerrorists = payload.winType === "bomb_defused" || payload.winType === "time_expired"
  if ((byTerrorists && payload.winner === "CT") || (byCounterTerrorists && payload.winner === "T")) {
    return reject("score_mismatch", `${payload.winner} cannot win by ${payload.winType}`)
  }
  if (payload.score !== undefined && (payload.winner === "CT" ? payload.score.ct : payload.score.t) < 1) {
    return reject("score_mismatch", `${payload.winner} won the round, so its score cannot be 0`)
  }
  if (payload.score !== undefined && payload.score.ct + payload.score.t < map.score[0] + map.score[1] + 1) {
    return reject(
      "score_mismatch",
      `the score ${payload.score.ct}:${payload.score.t} has fewer rounds than ${map.score[0]}:${map.score[1]} plus one`,
    )
  }
  return undefined
}
