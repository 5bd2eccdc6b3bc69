/**
 * Tests an Apex lobby from its registration and facts over HTTP to customers: WebSocket, SSE, deltas, resume, delay and
 * replay, REST, and the archive. Runs on the log in memory and on NATS.
 */
import { assert, it } from "@effect/vitest"
import { ApexSeriesArchive } from "@matchpoint/apex/archive/read/ApexSeriesArchive"
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { Clock, Effect, Schedule } from "effect"
import { apexDocument, apexEvents, apexMatch } from "../../fixtures/apex/simulatedApex.ts"
import { DELAY_SECONDS, factsOf, follow, get, post, range, rowsOf, seqs, server } from "../../fixtures/gameChannels.ts"
import { testLogs } from "../../fixtures/testLogs.ts"

/** A lobby of six teams and two games, in the region Americas. */
const fromFactsToCustomers = Effect.gen(function* () {
  const start = (yield* Clock.currentTimeMillis) - 3 * 3_600_000
  const [created, ...rest] = apexEvents(1, apexMatch(1001), start, { teams: 6 })
  if (created?.type !== "MatchCreated") return assert.fail("no lobby")
  const whole = yield* follow("/apex/live/ws", "shape=v1")
  const deltas = yield* follow("/apex/live/ws", "shape=v2")
  const events = yield* follow("/apex/live/stream", "shape=v2")
  const late = yield* follow("/apex/live/ws", "shape=v1", "free")
  const everything = yield* follow("/live/ws", "shape=v2")
  const cs2Only = yield* follow("/cs2/live/ws", "shape=v2")
  for (const { listener, send } of [whole, deltas, late, everything, cs2Only]) {
    send({ action: "subscribe", rooms: ["all"] })
    yield* listener.until("subscribed", ({ type }) => type === "subscribed")
  }

  const refused = yield* post("/apex/matches", { ...created.payload, teams: created.payload.teams.slice(0, 1) })
  assert.strictEqual(refused.status, 400)
  const registered = yield* post("/apex/matches", created.payload)
  assert.strictEqual(registered.status, 200, JSON.stringify(registered.body))
  const id = apexMatch(1001)
  assert.strictEqual(registered.body.data["matchId"], id)
  const path = `/apex/matches/${id}/events`
  const facts = factsOf(rest)
  const last = rest.length + 1
  // The lobby until the middle of the first game. Facts that are sent twice count once.
  const half = rest.findIndex(({ type }) => type === "GameEnded") - 4
  assert.deepInclude((yield* post(path, facts.slice(0, half))).body.data, { accepted: half, ignored: 0, problemCount: 0 })
  assert.deepInclude((yield* post(path, facts.slice(0, half))).body.data, { accepted: 0, ignored: half, problemCount: 0 })

  yield* whole.listener.until("the middle", ({ seq }) => seq === half + 1)
  const live = yield* get(`/apex/algs/live/${id}`)
  assert.strictEqual(live.status, 200)
  assert.deepInclude(live.data, { id, status: "live", region: "americas", winner: null, source: "live" })
  const list = rowsOf((yield* get("/apex/algs/live?region=AMERICAS")).data)
  assert.deepInclude(list[0], { id, teamCount: 6, gamesPlayed: 0 })
  assert.lengthOf(rowsOf((yield* get("/apex/algs/live?region=emea")).data), 0)
  assert.strictEqual((yield* get("/apex/algs/live?region=mars")).status, 422)
  assert.strictEqual((yield* get("/apex/algs/live/apex-match-9")).status, 404)
  yield* liveInArchive(id)

  // The rest. A kill of a later game is reported as a problem.
  const early = { ...facts[half], id: "early", payload: { game: 2 }, type: "GameEnded" }
  assert.deepInclude((yield* post(path, [early])).body.data, { accepted: 0, problemCount: 1 })
  assert.deepInclude((yield* post(path, facts.slice(half))).body.data, { accepted: facts.length - half, problemCount: 0 })
  for (const { listener } of [whole, deltas, events, late, everything]) {
    yield* listener.until("the end", ({ matchId, seq }) => matchId === id && seq === last)
  }

  const expected = apexDocument([created, ...rest])
  const updates = whole.listener.ofType("apex.live.update")
  assert.deepStrictEqual(seqs(updates), range(1, last))
  assert.deepStrictEqual(updates.at(-1)?.data, JSON.parse(JSON.stringify(expected)))
  assert.isTrue(updates.some(({ event }) => event?.["type"] === "kill" && event["eliminated"] !== undefined))

  for (const { listener } of [deltas, events, everything]) {
    const changes = listener.ofType("apex.live.delta")
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
  const delayed = late.listener.ofType("apex.live.update")
  assert.deepStrictEqual(seqs(delayed), range(1, last))
  for (const { at, publishedAt } of delayed) assert.isAtLeast(at - Date.parse(publishedAt ?? ""), DELAY_SECONDS * 1_000)

  // A returning client resumes after its cursor. A new client starts with the document.
  const back = yield* follow("/apex/live/ws", "shape=v2")
  back.send({ action: "subscribe", rooms: [`match:${id}`], resume: { [`match:${id}`]: { epoch: 1, seq: last - 20 } } })
  yield* back.listener.until("the rest", ({ seq }) => seq === last)
  assert.deepInclude(back.listener.ofType("resumed")[0], { verdict: "recovered" })
  assert.deepStrictEqual(seqs(back.listener.ofType("apex.live.delta")), range(last - 19, last))
  const newcomer = yield* follow("/apex/live/ws", `shape=v2&matchId=${id}`)
  yield* newcomer.listener.until("a snapshot", ({ type }) => type === "apex.live.snapshot")
  const [snapshot] = newcomer.listener.ofType("apex.live.snapshot")
  assert.strictEqual(snapshot?.hash, stateHash(snapshot?.data ?? {}))

  const again = yield* follow(`/apex/live/${id}/replay`, "speed=0&shape=v1")
  yield* again.listener.until("the end of the replay", ({ type }) => type === "replay_ended")
  assert.deepStrictEqual(seqs(again.listener.ofType("apex.live.update")), range(1, last))

  // The lobby becomes a series of the archive with the same standings.
  const { scores } = yield* ApexSeriesArchive
  const archived = yield* scores(id).pipe(
    Effect.repeat({ until: (found) => found !== undefined, schedule: Schedule.spaced("50 millis") }),
    Effect.timeout("10 seconds"),
  )
  assert.deepInclude(archived?.scores, { seriesId: id, status: "completed", source: "live" })
  // Teams that share a rank are in no particular order.
  assert.deepStrictEqual(
    Object.fromEntries(archived?.scores.standings.map(({ points, rank, teamName }) => [teamName, [rank, points]]) ?? []),
    Object.fromEntries(expected.standings.map(({ points, rank, team }) => [expected.teams[team - 1]?.name, [rank, points]])),
  )
}).pipe(Effect.scoped)

/** A live lobby is also a series with the status `live`. */
const liveInArchive = Effect.fnUntraced(function* (id: string) {
  const [series] = rowsOf((yield* get("/apex/algs/events?status=live")).data)
  assert.deepInclude(series, { seriesId: id, status: "live", source: "live", gamesPlayed: 0, winner: null })
  assert.lengthOf(rowsOf((yield* get("/apex/algs/events?status=live&region=emea")).data), 0)
  assert.lengthOf(rowsOf((yield* get("/apex/algs/events")).data), 0)
  const [game] = rowsOf((yield* get("/apex/algs/matches?status=live")).data)
  assert.deepInclude(game, { seriesId: id, gameNumber: 1, status: "live" })
  assert.deepInclude((yield* get(`/apex/algs/events/${id}/scores`)).data, { seriesId: id, status: "live" })
  assert.deepInclude((yield* get(`/apex/algs/events/${id}/bans`)).data, { seriesId: id })
  // A plan with a delay does not see the lobby yet, or sees an earlier state of it.
  const late = yield* get(`/apex/algs/live/${id}`, "free")
  assert.include([200, 404], late.status)
})

for (const { isMissing, layer, name } of testLogs) {
  it.live.skipIf(isMissing)(
    `an Apex lobby goes from facts over HTTP to every channel, to REST and into the archive: ${name}`,
    () => fromFactsToCustomers.pipe(Effect.provide(server(layer))),
    60_000,
  )
}
