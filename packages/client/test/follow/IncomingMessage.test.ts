/** The reader of messages against the contract: it accepts whatever the schemas allow, and rejects what they forbid. */
import { assert, describe, it } from "@effect/vitest"
import { anyFrameParts, framesOf } from "@matchpoint/contracts/stream/frames"
import { CaughtUp, Gap, Heartbeat, Ready, Reconnect, Resumed, StreamError } from "@matchpoint/contracts/stream/messages"
import { ServerMessage } from "@matchpoint/cs2/contract/serverMessages"
import { Effect, Schema } from "effect"
import { readMessage } from "../../src/follow/IncomingMessage.ts"

const { CompactSnapshot, LiveDelta, LiveSnapshot, LiveUpdate } = framesOf({
  ...anyFrameParts,
  update: Schema.Literal("cs2.live.update"),
  snapshot: Schema.Literal("cs2.live.snapshot"),
  delta: Schema.Literal("cs2.live.delta"),
})

const kinds = { Ready, Resumed, CaughtUp, Gap, Heartbeat, Reconnect, StreamError, CompactSnapshot, LiveSnapshot, LiveUpdate, LiveDelta }

describe("messages of the contract", () => {
  for (const [name, schema] of Object.entries(kinds)) {
    it.effect.prop(
      `${name} is read`,
      [schema],
      ([message]) =>
        Effect.sync(() => {
          const read = readMessage(JSON.stringify(message))
          assert.notStrictEqual(read?.type, "malformed", JSON.stringify(read))
          assert.isDefined(read)
        }),
      { arbitrary: { runs: 50 } },
    )

    it.effect.prop(
      `${name} is rejected if a field that the rules use is of another type`,
      [schema],
      ([message]) =>
        Effect.sync(() => {
          const fields = "seq" in message ? [...ofFrames, ...used] : used
          for (const field of fields.filter((one) => one in message)) {
            const broken = readMessage(JSON.stringify({ ...message, [field]: { not: "this" } }))
            assert.strictEqual(broken?.type, "malformed", field)
          }
        }),
      { arbitrary: { runs: 10 } },
    )
  }

  it("covers every type that changes the state of a follower", () => {
    const ignored = ["subscribed", "unsubscribed", "pong", "replay_ended"]
    const types = ServerMessage.members.map((member) => member.fields.type.literal)
    for (const type of types) {
      const read = readMessage(JSON.stringify({ type }))
      if (ignored.includes(type)) assert.isUndefined(read, type)
      else assert.isDefined(read, type)
    }
  })

  it("drops fields of a snapshot that belong to the other shape", () => {
    const head = { matchId: "cs2-match-1", epoch: 1, seq: 1, position: 1, observedAt: "", receivedAt: "", publishedAt: "" }
    const compact = readMessage(JSON.stringify({ type: "cs2.live.snapshot", shape: "v2", ...head, hash: "0", event: null, data: {} }))
    assert.isFalse(compact !== undefined && "event" in compact)
  })
})

/** Fields that the rules use. */
const ofFrames = ["matchId", "epoch", "seq", "position", "observedAt", "receivedAt", "publishedAt"]
const used = [
  "base",
  "hash",
  "events",
  "plan",
  "delay_seconds",
  "heartbeat_seconds",
  "slow",
  "verdict",
  "missing",
  "matches",
  "after_ms",
  "code",
  "message",
]
