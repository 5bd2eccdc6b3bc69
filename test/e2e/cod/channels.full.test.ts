/**
 * Tests a Call of Duty match from its registration and facts over HTTP to customers: WebSocket, SSE, deltas, resume,
 * delay and replay, REST, and the archive. Runs on the log in memory and on NATS.
 */
import { assert, it } from "@effect/vitest"
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { Clock, Effect, Schedule } from "effect"
import { codDocument, codEvents, codMatch } from "../../fixtures/cod/simulatedCod.ts"
import { DELAY_SECONDS, factsOf, follow, get, post, range, seqs, server } from "../../fixtures/gameChannels.ts"
import { testLogs } from "../../fixtures/testLogs.ts"

/** Reads a list of live matches with its top-level fields. */
const listAt = (path: string) => Effect.map(get(path), (answer): Readonly<Record<string, unknown>> => answer)

/** A match that one map of search and destroy decides. */
const fromFactsToCustomers = Effect.gen(function* () {
  const start = (yield* Clock.currentTimeMillis) - 3 * 3_600_000
  const maps = [{ mapName: "Harbor", mode: "snd", pickedBy: 0 } as const]
  const [created, ...rest] = codEvents(1, codMatch(1001), start, { bestOf: 1, maps })
  if (created?.type !== "MatchCreated") return assert.fail("no match")
  const whole = yield* follow("/cod/live/ws", "shape=v1")
  const deltas = yield* follow("/cod/live/ws", "shape=v2")
  const events = yield* follow("/cod/live/stream", "shape=v2")
  const late = yield* follow("/cod/live/ws", "shape=v1", "free")
  const everything = yield* follow("/live/ws", "shape=v2")
  const cs2Only = yield* follow("/cs2/live/ws", "shape=v2")
  for (const { listener, send } of [whole, deltas, late, everything, cs2Only]) {
    send({ action: "subscribe", rooms: ["all"] })
    yield* listener.until("subscribed", ({ type }) => type === "subscribed")
  }
  assert.deepInclude(yield* listAt("/cod/cdl/live"), { success: true, isLive: false, count: 0, data: [] })

  assert.strictEqual((yield* post("/cod/matches", { ...created.payload, bestOf: 4 })).status, 400)
  const registered = yield* post("/cod/matches", created.payload)
  assert.strictEqual(registered.status, 200, JSON.stringify(registered.body))
  const id = codMatch(1001)
  assert.strictEqual(registered.body.data["matchId"], id)
  const path = `/cod/matches/${id}/events`
  const facts = factsOf(rest)
  const last = rest.length + 1
  // The match until the middle of a round. Facts that are sent twice count once.
  const half = rest.findIndex(({ type }) => type === "RoundEnded") - 1
  assert.deepInclude((yield* post(path, facts.slice(0, half))).body.data, { accepted: half, ignored: 0, problemCount: 0 })
  assert.deepInclude((yield* post(path, facts.slice(0, half))).body.data, { accepted: 0, ignored: half, problemCount: 0 })

  yield* whole.listener.until("the middle", ({ seq }) => seq === half + 1)
  const live = yield* get(`/cod/cdl/live/${id}`)
  assert.deepInclude(live.data, { matchId: id, status: "live", bestOf: 1, winner: null, source: "live" })
  for (const list of ["/cod/cdl/live", "/cod/matches/live"]) {
    const answer = yield* listAt(list)
    assert.deepInclude(answer, { isLive: true, count: 1 })
    assert.deepStrictEqual(answer["data"], [
      {
        matchId: id,
        team1: { slug: created.payload.teams[0].slug, name: created.payload.teams[0].name, score: 0 },
        team2: { slug: created.payload.teams[1].slug, name: created.payload.teams[1].name, score: 0 },
        currentMap: { mapNumber: 1, mapName: "Harbor", gameMode: "Search and Destroy" },
        bestOf: 1,
        status: "live",
        tournament: created.payload.tournament.name,
        round: "Round 1",
        startedAt: live.data["startedAt"],
      },
    ])
  }
  assert.strictEqual((yield* get("/cod/cdl/live/cod-match-9")).status, 404)

  // The rest. A kill of a later round is reported as a problem.
  const early = { ...facts[half], id: "early", payload: { map: 1, round: 20 }, type: "RoundStarted" }
  assert.deepInclude((yield* post(path, [early])).body.data, { accepted: 0, problemCount: 1 })
  assert.deepInclude((yield* post(path, facts.slice(half))).body.data, { accepted: facts.length - half, problemCount: 0 })
  for (const { listener } of [whole, deltas, events, late, everything]) {
    yield* listener.until("the end", ({ matchId, seq }) => matchId === id && seq === last)
  }

  const expected = codDocument([created, ...rest])
  const updates = whole.listener.ofType("cod.live.update")
  assert.deepStrictEqual(seqs(updates), range(1, last))
  assert.deepStrictEqual(updates.at(-1)?.data, JSON.parse(JSON.stringify(expected)))
  assert.isTrue(updates.some(({ event }) => event?.["type"] === "kill" && event["isFirstBlood"] === true))

  for (const { listener } of [deltas, events, everything]) {
    const changes = listener.ofType("cod.live.delta")
    assert.deepStrictEqual(seqs(changes), range(1, last))
    let document: JsonObject = {}
    for (const { hash, patch } of changes) {
      document = applyPatch(document, patch ?? {})
      if (hash !== undefined) assert.strictEqual(stateHash(document), hash)
    }
    assert.deepInclude(document, { status: "completed", winner: expected.winner })
  }
  assert.isEmpty(cs2Only.listener.messages.filter(({ matchId }) => matchId !== undefined))

  // A low plan receives the same updates, none of them before the delay.
  const delayed = late.listener.ofType("cod.live.update")
  assert.deepStrictEqual(seqs(delayed), range(1, last))
  for (const { at, publishedAt } of delayed) assert.isAtLeast(at - Date.parse(publishedAt ?? ""), DELAY_SECONDS * 1_000)

  // A returning client resumes after its cursor. A new client starts with the document.
  const back = yield* follow("/cod/live/ws", "shape=v2")
  back.send({ action: "subscribe", rooms: [`match:${id}`], resume: { [`match:${id}`]: { epoch: 1, seq: last - 20 } } })
  yield* back.listener.until("the rest", ({ seq }) => seq === last)
  assert.deepInclude(back.listener.ofType("resumed")[0], { verdict: "recovered" })
  assert.deepStrictEqual(seqs(back.listener.ofType("cod.live.delta")), range(last - 19, last))

  const again = yield* follow(`/cod/live/${id}/replay`, "speed=0&shape=v1")
  yield* again.listener.until("the end of the replay", ({ type }) => type === "replay_ended")
  assert.deepStrictEqual(seqs(again.listener.ofType("cod.live.update")), range(1, last))

  // The match is in the archive with the same score.
  const archived = yield* get("/cod/matches/1000001001").pipe(
    Effect.repeat({ until: ({ status }) => status === 200, schedule: Schedule.spaced("50 millis") }),
    Effect.timeout("10 seconds"),
  )
  assert.deepInclude(archived.data, { status: "completed", team1Score: expected.team1.score, team2Score: expected.team2.score })
}).pipe(Effect.scoped)

for (const { isMissing, layer, name } of testLogs) {
  it.live.skipIf(isMissing)(
    `a Call of Duty match goes from facts over HTTP to every channel, to REST and into the archive: ${name}`,
    () => fromFactsToCustomers.pipe(Effect.provide(server(layer))),
    60_000,
  )
}
