// Owns what is fanned out. `frames`: real LIVE records of one match, all of exactly the same size. `feed`: facts of a simulated match, and
// the frames that a match actor makes of them.
import {
  deltaText,
  encodeDelta,
  encodeRecord,
  encodeUpdate,
  type LiveDelta,
  type LiveUpdate,
  type Shape,
  stampRecord,
  updateText,
} from "@matchpoint/contracts/stream/frames"
import type { LiveMatch, LiveTeam } from "@matchpoint/contracts/stream/LiveMatch"
import type { FeedEvent } from "@matchpoint/domain/cs2/feedEvents"
import { fold } from "@matchpoint/domain/cs2/fold"
import { teamId } from "@matchpoint/domain/cs2/ids"
import type { MatchState } from "@matchpoint/domain/cs2/state"
import type { MatchId } from "@matchpoint/domain/ids"
import { MatchEncoder } from "@matchpoint/service-match/encode/MatchEncoder"
import { simulateMatch } from "@matchpoint/simulator/cs2/simulateMatch"
import { toFeedEvent } from "@matchpoint/simulator/cs2/timedFact"
import { followedMatch } from "./followedMatch.ts"

export interface Payload {
  readonly kind: "frames" | "feed"
  readonly shape: Shape
  /** Size of a frame of the shape, as sent. For `frames`. */
  readonly bytes: number
}

/** One change of the followed match. Each server encodes it itself, in its way. */
export interface Change {
  readonly matchId: MatchId
  readonly epoch: number
  readonly seq: number
  /** As a match actor writes it to LIVE. */
  readonly record: () => Uint8Array
  /** As the gateway sends it to followers of the shape. */
  readonly frame: () => Uint8Array
  /** The frame as an object, for servers that encode by themselves. */
  readonly message: () => unknown
  /** What it was made of. */
  readonly event: FeedEvent | undefined
}

export interface Changes {
  /** No frame is smaller. */
  readonly frameBytes: number
  /** Seqs count from 1. */
  readonly make: (seq: number) => Change
}

/** The shape that nobody follows is there, too, in the size that real matches have (see RESULTS.md, deltas). */
const REAL_BYTES: Record<Shape, number> = { v1: 8_119, v2: 532 }
const EPOCH = 1
const text = new TextDecoder()
const MAX_DIGITS = 9
const at = "2026-11-21T10:00:00.000Z"

export const changesOf = (payload: Payload, matchId: MatchId = followedMatch): Changes =>
  payload.kind === "feed" ? feedChanges(payload.shape) : frameChanges(payload, matchId)

const frameChanges = ({ shape, bytes }: Payload, id: MatchId): Changes => {
  const { delta, document, update } = wordsOf(id)
  const bare = (shape === "v1" ? encodeUpdate(update(1, "")) : encodeDelta(delta(1, ""))).length - digitsOf(shape, 1)
  const size = Math.max(bytes, bare + 3 * MAX_DIGITS)
  const padding = filler(size - bare)
  const otherBare = (shape === "v1" ? encodeDelta(delta(1, "")) : encodeUpdate(update(1, ""))).length
  const other = filler(REAL_BYTES[shape === "v1" ? "v2" : "v1"] - otherBare)
  const otherDocument = JSON.stringify(document(other))
  const make = (seq: number): Change => {
    const pad = padding.slice(digitsOf(shape, seq))
    return {
      matchId: id,
      epoch: EPOCH,
      seq,
      record: () => {
        const { type: _, publishedAt: __, position: ___, data, ...head } = update(seq, shape === "v1" ? pad : "")
        const { type: ____, publishedAt: _____, position: ______, ...rest } = delta(seq, shape === "v2" ? pad : other)
        return encodeRecord(updateText(head, shape === "v1" ? JSON.stringify(data) : otherDocument), deltaText(rest))
      },
      frame: () => (shape === "v1" ? encodeUpdate(update(seq, pad)) : encodeDelta(delta(seq, pad))),
      message: () => (shape === "v1" ? update(seq, pad) : delta(seq, pad)),
      event: undefined,
    }
  }
  return { frameBytes: size, make }
}

/** Of what grows with the seq: the seq, which is the position in the log, too, and the base of a delta. */
const digitsOf = (shape: Shape, seq: number): number => 2 * String(seq).length + (shape === "v2" ? String(seq - 1).length : 0)

/** The first facts of a match make small frames and are over when clients come. */
export const FEED_STARTS_AT = 400

const feedChanges = (shape: Shape): Changes => {
  const encoder = new MatchEncoder()
  const steps: Array<{ readonly event: FeedEvent; readonly record: Uint8Array; readonly frame: Uint8Array }> = []
  let state: MatchState | undefined
  for (const event of simulatedFeed(followedMatch)) {
    const step = fold(state, event)
    if (step._tag === "Rejected") continue
    const record = encoder.encode(state, step.state, event)
    const stamped = stampRecord(record, event.receivedAt, step.state.seq)
    state = step.state
    if (stamped !== undefined) steps.push({ event, record, frame: shape === "v1" ? stamped.update : stamped.delta })
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

/** So many facts of a best-of-five are enough, and it is not over after them. */
const FACTS = 3_000

/** The first facts of a best-of-five, all of them just received. */
export function* simulatedFeed(id: MatchId): Iterable<FeedEvent> {
  const now = Date.now()
  let count = 0
  for (const fact of simulateMatch({ seed: 7, matchId: id, bestOf: 5 })) {
    if (++count > FACTS) return
    yield toFeedEvent(fact, { observedAt: now, receivedAt: now })
  }
}

const filler = (length: number): string => "Measured Open, group stage ".repeat(Math.ceil(length / 27)).slice(0, length)

/** What is said of one match. */
const wordsOf = (id: MatchId) => {
  const headOf = (seq: number) => ({ publishedAt: at, position: seq, matchId: id, epoch: EPOCH, seq, observedAt: at, receivedAt: at })
  const document = (eventName: string): LiveMatch => ({ ...documentOf(id), eventName })
  return {
    document,
    /** The name of the event is the padding. */
    update: (seq: number, padding: string): LiveUpdate => ({
      type: "cs2.live.update",
      ...headOf(seq),
      event: null,
      data: document(padding),
    }),
    delta: (seq: number, padding: string): LiveDelta => ({
      type: "cs2.live.delta",
      ...headOf(seq),
      base: seq - 1,
      events: [],
      patch: { eventName: padding },
    }),
  }
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
