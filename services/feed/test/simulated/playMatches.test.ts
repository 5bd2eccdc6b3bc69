/** How many matches run at once, and the search for participants without a match, with the schedules of all games. */
import { assert, describe, it } from "@effect/vitest"
import { simulatedApex } from "@matchpoint/apex/feed/simulated/simulatedApex"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import { simulatedCod } from "@matchpoint/cod/feed/simulated/simulatedCod"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { simulatedCs2 } from "@matchpoint/cs2/feed/simulated/SimulatedMatch"
import { type MatchId, matchIdOf } from "@matchpoint/domain/ids"
import { playMatches, type SimulatedProgress } from "@matchpoint/game/feed/simulated/playMatches"
import type { SimulatedConfig, SimulatedGame } from "@matchpoint/game/feed/simulated/SimulatedGame"
import { Matches } from "@matchpoint/store/live/Matches"
import { simulatedTennis } from "@matchpoint/tennis/feed/simulated/simulatedTennis"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"

/** Plays matches until `enough` of them are registered and nothing else is, and returns their configurations. */
const registeredBy = Effect.fnUntraced(function* (game: SimulatedGame, matches: number, enough: number) {
  const registered: Array<SimulatedConfig> = []
  const watched: SimulatedGame = {
    ...game,
    registrationOf: (config) => {
      registered.push(config)
      return game.registrationOf(config)
    },
  }
  const store = Layer.mock(Matches, {
    listActive: () => Effect.succeed([]),
    register: () => Effect.sync(() => matchIdOf(game.game, 1_000 + registered.length)),
  })
  const playing = yield* playMatches(watched, { matches, stagger: 0 }, new Map<MatchId, SimulatedProgress>(), () => {}).pipe(
    Effect.provide(FeedWriter.layer.pipe(Layer.provideMerge(EventLogMemory.layer({ streams })), Layer.merge(store))),
    Effect.forkChild,
  )
  for (let turn = 0; turn < 2_000 && registered.length < enough; turn += 1) yield* Effect.yieldNow
  yield* TestClock.adjust("1 second")
  yield* Fiber.interrupt(playing)
  return registered
})

const cases: ReadonlyArray<{ readonly game: SimulatedGame; readonly asked: number; readonly running: number }> = [
  { game: simulatedApex, asked: 5, running: 4 },
  { game: simulatedCod, asked: 7, running: 6 },
  { game: simulatedCs2(100), asked: 100, running: 100 },
  { game: simulatedTennis, asked: 51, running: 50 },
]

describe("playMatches", () => {
  for (const { asked, game, running } of cases) {
    it.effect(`${game.game}: runs ${running} matches if ${asked} are asked for, and no participant plays two of them`, () =>
      Effect.gen(function* () {
        const registered = yield* registeredBy(game, asked, running)
        assert.lengthOf(registered, running)
        const participants = registered.flatMap((config) => game.participantsOf(config))
        assert.strictEqual(new Set(participants).size, participants.length)
      }),
    )
  }
})
