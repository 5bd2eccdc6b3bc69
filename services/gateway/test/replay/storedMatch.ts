/** A small match in a LIVE log, and a client that receives a replay. */
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { LIVE, liveMessageId, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { contractsOf } from "@matchpoint/contracts/game/LiveContract"
import { closeCodes } from "@matchpoint/contracts/stream/closeCodes"
import { changeRecord } from "@matchpoint/cs2/contract/changeRecord"
import { cs2Live } from "@matchpoint/cs2/contract/cs2Live"
import type { LiveMatch } from "@matchpoint/cs2/contract/LiveMatch"
import type { ServerMessage } from "@matchpoint/cs2/contract/serverMessages"
import { matchId, teamId } from "@matchpoint/cs2/rules/ids"
import type { Frame } from "@matchpoint/realtime/Frame"
import { Clock, Effect, Latch } from "effect"
import type { ReplaySink } from "../../src/replay/ReplaySink.ts"
import type { ReplayRequest } from "../../src/replay/replay.ts"
import type { Closing } from "../../src/stream/Outlet.ts"

export const id = matchId(4_001)

export const liveLog = (maxBytes = 64_000_000) => EventLogMemory.layer({ streams: [{ name: LIVE, subjects: ["live.*.*.*"], maxBytes }] })

export const games = contractsOf([cs2Live])

const START = Date.parse("2026-03-01T18:00:00Z")

export interface StoredFrame {
  readonly seq: number
  readonly epoch?: number
  /** Time at which the event was received, in ms since the match started. */
  readonly at?: number
  readonly map?: number
  readonly round?: number
}

const team = (n: number): LiveMatch["teams"][0] => ({
  id: teamId(n),
  name: `Team ${n}`,
  logoUrl: null,
  side: null,
  score: 0,
  mapScore: 0,
  playersAlive: 5,
  equipmentValue: null,
  money: null,
  timeoutsRemaining: null,
})

export const documentOf = ({ seq, at = seq * 100, map = 1, round = 1 }: StoredFrame): LiveMatch => ({
  matchId: id,
  status: "live",
  source: "live",
  bestOf: 3,
  rules: { maxRounds: 24, overtimeRounds: 6, roundSeconds: 115, freezeSeconds: 20, bombSeconds: 40 },
  eventName: null,
  startedAt: null,
  endedAt: null,
  updatedAt: new Date(START + at).toISOString(),
  seriesScore: { team1: 0, team2: 0 },
  winnerTeamId: null,
  currentGame: map,
  teams: [team(1), { ...team(2), money: seq * 50 }],
  maps: [],
  game: {
    id: `map-${map}`,
    map: "de_nuke",
    round,
    phase: "live",
    clockSeconds: null,
    clockEndsAt: null,
    bomb: null,
    score: { ct: 0, t: 0 },
    sides: { ctTeamId: teamId(1), tTeamId: teamId(2) },
  },
  players: [],
  rounds: [],
  timeout: null,
  lastEvent: null,
  unavailableFields: [],
})

const recordOf = (frame: StoredFrame, before: StoredFrame | undefined): Uint8Array => {
  const { epoch = 1, seq, at = seq * 100 } = frame
  const time = new Date(START + at).toISOString()
  const continues = before !== undefined && (before.epoch ?? 1) === epoch && before.seq + 1 === seq
  return changeRecord({
    ...{ matchId: id, epoch, seq, observedAt: time, receivedAt: time },
    before: continues ? documentOf(before) : undefined,
    after: documentOf(frame),
  })
}

/** Appends these frames, each built from the previous one. Returns the log's position after them. */
export const store = Effect.fnUntraced(function* (frames: ReadonlyArray<StoredFrame>) {
  const log = yield* EventLog
  let position = 0
  let before: StoredFrame | undefined
  for (const frame of frames) {
    const { epoch = 1, seq } = frame
    position = (yield* log.append(liveSubject(id), liveMessageId(id, epoch, seq), recordOf(frame, before))).sequence
    before = frame
  }
  return position
})

export const frames = (count: number, from = 1): ReadonlyArray<StoredFrame> =>
  Array.from({ length: count }, (_, index) => ({ seq: from + index }))

export const request = (options: ReplayRequest["options"] = {}, more: Partial<ReplayRequest> = {}): ReplayRequest => ({
  matchId: id,
  options,
  shape: "v1",
  resume: undefined,
  watermark: { rooms: { dueTo: Number.MAX_SAFE_INTEGER } },
  slowestSeconds: 30,
  ...more,
})

export interface Sent {
  readonly kind: "update" | "delta" | "snapshot"
  readonly frame: Frame
  readonly bytes: Uint8Array
  /** Time by the test's clock, in ms since the client was created. */
  readonly at: number
}

export class Client implements ReplaySink {
  readonly outlet = this
  readonly knowsSnapshots = true
  readonly sent: Array<Sent> = []
  readonly controlMessages: Array<Exclude<ServerMessage, { readonly data: unknown }>> = []
  readonly cuts: Array<string> = []
  /** Called after each frame. */
  onFrame: () => void = () => {}
  /** Number of further frames that fit. `read` makes room for more. */
  room = Number.POSITIVE_INFINITY
  readonly #latch = Latch.makeUnsafe()
  readonly #clock: Clock.Clock
  readonly #begun: number

  constructor(clock: Clock.Clock) {
    this.#clock = clock
    this.#begun = clock.currentTimeMillisUnsafe()
  }

  static readonly make = Effect.map(Clock.Clock, (clock) => new Client(clock))

  get seqs(): ReadonlyArray<number> {
    return this.sent.map(({ frame }) => frame.seq)
  }

  get kinds(): ReadonlyArray<string> {
    return this.sent.map(({ kind }) => kind)
  }

  /** All messages except heartbeats. */
  get messages(): ReadonlyArray<Client["controlMessages"][number]> {
    return this.controlMessages.filter(({ type }) => type !== "heartbeat")
  }

  read(count: number): void {
    this.room = count
    this.#latch.openUnsafe()
  }

  begin(): void {}

  hasRoom(): boolean {
    if (this.room > 0) return true
    this.#latch.closeUnsafe()
    return false
  }

  drained(): Effect.Effect<void> {
    return this.#latch.await
  }

  frameSent(): void {
    this.onFrame()
  }

  frame(kind: Sent["kind"], frame: Frame, bytes: Uint8Array): void {
    this.room -= 1
    this.sent.push({ kind, frame, bytes, at: this.#clock.currentTimeMillisUnsafe() - this.#begun })
  }

  sendControl(message: Client["controlMessages"][number]): boolean {
    this.controlMessages.push(message)
    return true
  }

  end({ code }: Closing): void {
    this.cuts.push(code === closeCodes.replayFault.code ? "fault" : String(code))
  }

  endSlow(): void {
    this.cuts.push("slow")
  }
}
