/** The events that a snapshot contains: those up to its frame and no later ones, whatever the feed's clock shows. */
import { assert, describe, it } from "@effect/vitest"
import { cs2Live } from "@matchpoint/cs2/contract/cs2Live"
import type { LiveEvent } from "@matchpoint/cs2/contract/LiveEvent"
import { eventsAt, selectFrames, snapshotId } from "@matchpoint/cs2/edge/live/snapshots"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { Frame } from "@matchpoint/realtime/Frame"
import { Effect } from "effect"

const event = (n: number): LiveEvent => ({
  eventId: `e${n}`,
  eventType: "Kill",
  mapNumber: 1,
  round: 1,
  clockSeconds: null,
  playerId: null,
  playerName: null,
  playerNick: null,
  ctPlayers: 5,
  tPlayers: 5,
  bombSite: null,
  payload: { source: "live_backup" },
  source: "live",
  observedAt: "2026-01-01T00:00:00Z",
})

const utf8 = new TextEncoder()

/** `n` is the number of the event that caused the frame. */
const frame = (seq: number, n: number | null, patch: object = {}): Frame => {
  const delta = utf8.encode(JSON.stringify({ base: seq - 1, events: [], patch }))
  const rest = utf8.encode(JSON.stringify(n === null ? {} : { event: event(n) }))
  const record = { kind: "change", delta, rest, size: delta.length + rest.length } as const
  return { game: cs2Live, matchId: matchId(1), epoch: 1, seq, at: 1_000 + seq, position: seq, kind: "change", record }
}

const ids = (events: ReadonlyArray<LiveEvent>) => events.map(({ eventId }) => eventId)

describe("eventsAt", () => {
  const frames = [frame(5, null), frame(6, 3), frame(7, null), frame(8, 4), frame(9, 5), frame(10, null)]
  const events = [1, 2, 3, 4, 5].map(event)

  it.effect("counts events by the frames, also before the first event in the ring buffer", () =>
    Effect.sync(() => {
      const all = eventsAt(frames, frames, events).map((known) => known.length)
      assert.deepStrictEqual(all, [2, 3, 3, 4, 5, 5])
      for (const wanted of frames) {
        assert.deepStrictEqual(eventsAt([wanted], frames, events).map(ids), [ids(events.slice(0, all[frames.indexOf(wanted)]))])
      }
    }),
  )

  it.effect("handles a subset of the frames, no frames, and a ring buffer without events", () =>
    Effect.sync(() => {
      const some = frames.filter((_, index) => index % 2 === 1)
      assert.deepStrictEqual(
        eventsAt(some, frames, events).map((known) => known.length),
        [3, 4, 5],
      )
      assert.deepStrictEqual(eventsAt([], frames, events), [])
      const quiet = [frame(20, null), frame(21, null)]
      assert.deepStrictEqual(
        eventsAt(quiet, quiet, events).map((known) => known.length),
        [5, 5],
      )
    }),
  )
})

describe("selectFrames", () => {
  const frames = [
    frame(1, null),
    frame(2, 1, { source: "live_backup" }),
    frame(3, 2, { source: "live" }),
    frame(4, null, { source: "live_backup" }),
    frame(5, 3),
  ]
  const sources = ["live", "live_backup", "live", "live_backup", "live_backup"]
  const rebuilt: Array<number> = []
  const viewsOf = ({ seq }: Frame) => {
    rebuilt.push(seq)
    return { source: sources[seq - 1] ?? assert.fail("no such frame") }
  }
  const seqs = (selection: Parameters<typeof selectFrames>[1]) => selectFrames(frames, selection, viewsOf).map(({ seq }) => seq)
  const always = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, source: undefined }

  it.effect("selects by time, inclusive, and by the source of the document rather than of an event", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(seqs(always), [1, 2, 3, 4, 5])
      assert.deepStrictEqual(seqs({ ...always, from: 1_002, to: 1_003 }), [2, 3])
      assert.deepStrictEqual(seqs({ ...always, source: "live" }), [1, 3])
      assert.deepStrictEqual(seqs({ ...always, source: "live_backup", from: 1_003 }), [4, 5])
    }),
  )

  it.effect("rebuilds only states whose source may differ from the one before", () =>
    Effect.sync(() => {
      rebuilt.length = 0
      assert.deepStrictEqual(seqs(always), [1, 2, 3, 4, 5])
      assert.deepStrictEqual(rebuilt, [])
      seqs({ ...always, source: "live" })
      assert.deepStrictEqual(rebuilt, [1, 2, 3, 4])
    }),
  )
})

it.effect("derives a snapshot's id from its cursor, as a UUID", () =>
  Effect.sync(() => {
    const id = snapshotId(frame(1, null))
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.strictEqual(id, snapshotId(frame(1, 1)))
    assert.notStrictEqual(id, snapshotId(frame(2, null)))
  }),
)
