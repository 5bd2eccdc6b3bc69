/** A server's clock may be wrong, and may go back or ahead: lines are read once, and their times stay near those of arrival. */
import { assert, describe, it } from "@effect/vitest"
import { writtenLog } from "@matchpoint/testing/writtenLog"
import { Effect, Schema } from "effect"
import { type LogPost, playPosts, scoreOf, shifted } from "../logPosts.ts"

const START = Date.UTC(2026, 9, 25, 0, 30)
const HOUR = 3_600_000
const registration = { bestOf: 1, teams: [{ name: "North" }, { name: "South" }] }
const log = writtenLog({ map: "de_nuke", names: ["North", "South"], rounds: [0, 0, 1, 0, 1, 1, 0, 0], startsAt: START })

/** Returns the posts as they arrive, with the server's clock off by what `clock` returns for the time. */
const sent = (clock: (at: number) => number, posts = log): ReadonlyArray<LogPost> =>
  posts.map(({ at, lines }) => ({ at: at + 150, lines: lines.map((line) => shifted(line, clock(at))) }))

const right = playPosts(
  sent(() => 0),
  registration,
)

const countsOf = ({ state }: ReturnType<typeof playPosts>) => ({
  score: scoreOf(state),
  rounds: state.maps[0]?.rounds.map(({ round, winner }) => [round, winner]),
  players: state.players.map(({ id, tally }) => [id, tally.kills, tally.deaths]).sort(),
})

const assertNearNow = ({ steps }: ReturnType<typeof playPosts>, withinMs: number) => {
  for (const { at, events } of steps) {
    for (const { observedAt } of events) {
      assert.isAtMost(observedAt, at + 5_000)
      assert.isAtLeast(observedAt, at - withinMs)
    }
  }
}

const changes: Record<string, (at: number) => number> = {
  "goes back by an hour": (at) => (at < START + 200_000 ? HOUR : 0),
  "goes back by two seconds between rounds": (at) => (at < START + 230_000 ? 0 : -2_000),
  "goes back by a minute and a half": (at) => (at < START + 200_000 ? 0 : -90_000),
  "goes ahead by an hour": (at) => (at < START + 200_000 ? 0 : HOUR),
  "goes ahead by six hours and back again": (at) => (at < START + 130_000 || at > START + 300_000 ? 0 : 6 * HOUR),
  "is wrong by three days and seven minutes": () => -3 * 24 * HOUR - 7 * 60_000,
  "goes back twice": (at) => (at < START + 130_000 ? 0 : at < START + 300_000 ? -HOUR : -2 * HOUR),
}

describe("serverLog, clock", () => {
  it.effect.each(Object.entries(changes))("reads every line if it %s", ([, clock]) =>
    Effect.sync(() => {
      const played = playPosts(sent(clock), registration)
      assert.deepStrictEqual(played.problems, [])
      assert.deepStrictEqual(countsOf(played), countsOf(right))
      // The time zone of the first post is a guess, to a quarter of an hour.
      assertNearNow(played, 8 * 60_000)
      if (clock(START) % (15 * 60_000) === 0) assertNearNow(played, 5_000)
      for (const { counts } of played.steps) assert.strictEqual(counts?.repeated, 0)
    }),
  )

  it.effect.each([1, 7, 1_000])(
    "keeps the distances in a recording that is sent faster than it was written, in posts of %s lines",
    (size) =>
      Effect.sync(() => {
        const lines = log.flatMap((post) => post.lines)
        const now = START + 100 * 24 * HOUR
        const posts: Array<LogPost> = []
        for (let from = 0; from < lines.length; from += size)
          posts.push({ at: now + posts.length * 5, lines: lines.slice(from, from + size) })
        const played = playPosts([{ at: now - 5, lines: [shifted(lines[0] ?? "", -60_000)] }, ...posts], registration)
        assert.deepStrictEqual([played.problems, countsOf(played)], [[], countsOf(right)])
        for (const { observedAt } of played.events.slice(1)) assert.isAtMost(observedAt, now)
        const { endedAt, startedAt } = played.state
        assert.strictEqual((endedAt ?? 0) - (startedAt ?? 0), (right.state.endedAt ?? 0) - (right.state.startedAt ?? 0))
      }),
  )

  it.effect("reads a post in which the clock goes back", () =>
    Effect.sync(() => {
      const joined: ReadonlyArray<LogPost> = [0, 1, 2, 3].flatMap((quarter) => {
        const part = sent((at) => (at < START + 200_000 ? HOUR : 0)).slice(quarter * 11, quarter * 11 + 11)
        const last = part.at(-1)
        return last === undefined ? [] : [{ at: last.at, lines: part.flatMap(({ lines }) => lines) }]
      })
      const played = playPosts(joined, registration)
      assert.deepStrictEqual(played.problems, [])
      assert.deepStrictEqual(countsOf(played), countsOf(right))
    }),
  )

  it.effect.prop(
    "gives the same score after a restart at any point, wherever the clock went back",
    [
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: log.length - 1 })),
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: log.length - 1 })),
    ],
    ([back, restart]) =>
      Effect.sync(() => {
        const posts = sent((at) => (at < (log[back]?.at ?? 0) ? HOUR : 0))
        const played = playPosts(
          posts.map((post, index) => ({ ...post, isAfterRestart: index === restart })),
          registration,
        )
        // After a restart only lines that gave facts are known. Older posts may then be old ones, until the score or the
        // start of a round shows that they are new. Kills before it are lost, but no result of a round.
        if (restart > back) assert.deepStrictEqual(countsOf(played), countsOf(playPosts(posts, registration)))
        assert.deepStrictEqual(scoreOf(played.state), scoreOf(right.state))
      }),
    { arbitrary: { runs: 60 } },
  )

  it.effect("adds nothing when the whole log is sent again, also after a restart", () =>
    Effect.sync(() => {
      const posts = sent(() => 0).slice(0, 30)
      const later = posts.map((post, index) => ({ ...post, at: (posts.at(-1)?.at ?? 0) + 1_000 + index }))
      const warmup = [
        'World triggered "Round_Start"',
        '"p100<1><[U:1:100]><CT>" [0 0 0] killed "p110<2><[U:1:110]><TERRORIST>" [0 0 0] with "ak47"',
      ]
      const early = {
        at: START - 60_000,
        lines: warmup.map((text) => shifted(`10/25/2026 - 00:00:00.000 - ${text}`, START - 60_000 - Date.UTC(2026, 9, 25))),
      }
      for (const isAfterRestart of [false, true]) {
        const once = playPosts([early, ...posts], registration)
        const again = playPosts([early, ...posts, { ...early, at: later[0]?.at ?? 0, isAfterRestart }, ...later], registration)
        assert.deepStrictEqual(again.events, once.events)
      }
    }),
  )

  it.effect("reports a feed whose every line was sent before, once a minute", () =>
    Effect.sync(() => {
      const posts = sent(() => 0).slice(0, 6)
      const last = posts.at(-1) ?? assert.fail("no post")
      const again = Array.from({ length: 100 }, (_, second) => ({ ...last, at: last.at + 1_000 * (second + 1) }))
      const next = sent(() => 0)[6] ?? assert.fail("no post")
      const { problems, steps } = playPosts([...posts, ...again, { ...next, at: last.at + 101_000 }], registration)
      assert.deepStrictEqual(
        problems.map(({ at, code }) => [code, Math.round((at - last.at) / 1_000)]),
        [
          ["only_repeats", 31],
          ["only_repeats", 91],
        ],
      )
      assert.include(problems[0]?.message ?? "", "clock of the server")
      assert.isAbove(steps.at(-1)?.events.length ?? 0, 0)
    }),
  )

  it.effect("reads lines that end or begin with NUL, and rejects those that contain it", () =>
    Effect.sync(() => {
      const padded = sent(() => 0).map(({ at, lines }) => ({
        at,
        lines: lines.map((line, index) => (index % 2 === 0 ? `${line}\0\0` : `\0${line}\r`)),
      }))
      assert.deepStrictEqual(countsOf(playPosts(padded, registration)), countsOf(right))
      const { problems } = playPosts([{ at: START, lines: ['10/25/2026 - 00:30:00.000 - "a\0<1><[U:1:7]><CT>" say "x"'] }], registration)
      assert.deepStrictEqual(
        problems.map(({ code, message }) => [code, message]),
        [["malformed", "the line contains a NUL character, which cannot be stored"]],
      )
    }),
  )
})
