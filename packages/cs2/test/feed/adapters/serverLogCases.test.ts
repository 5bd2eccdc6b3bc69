/**
 * Server logs that were read wrongly before, played through the intake of CS2 and its fold. The cases are part of the
 * recorded data; their README has the right results.
 */
import { assert, describe, it } from "@effect/vitest"
import { textOf } from "@matchpoint/testing/recordedData"
import { Effect } from "effect"
import { inject } from "vitest"
import type { MatchState } from "../../../src/rules/live/state.ts"
import { idOf, playPosts, registered, scoreOf, shifted, tallyOf, timeOf } from "../logPosts.ts"

const data = inject("dataDirectory")
const NOW = Date.UTC(2026, 10, 27, 20)

/** Plays a case with its times moved so that the last line was written now. */
const played = (name: string, registration: object = registered) => {
  const posts: ReadonlyArray<ReadonlyArray<string>> = JSON.parse(textOf(data ?? "", "cs2", "cases", `${name}.json`))
  const last = posts.flat().flatMap((line) => timeOf(line) ?? [])
  const by = NOW - (last.at(-1) ?? 0)
  return playPosts(
    posts.map((lines, index) => ({ lines: lines.map((line) => shifted(line, by)), at: NOW + 100 + index * 50 })),
    registration,
  )
}

const nicknames = ({ players }: MatchState) => players.map(({ nickname }) => nickname)
const alive = ({ players }: MatchState) => players.filter((player) => player.alive).length
const killsIn = (state: MatchState) => registered.roster.map((_, index) => tallyOf(state, index + 1).kills)

/** Each case ends without problems, and its last fact was observed within this time of its arrival, in milliseconds. */
const NEAR_MS = 60_000

const cases: Record<string, (state: MatchState) => void> = {
  log_forge: (state) => {
    assert.deepStrictEqual(scoreOf(state), [1, 0])
    assert.strictEqual(alive(state), 10)
    assert.deepStrictEqual(
      nicknames(state),
      registered.roster.map(({ nickname }) => nickname),
    )
    assert.isNull(state.round?.bomb ?? null)
    assert.isTrue(state.players.every(({ connected, money }) => connected && money === 800))
  },
  log_rename: (state) => {
    const names = nicknames(state)
    assert.deepStrictEqual(names.slice(0, 9), ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9"])
    assert.strictEqual(names[9], 'z<1><[U:1:1002]><CT>" ')
  },
  log_clock_back_1h: (state) => assert.deepStrictEqual(scoreOf(state), [3, 1]),
  log_clock_back_2s: (state) => assert.deepStrictEqual(scoreOf(state), [3, 1]),
  log_clock_ahead_1h: (state) => assert.deepStrictEqual(scoreOf(state), [3, 1]),
  log_u2028: (state) => {
    assert.strictEqual(tallyOf(state, 6).kills, 2)
    assert.strictEqual(nicknames(state)[5], "a\u2028b")
  },
  log_nul: (state) => assert.deepStrictEqual(scoreOf(state), [2, 0]),
  log_nultail: (state) => assert.deepStrictEqual(scoreOf(state), [2, 0]),
  log_botmate: (state) => assert.strictEqual(tallyOf(state, 1).kills, 6),
  log_coach: (state) => {
    assert.lengthOf(state.players, 10)
    assert.deepStrictEqual(killsIn(state), [15, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    assert.deepStrictEqual(scoreOf(state), [3, 0])
  },
  log_damage: (state) => {
    assert.deepStrictEqual(
      [2, 3, 4, 5].map((n) => tallyOf(state, n).damage),
      [100, 98, 2, 0],
    )
  },
  log_names: (state) => {
    assert.deepStrictEqual(killsIn(state), [1, 1, 1, 1, 1, 0, 0, 0, 0, 0])
    assert.strictEqual(nicknames(state)[3], "a<9><[U:1:7]><CT>")
    assert.deepStrictEqual(nicknames(state).slice(7), ["<BOT>", "x killed y", "Console<0><Console><Console>"])
  },
  log_silent_then_on: (state) => assert.deepStrictEqual(scoreOf(state), [5, 2]),
  log_unpaused: (state) => {
    assert.isNull(state.timeout)
    assert.deepStrictEqual(scoreOf(state), [1, 0])
  },
}

describe.skipIf(data === null)("serverLog, recorded cases", () => {
  it.effect.each(Object.entries(cases))("%s", ([name, check]) =>
    Effect.sync(() => {
      const { problems, state, steps } = played(name)
      assert.deepStrictEqual(problems, [])
      check(state)
      for (const { at, events } of steps) {
        for (const { observedAt } of events) assert.isAtMost(observedAt, at + 5_000)
        const last = events.at(-1)
        if (last !== undefined && steps.at(-1)?.at === at) assert.isAtLeast(last.observedAt, at - NEAR_MS)
      }
    }),
  )

  it.effect("log_bo2_draw ends both maps", () =>
    Effect.sync(() => {
      const { problems, state } = played("log_bo2_draw", { ...registered, bestOf: 2, rules: { maxRounds: 4, overtimeRounds: 0 } })
      assert.deepStrictEqual(problems, [])
      assert.deepStrictEqual(
        state.maps.map(({ score, winner }) => [score, winner]),
        [
          [[2, 2], "draw"],
          [[1, 3], 1],
        ],
      )
    }),
  )

  it.effect("the aborted round of log_draw_notice does not count", () =>
    Effect.sync(() => {
      const { problems, state } = played("log_draw_notice")
      assert.deepStrictEqual(problems, [])
      assert.deepStrictEqual(scoreOf(state), [2, 0])
      assert.deepStrictEqual(killsIn(state), [2, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    }),
  )

  it.effect("all players of log_coach keep their accounts", () =>
    Effect.sync(() => {
      const { state } = played("log_coach")
      assert.sameMembers(
        state.players.map(({ id }) => id),
        registered.roster.map((_, index) => idOf(index + 1)),
      )
    }),
  )
})
