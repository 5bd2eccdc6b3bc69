// Owns the payload of the fan-out. `frames`: real LIVE records of one match, all of exactly the same size. `feed`:
// facts of a simulated match, and the frames that a match actor makes of them.
import { liveMessageId, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { HASH_EVERY } from "@matchpoint/contracts/stream/compact/stateHash"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { stampRecord } from "@matchpoint/contracts/stream/record"
import { changeRecord } from "@matchpoint/cs2/contract/changeRecord"
import { encodeUpdate, type LiveUpdate } from "@matchpoint/cs2/contract/frames"
import type { LiveMatch, LiveTeam } from "@matchpoint/cs2/contract/LiveMatch"
import { MatchEncoder } from "@matchpoint/cs2/live/encode/MatchEncoder"
import { teamId } from "@matchpoint/cs2/rules/ids"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import { fold } from "@matchpoint/cs2/rules/live/fold"
import type { MatchState } from "@matchpoint/cs2/rules/live/state"
import { simulateMatch } from "@matchpoint/cs2/simulator/simulateMatch"
import { toFeedEvent } from "@matchpoint/cs2/simulator/timedFact"
import type { MatchId } from "@matchpoint/domain/ids"
import { LiveReader } from "../../fixtures/clients/LiveReader.ts"
import { followedMatch } from "./followedMatch.ts"

export interface Payload {
  readonly kind: "frames" | "feed"
  readonly shape: Shape
  /** Size of a frame of the shape as sent, for `frames`. */
  readonly bytes: number
}

/** One change of the followed match. Each server encodes it in its own way. */
export interface Change {
  readonly matchId: MatchId
  readonly epoch: number
  readonly seq: number
  /** Encodes the record as a match actor writes it to LIVE. */
  readonly record: () => Uint8Array
  /** Encodes the frame as the gateway sends it to followers of the shape. */
  readonly frame: () => Uint8Array
  /** Returns the frame as an object, for servers that encode it themselves. */
  readonly message: () => unknown
  /** The feed event behind the change. */
  readonly event: FeedEvent | undefined
}

export interface Changes {
  /** Minimum size of a frame. */
  readonly frameBytes: number
  /** Seqs count from 1. */
  readonly make: (seq: number) => Change
}

const EPOCH = 1
const text = new TextDecoder()
const MAX_DIGITS = 9
const at = "2026-11-21T10:00:00.000Z"

export const changesOf = (payload: Payload, matchId: MatchId = followedMatch): Changes =>
  payload.kind === "feed" ? feedChanges(payload.shape) : frameChanges(payload, matchId)

const frameChanges = ({ shape, bytes }: Payload, id: MatchId): Changes => {
  const { document, head, update } = contentOf(id)
  const recordOf = (seq: number, pad: string): Uint8Array =>
    changeRecord({ ...head(seq), before: seq === 1 ? undefined : document(`${pad}.`), after: document(pad) })
  const frameOf = (seq: number, pad: string): Uint8Array =>
    shape === "v1" ? encodeUpdate(update(seq, pad)) : deltaOf(recordOf(seq, pad), Date.parse(at), seq)
  // The first delta contains the whole document, and every 32nd delta has a hash.
  const bare = frameOf(2, "").length - digitsOf(shape, 2)
  const size = Math.max(bytes, bare + 3 * MAX_DIGITS + HASH_CHARACTERS)
  const padding = filler(size - bare)
  const make = (seq: number): Change => {
    const isHashed = shape === "v2" && seq % HASH_EVERY === 0
    const pad = padding.slice(digitsOf(shape, seq) + (isHashed ? HASH_CHARACTERS : 0))
    return {
      matchId: id,
      epoch: EPOCH,
      seq,
      record: () => recordOf(seq, pad),
      frame: () => frameOf(seq, pad),
      message: () => JSON.parse(text.decode(frameOf(seq, pad))),
      event: undefined,
    }
  }
  return { frameBytes: size, make }
}

const HASH_CHARACTERS = `,"hash":"01234567"`.length

const deltaOf = (record: Uint8Array, publishedAt: number, position: number): Uint8Array => {
  const stamped = stampRecord(record, "cs2", publishedAt, position)
  if (stamped === undefined) throw new Error("not a record")
  return stamped.delta
}

/**
 * Counts the characters that grow with the seq: the seq itself, the log position, which is equal to it, and the base of
 * a delta.
 */
const digitsOf = (shape: Shape, seq: number): number => 2 * String(seq).length + (shape === "v2" ? String(seq - 1).length : 0)

/** Skips the first facts of a match, which make small frames. They are published before clients connect. */
export const FEED_STARTS_AT = 400

const feedChanges = (shape: Shape): Changes => {
  const encoder = new MatchEncoder()
  const reader = new LiveReader()
  const steps: Array<{ readonly event: FeedEvent; readonly record: Uint8Array; readonly frame: Uint8Array }> = []
  let state: MatchState | undefined
  for (const event of simulatedFeed(followedMatch)) {
    const step = fold(state, event)
    if (step._tag === "Rejected") continue
    const record = encoder.encode(state, step.state, event)
    const { epoch, seq } = step.state
    const place = { subject: liveSubject(followedMatch), id: liveMessageId(followedMatch, epoch, seq) }
    const read = reader.take({ ...place, data: record, sequence: seq, appendedAt: event.receivedAt })
    state = step.state
    if (read !== undefined) steps.push({ event, record, frame: shape === "v1" ? read.update : read.delta })
  }
  return {
    frameBytes: Math.min(...steps.slice(FEED_STARTS_AT).map(({ frame }) => frame.length)),
    make: (seq) => {
      const step = steps[seq - 1]
      if (step === undefined) throw new Error(`the simulated match has only ${steps.length} changes`)
      const { event, record, frame } = step
      return {
        matchId: followedMatch,
        epoch: EPOCH,
        seq,
        event,
        record: () => record,
        frame: () => frame,
        message: () => JSON.parse(text.decode(frame)),
      }
    },
  }
}

/** Enough facts for a run. A best-of-five is not over after them. */
const FACTS = 3_000

/** Yields the first facts of a best-of-five, all received now. */
export function* simulatedFeed(id: MatchId): Iterable<FeedEvent> {
  const now = Date.now()
  let count = 0
  for (const fact of simulateMatch({ seed: 7, matchId: id, bestOf: 5 })) {
    if (++count > FACTS) return
    yield toFeedEvent(fact, { observedAt: now, receivedAt: now })
  }
}

const filler = (length: number): string => "Measured Open, group stage ".repeat(Math.ceil(length / 27)).slice(0, length)

/** Builds the content of one match. */
const contentOf = (id: MatchId) => {
  const head = (seq: number) => ({ matchId: id, epoch: EPOCH, seq, observedAt: at, receivedAt: at })
  /** The event's name is the padding. */
  const document = (eventName: string): LiveMatch => ({ ...documentOf(id), eventName })
  const update = (seq: number, padding: string): LiveUpdate => ({
    type: "cs2.live.update",
    publishedAt: at,
    position: seq,
    ...head(seq),
    event: null,
    data: document(padding),
  })
  return { document, head, update }
}

const documentOf = (id: MatchId): LiveMatch => ({
  matchId: id,
  status: "live",
  source: "live",
  bestOf: 3,
  rules: { maxRounds: 24, overtimeRounds: 6, roundSeconds: 115, freezeSeconds: 15, bombSeconds: 40 },
  eventName: null,
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
  unavailableFields: [],
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
