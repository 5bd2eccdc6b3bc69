/**
 * The log or a part of it is deleted while the register remains. Covers which matches continue, which start again and
 * which are ended.
 */
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { DIRECTORY, directorySubject, FEED, feedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { encodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import type { MatchId } from "@matchpoint/domain/ids"
import type { Checkpoint } from "@matchpoint/store/live/Checkpoints"
import type { RegisteredMatch } from "@matchpoint/store/live/Matches"
import { DateTime, Effect, Layer, Option } from "effect"
import { fateOf, LostMatches } from "../src/LostMatches.ts"
import { simulatedEvents } from "./simulated.ts"
import { announce, appendFacts, gone, services } from "./supervised.ts"

const createdOf = (id: MatchId): FeedEvent => {
  const [created] = simulatedEvents(51, id)
  if (created === undefined) throw new Error("a simulated match begins with an event")
  return created
}

const rowOf = (number: number, status: RegisteredMatch["status"]): RegisteredMatch => ({
  matchId: matchId(number),
  status,
  bestOf: 1,
  team1: { id: "cs2-team-1", name: "A" },
  team2: { id: "cs2-team-2", name: "B" },
  config: { created: JSON.parse(new TextDecoder().decode(encodeFeedEvent(createdOf(matchId(number))))) },
  createdAt: DateTime.makeUnsafe(0),
  startedAt: null,
  endedAt: null,
  result: null,
})

const remains = Effect.fnUntraced(function* (id: MatchId) {
  const log = yield* EventLog
  return {
    announced: Option.isSome(yield* log.last(DIRECTORY, directorySubject(id))),
    facts: Option.isSome(yield* log.last(FEED, feedSubject(id))),
  }
})

const checkpointOf = (id: MatchId): Checkpoint => ({
  matchId: id,
  epoch: 1,
  seq: 9,
  feedSequence: 9,
  formatVersion: cs2LiveGame.rules.stateFormat,
  state: "{}",
})

describe("fateOf", () => {
  it("ends only started matches without facts and checkpoint", () => {
    const all = (["scheduled", "live"] as const).flatMap((status) =>
      [true, false].flatMap((announced) =>
        [true, false].flatMap((facts) => [true, false].map((checkpoint) => ({ status, announced, facts, checkpoint }))),
      ),
    )
    for (const one of all) {
      const fate = fateOf(one)
      assert.strictEqual(fate === "end", one.status === "live" && !one.facts && !one.checkpoint, JSON.stringify(one))
      assert.strictEqual(fate === "begin", one.status === "scheduled" && !one.facts && !one.checkpoint, JSON.stringify(one))
      if (one.announced) assert.notStrictEqual(fate, "announce")
    }
  })
})

describe("a register whose log was deleted", () => {
  const [whole, unannounced, upcoming, kept, lost] = [1, 2, 3, 4, 5].map((number) => matchId(number))
  const rows = [rowOf(1, "live"), rowOf(2, "live"), rowOf(3, "scheduled"), rowOf(4, "live"), rowOf(5, "live")]

  it.live("continues, restarts or ends each match once", () =>
    Effect.gen(function* () {
      if (!whole || !unannounced || !upcoming || !kept || !lost) return assert.fail("five matches")
      const ended: Array<unknown> = []
      for (const id of [whole, unannounced]) yield* appendFacts([createdOf(id)])
      yield* announce(whole)
      const store = services({
        matches: {
          listActive: () => Effect.succeed(rows),
          finish: (id, _, status, result) => {
            ended.push([id, status, result])
            return Effect.succeed(true)
          },
        },
        checkpoints: { load: (id) => Effect.succeed(id === kept ? Option.some(checkpointOf(kept)) : Option.none()) },
      })
      yield* Effect.scoped(Layer.build(LostMatches.layer([cs2LiveGame]).pipe(Layer.provide(store))))
      assert.deepStrictEqual(ended, [[lost, "cancelled", null]])
      assert.deepStrictEqual(yield* remains(whole), { announced: true, facts: true })
      assert.deepStrictEqual(yield* remains(unannounced), { announced: true, facts: true })
      assert.deepStrictEqual(yield* remains(upcoming), { announced: true, facts: true })
      assert.deepStrictEqual(yield* remains(kept), { announced: true, facts: false })
      assert.deepStrictEqual(yield* remains(lost), { announced: false, facts: false })
    }).pipe(Effect.provide(EventLogMemory.layer({ streams }))),
  )

  it.live("retries a store that is not yet available", () =>
    Effect.gen(function* () {
      let asked = 0
      const ended: Array<unknown> = []
      const store = services({
        matches: {
          listActive: () => {
            asked += 1
            return asked === 1 ? gone("Matches.listActive") : Effect.succeed([rowOf(5, "live")])
          },
          finish: (id) => {
            ended.push(id)
            return Effect.succeed(true)
          },
        },
      })
      yield* Effect.scoped(Layer.build(LostMatches.layer([cs2LiveGame]).pipe(Layer.provide(store))))
      assert.deepStrictEqual([asked, ended], [2, [lost]])
    }).pipe(Effect.provide(EventLogMemory.layer({ streams }))),
  )
})
