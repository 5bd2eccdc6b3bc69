/** A follower driven by messages, and the messages of one match. */
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { type FollowInput, type FollowSettings, type FollowState, initial, type Step } from "../../src/follow/FollowState.ts"
import { readMessage } from "../../src/follow/IncomingMessage.ts"
import { step } from "../../src/follow/step.ts"

export const id = matchId(1)
export const room = `match:${id}`
const time = "2026-03-01T18:00:00.000Z"

export class Follower {
  state: FollowState
  last: Step

  constructor(shape: Shape, settings: Partial<FollowSettings> = {}) {
    this.state = initial({
      matchId: id,
      shape,
      canSend: true,
      canFallBack: false,
      maxRateMs: undefined,
      endWithMatch: true,
      baseDelayMs: 250,
      maxDelayMs: 20_000,
      maxAttempts: Number.POSITIVE_INFINITY,
      ...settings,
    })
    this.last = this.give({ _tag: "Opened" })
  }

  give(input: FollowInput): Step {
    this.last = step(this.state, input)
    this.state = this.last.state
    return this.last
  }

  receive(message: object): Step {
    const read = readMessage(JSON.stringify(message))
    if (read === undefined || read.type === "malformed") throw new Error(`not a message: ${JSON.stringify(message)}`)
    return this.give({ _tag: "Received", message: read, cursor: undefined, now: 0 })
  }

  get changes() {
    return this.last.emit.flatMap((item) => (item._tag === "Change" ? [item.change] : []))
  }
}

const head = (seq: number) => ({ publishedAt: time, position: seq * 10, matchId: id, epoch: 1, seq, observedAt: time, receivedAt: time })
export const update = (seq: number) => ({ type: "cs2.live.update", ...head(seq), event: null, data: { status: "live", seq } })
export const compact = (seq: number) => ({
  type: "cs2.live.snapshot",
  shape: "v2",
  ...head(seq),
  hash: stateHash({ status: "live", seq }),
  data: { status: "live", seq },
})
export const delta = (seq: number, base = seq - 1, more: object = {}) => ({
  type: "cs2.live.delta",
  ...head(seq),
  base,
  events: [{ eventId: `e${seq}` }],
  patch: { seq },
  ...more,
})
export const caughtUp = { type: "caught_up", rooms: [room], position: 10 }
export const beat = (seq: number) => ({
  type: "heartbeat",
  at: time,
  position: seq * 10,
  matches: [{ matchId: id, epoch: 1, seq, age_ms: 1 }],
})

/** A follower of the match, after its first snapshot. */
export const followed = (settings: Partial<FollowSettings> = {}) => {
  const follower = new Follower("v2", settings)
  follower.receive(compact(1))
  follower.receive(caughtUp)
  return follower
}
