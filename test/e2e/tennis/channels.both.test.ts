/**
 * Tests a tennis match from its registration and facts over HTTP to customers: WebSocket, SSE, deltas, resume, delay and
 * replay, REST, and the archive. Runs on the log in memory, and on NATS in the full run.
 */
import { assert, describe, it } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import * as EventLogNats from "@matchpoint/bus/EventLogNats"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { MatchId } from "@matchpoint/domain/ids"
import { TennisMatchRecords } from "@matchpoint/tennis/archive/live/TennisMatchRecords"
import { inRun } from "@matchpoint/testing/bothRuns"
import { Clock, Effect, Option, Schedule, Schema } from "effect"
import { inject } from "vitest"
import { DELAY_SECONDS, factsOf, follow, get, post, range, rowsOf, seqs, server } from "../../fixtures/gameChannels.ts"
import { temporaryNamespace } from "../../fixtures/temporaryNamespace.ts"
import { tennisDocument, tennisEvents, tennisMatch } from "../../fixtures/tennis/simulatedTennis.ts"

const decodeId = Schema.decodeUnknownEffect(MatchId)

/** The 10th simulated match: a short one in two sets. */
const fromFactsToCustomers = Effect.gen(function* () {
  const start = (yield* Clock.currentTimeMillis) - 3 * 3_600_000
  const [created, ...rest] = tennisEvents(10, tennisMatch(1001), start)
  if (created?.type !== "MatchCreated") return assert.fail("no match")
  const whole = yield* follow("/tennis/live/ws", "shape=v1")
  const deltas = yield* follow("/tennis/live/ws", "shape=v2")
  const events = yield* follow("/tennis/live/stream", "shape=v2")
  const late = yield* follow("/tennis/live/ws", "shape=v1", "free")
  const everything = yield* follow("/live/ws", "shape=v2")
  const cs2Only = yield* follow("/cs2/live/ws", "shape=v2")
  for (const { listener, send } of [whole, deltas, late, everything, cs2Only]) {
    send({ action: "subscribe", rooms: ["all"] })
    yield* listener.until("subscribed", ({ type }) => type === "subscribed")
  }

  const { format, sides, tour, tournament } = created.payload
  const registered = yield* post("/tennis/matches", { tour, tournament, format, sides })
  assert.strictEqual(registered.status, 200, JSON.stringify(registered.body))
  const id = yield* decodeId(registered.body.data["matchId"])
  assert.strictEqual(id, "tennis-match-1001")
  const path = `/tennis/matches/${id}/events`
  const facts = factsOf(rest)
  const last = rest.length + 1
  // The match until its middle. Facts that are sent twice count once.
  const half = Math.floor(facts.length / 2)
  assert.deepInclude((yield* post(path, facts.slice(0, half))).body.data, { accepted: half, ignored: 0, problemCount: 0 })
  assert.deepInclude((yield* post(path, facts.slice(0, half))).body.data, { accepted: 0, ignored: half, problemCount: 0 })

  yield* whole.listener.until("the middle", ({ seq }) => seq === half + 1)
  const live = yield* get(`/tennis/matches/live/${id}`)
  assert.strictEqual(live.status, 200)
  assert.deepInclude(live.data, { id, status: "live", tour: "WTA", winner: null, source: "live" })
  const list = yield* get("/tennis/matches/live?tour=wta")
  assert.strictEqual(rowsOf(list.data)[0]?.["id"], id)
  assert.lengthOf(rowsOf((yield* get("/tennis/matches/live?tour=ATP")).data), 0)
  assert.strictEqual((yield* get("/tennis/matches/live?tour=itf")).status, 400)
  assert.deepInclude((yield* get(`/tennis/matches/${id}/status`)).data, { status: "live", source_status: "reporting", is_final: false })
  assert.deepInclude((yield* get(`/tennis/matches/${id}/timeline`)).data, {
    coverage: { point_history: "available", reason: null },
  })
  assert.deepInclude((yield* get(`/tennis/matches/${id}/tournament-link`)).data, {
    tournament_id: null,
    competition_id: null,
    reason: "live_match_not_reconciled",
  })
  const today = rowsOf((yield* get("/tennis/schedule")).data["live"])
  assert.include(
    today.map((row) => row["id"]),
    id,
  )

  // The rest. A point that is not the next one is reported as a problem.
  const early = { ...facts[half + 1], id: "early" }
  assert.deepInclude((yield* post(path, [early])).body.data, { accepted: 0, problemCount: 1 })
  assert.deepInclude((yield* post(path, facts.slice(half))).body.data, { accepted: facts.length - half, problemCount: 0 })
  for (const { listener } of [whole, deltas, events, late, everything]) {
    yield* listener.until("the end", ({ matchId, seq }) => matchId === id && seq === last)
  }

  const expected = tennisDocument([created, ...rest])
  const updates = whole.listener.ofType("tennis.live.update")
  assert.deepStrictEqual(seqs(updates), range(1, last))
  assert.deepStrictEqual(updates.at(-1)?.data, JSON.parse(JSON.stringify(expected)))
  assert.deepInclude(updates[2]?.event, { type: "point", set: 1, game: 1, point: 1 })
  assert.deepInclude(updates.at(-1)?.event, { type: "point", won: "match" })

  for (const { listener } of [deltas, events, everything]) {
    const changes = listener.ofType("tennis.live.delta")
    assert.deepStrictEqual(seqs(changes), range(1, last))
    let document: JsonObject = {}
    for (const { hash, patch } of changes) {
      document = applyPatch(document, patch ?? {})
      if (hash !== undefined) assert.strictEqual(stateHash(document), hash)
    }
    assert.deepInclude(document, { status: "completed", score: expected.score, winner: expected.winner })
  }
  assert.isEmpty(cs2Only.listener.messages.filter(({ matchId }) => matchId !== undefined))

  // A low plan receives the same updates, none of them before the delay.
  const delayed = late.listener.ofType("tennis.live.update")
  assert.deepStrictEqual(seqs(delayed), range(1, last))
  for (const { at, publishedAt } of delayed) assert.isAtLeast(at - Date.parse(publishedAt ?? ""), DELAY_SECONDS * 1_000)

  // A returning client resumes after its cursor. A new client starts with the document.
  const back = yield* follow("/tennis/live/ws", "shape=v2")
  back.send({ action: "subscribe", rooms: [`match:${id}`], resume: { [`match:${id}`]: { epoch: 1, seq: last - 20 } } })
  yield* back.listener.until("the rest", ({ seq }) => seq === last)
  assert.deepInclude(back.listener.ofType("resumed")[0], { verdict: "recovered" })
  assert.deepStrictEqual(seqs(back.listener.ofType("tennis.live.delta")), range(last - 19, last))
  const newcomer = yield* follow("/tennis/live/ws", `shape=v2&matchId=${id}`)
  yield* newcomer.listener.until("a snapshot", ({ type }) => type === "tennis.live.snapshot")
  const [snapshot] = newcomer.listener.ofType("tennis.live.snapshot")
  assert.strictEqual(snapshot?.hash, stateHash(snapshot?.data ?? {}))

  const again = yield* follow(`/tennis/live/${id}/replay`, "speed=0&shape=v1")
  yield* again.listener.until("the end of the replay", ({ type }) => type === "replay_ended")
  assert.deepStrictEqual(seqs(again.listener.ofType("tennis.live.update")), range(1, last))

  // The match is final, on every plan, and becomes a row of the archive.
  assert.deepInclude((yield* get(`/tennis/matches/${id}/status`)).data, { status: "completed", is_final: true })
  const timeline = rowsOf((yield* get(`/tennis/matches/${id}/timeline`, "free")).data["events"])
  assert.deepStrictEqual(
    timeline.map(({ type }) => type),
    ["match_started", ...expected.sets.map(() => "set_ended"), "match_ended"],
  )
  const { find } = yield* TennisMatchRecords
  const archived = yield* find(id).pipe(
    Effect.repeat({ until: Option.isSome, schedule: Schedule.spaced("50 millis") }),
    Effect.timeout("10 seconds"),
  )
  assert.deepInclude(Option.getOrThrow(archived), { matchId: id, dateSource: "live", ending: "completed", score: expected.score ?? "" })
}).pipe(Effect.scoped)

/** Test streams need not reserve the space that production streams do. */
const small = streams.map((spec) => ({ ...spec, maxBytes: 64 * 1024 * 1024 }))

const withNats = Effect.gen(function* () {
  const servers = inject("natsUrl") ?? ""
  const namespace = yield* temporaryNamespace(servers)
  yield* fromFactsToCustomers.pipe(Effect.provide(server(EventLogNats.layer({ servers, namespace, streams: small }))))
}).pipe(Effect.scoped)

describe("a tennis match", () => {
  const title = "goes from facts over HTTP to every channel, to REST and into the archive"
  if (inRun(true, false)) {
    it.live(`${title}: log in memory`, () => fromFactsToCustomers.pipe(Effect.provide(server(EventLogMemory.layer({ streams })))), 60_000)
  } else it.live.skipIf(inject("natsUrl") === null)(`${title}: NATS JetStream`, () => withNats, 60_000)
})
