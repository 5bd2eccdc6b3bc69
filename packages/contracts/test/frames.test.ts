import { assert, describe, it } from "@effect/vitest"
import { changeRecord } from "@matchpoint/cs2/contract/changeRecord"
import { compactOf } from "@matchpoint/cs2/contract/compactOf"
import { decodeDelta, decodeUpdate, encodeUpdate, LiveSnapshot, type LiveUpdate } from "@matchpoint/cs2/contract/frames"
import type { LiveEvent } from "@matchpoint/cs2/contract/LiveEvent"
import type { LiveMatch } from "@matchpoint/cs2/contract/LiveMatch"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { Result, Schema } from "effect"
import { linesOf, readRecord, stampRecord } from "../src/stream/record.ts"
import { positionBefore, snapshotOfUpdate, timesOfDelta } from "../src/stream/wire.ts"

const id = matchId(1001)

const team = (n: number): LiveMatch["teams"][0] => ({
  id: `cs2-team-${n}` as LiveMatch["teams"][0]["id"],
  name: `Team ${n}`,
  logoUrl: null,
  side: null,
  score: 0,
  mapScore: 0,
  playersAlive: 0,
  equipmentValue: null,
  money: null,
  timeoutsRemaining: null,
})

const match: LiveMatch = {
  matchId: id,
  status: "upcoming",
  source: "live",
  bestOf: 1,
  rules: { maxRounds: 24, overtimeRounds: 6, roundSeconds: 115, freezeSeconds: 20, bombSeconds: 40 },
  eventName: null,
  startedAt: null,
  endedAt: null,
  updatedAt: "2026-01-01T00:00:00.000Z",
  seriesScore: { team1: 0, team2: 0 },
  winnerTeamId: null,
  currentGame: 0,
  teams: [team(1), team(2)],
  maps: [],
  game: null,
  players: [],
  rounds: [],
  timeout: null,
  lastEvent: null,
  unavailableFields: [],
}

const killBy = (nick: string): LiveEvent => ({
  eventId: "k",
  eventType: "Kill",
  mapNumber: 1,
  round: 1,
  clockSeconds: null,
  playerId: null,
  playerName: nick,
  playerNick: nick,
  ctPlayers: 1,
  tPlayers: 1,
  bombSite: null,
  payload: { playerNick: nick },
  source: "live",
  observedAt: "2026-01-01T00:00:00.000Z",
})

const unstamped = (nick: string): Omit<LiveUpdate, "type" | "publishedAt" | "position"> => ({
  matchId: id,
  epoch: 1,
  seq: 7,
  observedAt: "2026-01-01T00:00:00.000Z",
  receivedAt: "2026-01-01T00:00:00.040Z",
  event: killBy(nick),
  data: { ...match, eventName: nick },
})

const PUBLISHED = Date.parse("2026-01-01T00:00:00.050Z")

const frame = (nick: string): LiveUpdate => ({
  type: "cs2.live.update",
  publishedAt: new Date(PUBLISHED).toISOString(),
  position: 41,
  ...unstamped(nick),
})

const record = (nick: string) => {
  const { data, event, ...head } = unstamped(nick)
  return changeRecord({ ...head, before: { ...data, eventName: "before" }, after: { ...data, eventName: nick }, event })
}

const text = new TextDecoder()

describe("frames", () => {
  it.prop("decode to the encoded value for any nickname", { nick: Schema.String }, ({ nick }) => {
    const bytes = encodeUpdate(frame(nick))
    const decoded = decodeUpdate(bytes)
    if (Result.isFailure(decoded)) assert.fail(String(decoded.failure))
    assert.deepStrictEqual(decoded.success, frame(nick))
  })

  it("derives the snapshot from the bytes of an update", () => {
    const bytes = encodeUpdate(frame("nick"))
    const snapshot = Schema.decodeUnknownResult(Schema.fromJsonString(LiveSnapshot))(text.decode(snapshotOfUpdate("cs2", bytes)))
    if (Result.isFailure(snapshot)) assert.fail(String(snapshot.failure))
    assert.deepStrictEqual(snapshot.success, { ...frame("nick"), type: "cs2.live.snapshot" })
    assert.strictEqual(text.decode(bytes).slice(0, 25), '{"type":"cs2.live.update"')
  })

  it.prop("stamping a record returns its delta and its other lines, for any nickname", { nick: Schema.String }, ({ nick }) => {
    const bytes = record(nick)
    const stamped = stampRecord(bytes, "cs2", PUBLISHED, 41) ?? assert.fail("not a record")
    const delta = Result.getOrThrow(decodeDelta(stamped.delta))
    assert.deepInclude(delta, { position: 41, base: 6, seq: 7, publishedAt: "2026-01-01T00:00:00.050Z" })
    assert.deepStrictEqual(delta.patch, nick === "before" ? {} : { eventName: nick })
    assert.strictEqual(positionBefore(stamped.delta), 40)
    assert.deepStrictEqual(timesOfDelta(stamped.delta), { observedAt: PUBLISHED - 50, receivedAt: PUBLISHED - 10 })
    const { internals } = linesOf(stamped.rest)
    assert.deepStrictEqual<unknown>(internals["event"], unstamped(nick).event)
    assert.deepStrictEqual(readRecord(bytes)?.internals, internals)
  })

  it("a keyframe contains the document", () => {
    const { data, event, ...head } = unstamped("nick")
    const bytes = changeRecord({ ...head, before: data, after: data, event, isKeyframe: true })
    assert.deepStrictEqual<unknown>(readRecord(bytes)?.document, compactOf(data))
  })

  it("stamping rejects bytes that are not a record", () => {
    const older = encodeUpdate(frame("nick"))
    for (const bytes of [new TextEncoder().encode("{}"), new Uint8Array(), older]) {
      assert.isUndefined(stampRecord(bytes, "cs2", PUBLISHED, 1))
      assert.isUndefined(readRecord(bytes))
    }
    assert.isUndefined(stampRecord(record("nick"), "tennis", PUBLISHED, 1))
  })
})
