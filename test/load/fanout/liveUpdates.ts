// Owns the frames under measurement: real LIVE updates of one match, all of exactly the same size, each with the time it was due.
import { encodeUpdate, type LiveUpdate } from "@matchpoint/contracts/stream/frames"
import type { LiveMatch, LiveTeam } from "@matchpoint/contracts/stream/LiveMatch"
import { matchId, teamId } from "@matchpoint/domain/ids"

export type Update = Omit<LiveUpdate, "type">

export const followedMatch = matchId(1)

/** Digits of the due time, in microseconds of the monotonic clock. */
export const STAMP_DIGITS = 16
/** What stands behind the stamp in the encoded update. */
export const AFTER_STAMP = '"]}}'

const EPOCH = 1
const MAX_SEQ_DIGITS = 9
const at = "2026-11-21T10:00:00.000Z"

export interface LiveUpdates {
  /** Size of every encoded update: what was asked for, or the least an update can have. */
  readonly bytes: number
  readonly make: (seq: number, dueUs: number) => Update
}

/** The name of the event is the padding. The stamp is the last text of the document, so that a reader finds it from the end. */
export const liveUpdates = (bytes: number): LiveUpdates => {
  const update = (seq: number, dueUs: number, eventName: string): Update => ({
    matchId: followedMatch,
    epoch: EPOCH,
    seq,
    observedAt: at,
    receivedAt: at,
    event: null,
    data: document(eventName, String(Math.round(dueUs)).padStart(STAMP_DIGITS, "0")),
  })
  const bare = encodeUpdate(update(1, 0, "")).length - 1
  const size = Math.max(bytes, bare + MAX_SEQ_DIGITS)
  const padding = "Measured Open, group stage ".repeat(Math.ceil(size / 27)).slice(0, size - bare)
  return { bytes: size, make: (seq, dueUs) => update(seq, dueUs, padding.slice(String(seq).length)) }
}

const document = (eventName: string, stamp: string): LiveMatch => ({
  matchId: followedMatch,
  status: "live",
  source: "live",
  bestOf: 3,
  rules: { maxRounds: 24, overtimeRounds: 6, roundSeconds: 115, freezeSeconds: 15, bombSeconds: 40 },
  eventName,
  startedAt: at,
  endedAt: null,
  updatedAt: at,
  seriesScore: { team1: 0, team2: 1 },
  winnerTeamId: null,
  currentGame: 2,
  teams: [team(1), team(2)],
  maps: [],
  game: null,
  players: [],
  rounds: [],
  timeout: null,
  lastEvent: null,
  unavailableFields: [stamp],
})

const team = (n: number): LiveTeam => ({
  id: teamId(n),
  name: `Team ${n}`,
  logoUrl: null,
  side: n === 1 ? "CT" : "T",
  score: n - 1,
  mapScore: 7,
  playersAlive: 5,
  equipmentValue: null,
  money: null,
  timeoutsRemaining: null,
})
