import { assert, describe, it } from "@effect/vitest"
import { EventLog, LogError } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { Rejections } from "@matchpoint/bus/Rejections"
import { encodeAnnouncement } from "@matchpoint/contracts/bus/feed"
import {
  cursorOfMessageId,
  directorySubject,
  ENTRIES,
  entrySubject,
  FEED,
  feedSubject,
  LIVE,
  liveMessageId,
  liveSubject,
  partitionOf,
  streams,
} from "@matchpoint/contracts/bus/subjects"
import { readRecord } from "@matchpoint/contracts/stream/record"
import { encodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import { factId } from "@matchpoint/domain/ids"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { isOpenResult, Matches } from "@matchpoint/store/live/Matches"
import { Clock, Effect, Fiber, Layer, Option, Schedule, Stream } from "effect"
import { runMatch } from "../src/actor/MatchActor.ts"
import { MatchFeeds } from "../src/actor/MatchFeeds.ts"
import { MatchSupervisor, superviseMatch } from "../src/MatchSupervisor.ts"
import { openPartitionFeed } from "../src/placement/PartitionFeed.ts"
import { aMatch, appendAll, assertFrames, published, rejectionsOf, Services, Settings, StoreLayer, untilPublished } from "./actors.ts"
import { foldToRecords, simulatedEvents } from "./simulated.ts"

describe("MatchActor", () => {
  it.layer(Services, { timeout: 60_000, excludeTestServices: true })((it) => {
    it.effect("publishes every change of a match once and ends with the match", () =>
      Effect.gen(function* () {
        const id = aMatch()
        const events = simulatedEvents(11, id)
        yield* appendAll(events)
        yield* runMatch(cs2LiveGame, id)
        assertFrames(yield* published(id), foldToRecords(id, events).records)
      }),
    )

    it.effect("continues without gaps or repeats after a stop at any point", () =>
      Effect.gen(function* () {
        const id = aMatch()
        const events = simulatedEvents(12, id)
        const { records: frames } = foldToRecords(id, events)
        for (const share of [0.1, 0.35, 0.6, 0.9]) {
          const upTo = Math.floor(events.length * share)
          yield* appendAll(events.slice(0, upTo))
          const actor = yield* Effect.forkChild(runMatch(cs2LiveGame, id))
          yield* untilPublished(id, Math.floor(upTo * 0.97))
          yield* Fiber.interrupt(actor)
        }
        yield* appendAll(events)
        yield* runMatch(cs2LiveGame, id)
        assertFrames(yield* published(id), frames)
      }),
    )

    it.effect("publishes the last list entry of a match whose owner crashed before it could", () =>
      Effect.gen(function* () {
        const id = aMatch()
        const log = yield* EventLog
        yield* appendAll(simulatedEvents(19, id))
        const crashed = new LogError({ operation: "append", target: ENTRIES, reason: "Closed", retryable: false, detail: "crashed" })
        const withoutEntries = EventLog.of({
          ...log,
          append: (...asked) => (asked[0].startsWith("entry.") ? Effect.fail(crashed) : log.append(...asked)),
        })
        yield* Effect.provideService(runMatch(cs2LiveGame, id), EventLog, withoutEntries)
        assert.isTrue(Option.isNone(yield* log.last(ENTRIES, entrySubject(id))))
        yield* runMatch(cs2LiveGame, id)
        const entry = Option.getOrThrow(yield* log.last(ENTRIES, entrySubject(id)))
        assert.strictEqual(readRecord(entry.data)?.document?.["status"], "completed")
      }),
    )

    it.effect("publishes every change once while two owners run the match", () =>
      Effect.gen(function* () {
        const id = aMatch()
        const events = simulatedEvents(13, id)
        // One owner publishes. The other one loses the match at its next append and starts again.
        const owners = yield* Effect.forkChild(
          Effect.all([superviseMatch(cs2LiveGame, id), superviseMatch(cs2LiveGame, id)], { concurrency: 2 }),
        )
        yield* appendAll(events)
        yield* Fiber.join(owners)
        assert.deepStrictEqual(
          (yield* published(id)).map((record) => record.id),
          foldToRecords(id, events).records.map((_, index) => liveMessageId(id, 1, index + 1)),
        )
      }),
    )

    it.effect("rejects a poisoned record and continues the match", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const id = aMatch()
        const events = simulatedEvents(14, id)
        yield* appendAll(events.slice(0, 100))
        yield* log.append(feedSubject(id), `${id}:poison`, new TextEncoder().encode('{"type":'))
        yield* log.append(feedSubject(id), `${id}:twice`, encodeFeedEvent(events[99] ?? assert.fail("no event")))
        yield* appendAll(events.slice(100))
        yield* runMatch(cs2LiveGame, id)
        assertFrames(yield* published(id), foldToRecords(id, events).records)
        const refused = yield* rejectionsOf(id)
        assert.deepStrictEqual(refused.map((one) => one.code).sort(), ["duplicate", "malformed"])
      }),
    )

    it.effect("writes the result and the checkpoint of a finished match", () =>
      Effect.gen(function* () {
        const matches = yield* Matches
        const checkpoints = yield* MatchCheckpoints
        const id = yield* matches.register(CS2, {
          bestOf: 1,
          team1: { id: "cs2-team-1", name: "A" },
          team2: { id: "cs2-team-2", name: "B" },
          config: {},
        })
        const events = simulatedEvents(15, id)
        yield* appendAll(events)
        yield* runMatch(cs2LiveGame, id)
        const row = Option.getOrThrow(yield* matches.find(id))
        assert.strictEqual(row.status, "completed")
        assert.isNotNull(row.startedAt)
        const { state } = foldToRecords(id, events)
        assert.propertyVal(row.result, "seq", state?.seq)
        assert.strictEqual(JSON.stringify((yield* checkpoints.load(cs2LiveGame.rules, id))?.state), JSON.stringify(state))
      }),
    )

    it.effect("keeps a result with uncertain teams open across restarts until an alias resolves it", () =>
      Effect.gen(function* () {
        const matches = yield* Matches
        const teams = { team1: { id: "cs2-team-1", name: "A" }, team2: { id: "cs2-team-2", name: "B" } }
        const id = yield* matches.register(CS2, { bestOf: 1, ...teams, config: {} })
        const [created, ...rest] = simulatedEvents(16, id)
        if (created?.type !== "MatchCreated") return assert.fail("the first fact creates the match")
        const [one, two] = created.payload.teams
        const own = (name: string) => ({ ...created, id: factId(name), receivedAt: (rest.at(-1)?.receivedAt ?? 0) + 1 })
        const names = [
          { name: "x", teamId: one.id },
          { name: "y", teamId: two.id },
        ]
        yield* appendAll([created, { ...own("names"), type: "TeamNamesUnknown", payload: { names } }, ...rest])
        const plain = foldToRecords(id, [created, ...rest]).state
        const stored = Effect.map(matches.find(id), (row) => Option.getOrThrow(row))
        const running = yield* Effect.forkChild(superviseMatch(cs2LiveGame, id))
        yield* stored.pipe(
          Effect.filterOrFail(({ status }) => status === "completed"),
          Effect.retry(Schedule.spaced("20 millis")),
          Effect.timeout("20 seconds"),
        )
        assert.isTrue(isOpenResult((yield* stored).result))
        yield* Fiber.interrupt(running)
        // Another process starts; the names had been assigned to the wrong teams.
        const again = yield* Effect.forkChild(superviseMatch(cs2LiveGame, id))
        const aliases = [{ name: "x", teamId: two.id }]
        yield* appendAll([{ ...own("alias"), type: "TeamAliased", payload: { aliases } }])
        yield* Fiber.join(again)
        const { result } = yield* stored
        assert.isFalse(isOpenResult(result))
        assert.isNotNull(plain?.winner)
        assert.propertyVal(result, "winnerTeamId", plain?.winner === 0 ? two.id : one.id)
        yield* superviseMatch(cs2LiveGame, id)
      }),
    )

    it.effect("marks a match with a dead feed as stale, then as interrupted, and finally cancels it", () =>
      Effect.gen(function* () {
        const matches = yield* Matches
        const teams = { team1: { id: "cs2-team-1", name: "A" }, team2: { id: "cs2-team-2", name: "B" } }
        const id = yield* matches.register(CS2, { bestOf: 1, ...teams, config: {} })
        yield* appendAll(simulatedEvents(17, id).slice(0, 200))
        const patience = { staleAfter: "100 millis", interruptedAfter: "300 millis", cancelAfter: "600 millis" } as const
        const settings = yield* MatchConfig
        yield* Effect.provideService(runMatch(cs2LiveGame, id), MatchConfig, { ...settings, ...patience })
        const records = (yield* published(id)).map(({ data }) => JSON.stringify(readRecord(data)?.delta.patch))
        const [stale, interrupted] = ["stale", "interrupted"].map((status) =>
          records.findIndex((patch) => patch.includes(`"status":"${status}"`)),
        )
        assert.isAbove(stale ?? -1, 0)
        assert.isAbove(interrupted ?? -1, stale ?? 0)
        assert.strictEqual(Option.getOrThrow(yield* matches.find(id)).status, "cancelled")
      }),
    )

    it.effect("keeps a registered match without reports across restarts, however long it waits", () =>
      Effect.gen(function* () {
        const matches = yield* Matches
        const teams = { team1: { id: "cs2-team-1", name: "A" }, team2: { id: "cs2-team-2", name: "B" } }
        const id = yield* matches.register(CS2, { bestOf: 1, ...teams, config: {} })
        const events = simulatedEvents(19, id)
        yield* appendAll(events.slice(0, 1))
        const settings = yield* MatchConfig
        const hasty = { ...settings, staleAfter: "20 millis", interruptedAfter: "30 millis", cancelAfter: "40 millis" } as const
        for (const _ of [1, 2, 3]) {
          const running = yield* Effect.forkChild(Effect.provideService(superviseMatch(cs2LiveGame, id), MatchConfig, hasty))
          yield* untilPublished(id, 1)
          yield* Effect.sleep("150 millis")
          yield* Fiber.interrupt(running)
          assert.strictEqual(Option.getOrThrow(yield* matches.find(id)).status, "scheduled")
        }
        assert.lengthOf(yield* published(id), 1)
        yield* appendAll(events.slice(1))
        yield* superviseMatch(cs2LiveGame, id)
        assert.strictEqual(Option.getOrThrow(yield* matches.find(id)).status, "completed")
      }),
    )

    it.effect("records the end of a match whose earlier owner stopped before recording it", () =>
      Effect.gen(function* () {
        const matches = yield* Matches
        const checkpoints = yield* MatchCheckpoints
        const id = yield* matches.register(CS2, {
          bestOf: 1,
          team1: { id: "cs2-team-1", name: "A" },
          team2: { id: "cs2-team-2", name: "B" },
          config: {},
        })
        const { state } = foldToRecords(id, simulatedEvents(18, id))
        if (state === undefined) return assert.fail("no state")
        yield* checkpoints.save(cs2LiveGame.rules, state, 1)
        yield* runMatch(cs2LiveGame, id)
        assert.strictEqual(Option.getOrThrow(yield* matches.find(id)).status, "completed")
      }),
    )

    it.effect("leaves no records waiting for a match whose checkpoint shows that it is over", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const id = aMatch()
        const events = simulatedEvents(18, id)
        const { state } = foldToRecords(id, events)
        if (state === undefined) return assert.fail("no state")
        const { last } = yield* log.bounds(FEED)
        yield* (yield* MatchCheckpoints).save(cs2LiveGame.rules, state, last)
        yield* appendAll(events.slice(0, 10))
        const feed = yield* openPartitionFeed({
          log,
          partition: partitionOf(id),
          positions: new Map([[id, last]]),
          bounds: log.bounds(FEED),
        })
        const isWaiting = Effect.sync(() => feed.waitsMs().some((ms) => ms > 0))
        yield* Effect.repeat(Effect.delay(isWaiting, "5 millis"), { until: (waiting) => waiting })
        yield* Effect.provideService(runMatch(cs2LiveGame, id), MatchFeeds, { open: (_log, matchId) => feed.of(matchId) })
        assert.deepStrictEqual(feed.waitsMs(), [])
      }).pipe(Effect.scoped),
    )

    it.effect("switches to a backup feed while the main feed is silent, and back", () =>
      Effect.gen(function* () {
        const id = aMatch()
        const events = simulatedEvents(16, id).slice(0, 120)
        yield* appendAll(events)
        const actor = yield* Effect.forkChild(runMatch(cs2LiveGame, id))
        yield* untilPublished(id, events.length)
        const now = yield* Clock.currentTimeMillis
        const player = events.flatMap((event) => (event.type === "MatchCreated" ? (event.payload.roster ?? []) : []))[0]
        if (player === undefined) return assert.fail("no player")
        const say = (source: "main" | "backup", n: number, at: number) =>
          appendAll([
            {
              id: factId(`${source}:${n}`),
              matchId: id,
              source,
              observedAt: at,
              receivedAt: at,
              type: "PlayerLeft",
              payload: { playerId: player.playerId },
            },
          ])
        // The backup feed keeps reporting.
        let reports = 0
        yield* Effect.suspend(() => say("backup", ++reports, now)).pipe(
          Effect.andThen(Effect.sleep("20 millis")),
          Effect.forever,
          Effect.raceFirst(untilPublished(id, events.length + 1)),
        )
        const last = (yield* published(id)).at(-1)
        assert.include(new TextDecoder().decode(last?.data), '"source":"live_backup"')
        yield* say("main", 2, yield* Clock.currentTimeMillis)
        yield* untilPublished(id, events.length + 3)
        const back = (yield* published(id)).at(-1)
        assert.include(new TextDecoder().decode(back?.data), '"patch":{"source":"live",')
        yield* Fiber.interrupt(actor)
      }),
    )

    it.effect("starts a new epoch if published frames do not follow from FEED", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const id = aMatch()
        const events = simulatedEvents(17, id)
        const { records: frames } = foldToRecords(id, events)
        yield* appendAll(events.slice(0, 50))
        // Frames of an owner that had read more of FEED than is left now.
        for (const [index, frame] of frames.slice(0, 60).entries())
          yield* log.append(liveSubject(id), liveMessageId(id, 1, index + 1), frame)
        const actor = yield* Effect.forkChild(runMatch(cs2LiveGame, id))
        yield* log.consume(LIVE, liveSubject(id), { _tag: "First" }).pipe(
          Stream.takeUntil((record) => cursorOfMessageId(record.id)?.epoch === 2),
          Stream.runDrain,
        )
        yield* Fiber.interrupt(actor)
        assert.strictEqual((yield* published(id)).at(-1)?.id, liveMessageId(id, 2, 1))
        assert.isAtLeast((yield* log.bounds(FEED)).last, 1)
      }),
    )
  })
})

describe("a quiet match", () => {
  it.live("loses no history when FEED drops records that it has read", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const checkpoints = yield* MatchCheckpoints
      const id = aMatch()
      const events = simulatedEvents(19, id)
      yield* appendAll(events.slice(0, 50))
      const actor = yield* Effect.forkChild(runMatch(cs2LiveGame, id))
      yield* untilPublished(id, 50)
      const noise = aMatch()
      for (let n = 0; n < 400; n++) yield* log.append(feedSubject(noise), `noise:${n}`, new Uint8Array(1_000))
      const { first, last } = yield* log.bounds(FEED)
      assert.isAbove(first, 51)
      const noted = Effect.map(checkpoints.load(cs2LiveGame.rules, id), (checkpoint) => (checkpoint?.feedSequence ?? 0) >= last)
      yield* Effect.repeat(Effect.delay(noted, "5 millis"), { until: (done) => done })
      yield* Fiber.interrupt(actor)
      yield* appendAll(events.slice(50, 60))
      const again = yield* Effect.forkChild(runMatch(cs2LiveGame, id))
      yield* untilPublished(id, 60)
      yield* Fiber.interrupt(again)
      assert.strictEqual((yield* published(id)).at(-1)?.id, liveMessageId(id, 1, 60))
    }).pipe(Effect.provide(ForgetfulServices)),
  )
})

describe("MatchSupervisor", () => {
  it.live("runs every announced match and restarts a failed one", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const ids = [matchId(1), matchId(2), matchId(3)]
      for (const id of ids) {
        yield* log.append(directorySubject(id), id, encodeAnnouncement({ matchId: id, announcedAt: 0 }))
        yield* appendAll(simulatedEvents(Number(id.at(-1)), id))
      }
      yield* Layer.build(MatchSupervisor.layer([cs2LiveGame]))
      for (const id of ids) yield* untilPublished(id, foldToRecords(id, simulatedEvents(Number(id.at(-1)), id)).records.length)
    }).pipe(Effect.provide(FlakyServices)),
  )
})

/** FEED retains about 200 KB. */
const ForgetfulServices = Layer.mergeAll(MatchCheckpoints.layer, Rejections.layer, Settings).pipe(
  Layer.provideMerge(StoreLayer),
  Layer.provideMerge(
    EventLogMemory.layer({ streams: streams.map((spec) => (spec.name === FEED ? { ...spec, maxBytes: 200_000 } : spec)) }),
  ),
)

/** Every 400th append fails with a defect, so that actors fail and must restart. */
const FlakyLog = Layer.effect(
  EventLog,
  Effect.gen(function* () {
    const log = yield* EventLog
    let calls = 0
    return EventLog.of({
      ...log,
      append: (subject, id, data) =>
        subject.startsWith("live.") && ++calls % 400 === 0 ? Effect.die(new Error("a bug")) : log.append(subject, id, data),
    })
  }),
).pipe(Layer.provide(EventLogMemory.layer({ streams })))

const FlakyServices = Layer.mergeAll(MatchCheckpoints.layer, Rejections.layer, Settings).pipe(
  Layer.provideMerge(StoreLayer),
  Layer.provideMerge(FlakyLog),
)
