/** How the intake keeps the state of matches: rebuilt from FEED and checkpoints, and while the log is slow or away. */
import { assert, describe, layer } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import { FEED, feedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { encodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { sheetsOf } from "@matchpoint/cs2/feed/adapters/teams"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import { foldAll } from "@matchpoint/cs2/rules/live/fold"
import type { MatchId } from "@matchpoint/domain/ids"
import { historyLost } from "@matchpoint/game/rules/historyLost"
import { Checkpoints } from "@matchpoint/store/live/Checkpoints"
import { Matches } from "@matchpoint/store/live/Matches"
import { samples, textOf } from "@matchpoint/testing/recordedData"
import { Deferred, Effect, Fiber } from "effect"
import { fact, failureIn, postsOf, receiptIn, register } from "./intakeRequests.ts"
import { factsOf, intakeServer, post, Weather } from "./intakeServer.ts"

// Real time, because the tests use real sockets and a real log.
const live = { excludeTestServices: true } as const

describe("MatchSessions", () => {
  const log = (matchId: MatchId, text: string) => post(`/matches/${matchId}/log`, text)

  layer(intakeServer({ idleFor: "1 millis" }), live)("rebuilt from FEED before every post", (it) => {
    it.effect("give the same facts after being dropped", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        for (const text of postsOf(textOf(samples, "server.log"))) {
          yield* receiptIn(yield* log(matchId, text))
          yield* Effect.sleep("5 millis")
        }
        const state = foldAll(undefined, yield* factsOf(matchId))
        assert.deepStrictEqual(state?.maps[0]?.score, [2, 1])
        assert.sameDeepMembers(
          state?.maps[0]?.lines.map(({ assists, damage, deaths, kills, nickname }) => [nickname, kills, deaths, assists, damage]) ?? [],
          [
            ["ana", 0, 1, 0, 0],
            ["bob", 1, 1, 0, 100],
            ["cleo", 1, 0, 1, 123],
            ["dan", 0, 2, 0, 77],
          ],
        )
      }),
    )

    it.effect("complete an interrupted registration", () =>
      Effect.gen(function* () {
        const matches = yield* Matches
        const { matchId } = yield* register()
        const row = yield* matches.find(matchId)
        if (row._tag === "None") return assert.fail("no row")
        const { bestOf, config, team1, team2 } = row.value
        // Simulates a crash right after the row was written.
        const orphan = yield* matches.register(CS2, { bestOf, config, team1, team2 })
        yield* receiptIn(yield* log(orphan, ""))
        assert.deepStrictEqual(
          (yield* factsOf(orphan)).map(({ type }) => type),
          ["MatchCreated"],
        )
      }),
    )
  })

  layer(intakeServer(), live)("when FEED is lost", (it) => {
    it.effect("read the match again, and store the facts that are missing when they are sent again", () =>
      Effect.gen(function* () {
        const weather = yield* Weather
        const checkpoints = yield* Checkpoints
        const bus = yield* EventLog
        const { matchId } = yield* register()
        const text = textOf(samples, "server.log")
        const half = text.indexOf("\n", text.length / 2) + 1
        const [before, lost] = [text.slice(0, half), text.slice(half)]
        yield* receiptIn(yield* log(matchId, before))
        const kept = yield* factsOf(matchId)
        const state = foldAll(undefined, kept) ?? assert.fail("no state")
        const { epoch, format, seq } = state
        yield* checkpoints.save({ matchId, epoch, seq, feedSequence: kept.length, formatVersion: format, state: JSON.stringify(state) })
        yield* receiptIn(yield* log(matchId, lost))
        const missing = (yield* factsOf(matchId)).slice(kept.length)
        weather.hasLostLog = true
        // The actor of the match notices the loss and begins another epoch.
        yield* bus.append(feedSubject(matchId), "epoch", encodeFeedEvent(historyLost(matchId, epoch + 1, 0)))
        assert.strictEqual((yield* log(matchId, lost)).status, 503)
        yield* receiptIn(yield* log(matchId, lost))
        const stored = (yield* factsOf(matchId)).slice(1)
        assert.isAbove(missing.length, 0)
        assert.deepStrictEqual(
          stored.map(({ id }) => id),
          missing.map(({ id }) => id),
        )
      }),
    )
  })

  const forgetful = streams.map((spec) => (spec.name === FEED ? { ...spec, maxBytes: 60_000 } : spec))

  layer(intakeServer({ idleFor: "1 millis" }, undefined, forgetful), live)("when FEED has forgotten the beginning of a match", (it) => {
    it.effect("continue from the match's checkpoint", () =>
      Effect.gen(function* () {
        const real = yield* EventLog
        const checkpoints = yield* Checkpoints
        const { matchId } = yield* register()
        const posts = postsOf(textOf(samples, "server.log"))
        const half = Math.floor(posts.length / 2)
        for (const text of posts.slice(0, half)) yield* receiptIn(yield* log(matchId, text))
        const state = foldAll(undefined, yield* factsOf(matchId)) ?? assert.fail("no state")
        const { last } = yield* real.bounds(FEED)
        const { epoch, format, seq } = state
        yield* checkpoints.save({ matchId, epoch, seq, feedSequence: last, formatVersion: format, state: JSON.stringify(state) })
        for (let n = 0; n < 80; n++) yield* real.append("feed.cs2.15.9999", `noise:${n}`, new Uint8Array(1_000))
        assert.isAbove((yield* real.bounds(FEED)).first, last)
        yield* Effect.sleep("10 millis")
        for (const text of posts.slice(half)) yield* receiptIn(yield* log(matchId, text))
        const after = yield* factsOf(matchId)
        assert.isFalse(after.some(({ type }) => type === "MatchCreated"))
        assert.deepStrictEqual(foldAll(state, after)?.maps[0]?.score, [2, 1])
      }),
    )
  })

  layer(intakeServer({ waitingAtMost: 2, storesWithin: "500 millis" }), live)("when the log is slow or away", (it) => {
    it.effect("wait while the log is unavailable for a short time", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        const weather = yield* Weather
        weather.refuse = 2
        const [first = "", second = ""] = postsOf(textOf(samples, "server.log")).slice(12)
        yield* receiptIn(yield* log(matchId, first))
        yield* receiptIn(yield* log(matchId, second))
      }),
    )

    it.effect("respond with 503 while the log is unavailable, and accept the same post later", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        const weather = yield* Weather
        const posts = postsOf(textOf(samples, "server.log"))
        for (const text of posts.slice(0, 10)) yield* receiptIn(yield* log(matchId, text))
        weather.refuse = Number.POSITIVE_INFINITY
        const failing = posts.slice(10)
        let refused = 0
        for (const text of failing.slice(0, 6)) {
          const answer = yield* log(matchId, text)
          if (answer.status === 200) continue
          yield* failureIn(answer, 503, "SERVICE_UNAVAILABLE")
          assert.strictEqual(answer.headers["retry-after"], "1")
          refused += 1
          break
        }
        assert.strictEqual(refused, 1)
        weather.refuse = 0
        for (const text of failing) yield* receiptIn(yield* log(matchId, text))
        assert.deepStrictEqual(foldAll(undefined, yield* factsOf(matchId))?.maps[0]?.score, [2, 1])
      }),
    )

    it.effect("store a part of the facts in time, and continue after it when they are sent again", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        const weather = yield* Weather
        const facts = [
          fact("a:map", "MapStarted", { mapNumber: 1, mapName: "de_nuke", ctTeamId: sheetsOf("North", "South")[0].id }),
          fact("a:live", "RoundLive", { mapNumber: 1, round: 1 }),
        ]
        const send = post(`/matches/${matchId}/events`, facts)
        // One fact takes longer than all of them may take.
        weather.hold = Effect.sleep("700 millis")
        yield* failureIn(yield* send, 503, "SERVICE_UNAVAILABLE")
        assert.deepInclude(yield* receiptIn(yield* send), { accepted: 1, ignored: 1, problemCount: 0 })
        weather.hold = Effect.void
        assert.deepStrictEqual(
          (yield* factsOf(matchId)).map(({ id }) => id),
          ["created", "a:map", "a:live"],
        )
      }),
    )

    it.effect("reject requests above the limit of waiting ones", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        const weather = yield* Weather
        const gate = yield* Deferred.make<void>()
        weather.hold = Deferred.await(gate)
        const one = fact("b:map", "MapStarted", { mapNumber: 1, mapName: "de_nuke", ctTeamId: sheetsOf("North", "South")[0].id })
        const waiting = yield* Effect.forEach([1, 2], () => Effect.forkChild(post(`/matches/${matchId}/events`, [one])))
        yield* Effect.sleep("200 millis")
        const answer = yield* post(`/matches/${matchId}/events`, [one])
        yield* failureIn(answer, 503, "SERVICE_UNAVAILABLE")
        assert.strictEqual(answer.headers["retry-after"], "1")
        yield* Deferred.succeed(gate, undefined)
        weather.hold = Effect.void
        const receipts = yield* Effect.forEach(waiting, (fiber) => Effect.flatMap(Fiber.join(fiber), receiptIn))
        assert.deepStrictEqual(receipts.map(({ accepted }) => accepted).sort(), [0, 1])
      }),
    )
  })
})
