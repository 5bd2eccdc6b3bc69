/**
 * Players choose their names and what they write in chat. No line may therefore be read as another form
 * of line: chat changes nothing, and a name never acts for another player.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { parseLogLine } from "../../../src/feed/adapters/serverLog/logLine.ts"
import type { MatchState } from "../../../src/rules/live/state.ts"
import { idOf, opened, playPosts, registered, scoreOf, stampOf } from "../logPosts.ts"

const NOW = Date.UTC(2026, 10, 27, 20)

const sideOf = (n: number) => (n <= 5 ? "CT" : "TERRORIST")
const token = (n: number, name = `p${n}`) => `"${name}<${n}><[U:1:${1_000 + n}]><${sideOf(n)}>"`
const places = "[0 0 0]"

/** A live second round at 1:0, with all ten players. */
const start: ReadonlyArray<string> = [
  "Starting Freeze period",
  'World triggered "Match_Start" on "de_mirage"',
  'Team playing "CT": Red',
  'Team playing "TERRORIST": Blue',
  'MatchStatus: Score: 0:0 on map "de_mirage" RoundsPlayed: 0',
  ...registered.roster.map((_, index) => `${token(index + 1)} money change 800+0 = $800 (tracked)`),
  'World triggered "Round_Start"',
  `${token(1)} ${places} killed ${token(6)} ${places} with "ak47"`,
  'Team "CT" triggered "SFUI_Notice_CTs_Win" (CT "1") (T "0")',
  "Starting Freeze period",
  'MatchStatus: Score: 1:0 on map "de_mirage" RoundsPlayed: 1',
  'World triggered "Round_Start"',
]

const written = (texts: ReadonlyArray<string>, at: number) => texts.map((text, index) => `${stampOf(at + index)} - ${text}`)

const base = playPosts([{ lines: written(start, NOW - 1_000), at: NOW }])

/** Lines that change a match if they are read. */
const facts: ReadonlyArray<string> = [
  `${token(6)} ${places} killed ${token(1)} ${places} with "ak47" (headshot)`,
  `${token(6)} ${places} attacked ${token(1)} ${places} with "ak47" (damage "90") (damage_armor "0") (health "10") (armor "0") (hitgroup "head")`,
  `${token(7)} assisted killing ${token(2)}`,
  `${token(7)} triggered "Planted_The_Bomb" at bombsite A`,
  `${token(2)} disconnected (reason "NETWORK_DISCONNECT_EXITING")`,
  `${token(2)} disconnected`,
  `${token(3)} money change 1+1 = $16000 (tracked)`,
  `${token(4)} ${places} committed suicide with "world"`,
  `"p5<5><[U:1:1005]>" switched from team <CT> to <Spectator>`,
  `${token(5)} left buyzone with [ weapon_awp kevlar(100) ]`,
  `${token(2, "renamed")} picked up "knife"`,
  'Team "TERRORIST" triggered "SFUI_Notice_Terrorists_Win" (CT "1") (T "1")',
  'MatchStatus: Score: 0:0 on map "de_mirage" RoundsPlayed: 0',
  'World triggered "Match_Start" on "de_mirage"',
  "Starting Freeze period",
  "Game Over: competitive  de_mirage score 13:1 after 6 min",
  "Match pause is enabled - mp_pause_match",
]

/** Parts of names and chat: tokens of the roster, whole lines with and without their time, and parts of lines. */
const parts: ReadonlyArray<string> = [
  ...[1, 2, 6, 7].map((n) => token(n)),
  ...[1, 6].map((n) => token(n).slice(1)),
  ...[1, 6].map((n) => token(n).slice(0, -1)),
  ...facts,
  ...facts.map((text) => `${stampOf(NOW)} - ${text}`),
  ...facts.map((text) => text.slice(1)),
  ...facts.map((text) => text.slice(0, -1)),
  ' say "',
  '" say_team "',
  " killed ",
  ` ${places}`,
  ' with "ak47"',
  " assisted killing ",
  ' picked up "',
  ' changed name to "',
  "<10><[U:1:1010]><TERRORIST>",
  "<BOT>",
  '"',
  "\u2028",
  " ",
  "(tracked)",
  "x",
]

const Text = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: parts.length - 1 }))).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(5),
)
const Kind = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }))
const textOf = (indexes: ReadonlyArray<number>) => indexes.map((index) => parts[index] ?? "").join("")

const stepWith = (text: string) =>
  playPosts([
    { lines: written(start, NOW - 1_000), at: NOW },
    { lines: written([text], NOW + 500), at: NOW + 600 },
  ])

const eventsOf = (text: string) => stepWith(text).steps[1]?.events ?? []

const others = (state: MatchState) => ({
  score: scoreOf(state),
  players: state.players.filter(({ id }) => id !== idOf(10)),
})

describe("serverLog, names and chat", () => {
  it.effect("starts from a live round with ten players", () =>
    Effect.sync(() => {
      assert.deepStrictEqual([base.problems, scoreOf(base.state), base.state.round?.phase], [[], [1, 0], "live"])
    }),
  )

  it.effect.each(facts)("is changed by the line, but not by chat with it: %s", (text) =>
    Effect.sync(() => {
      for (const say of ["say", "say_team"]) {
        for (const chat of [text, text.slice(1), text.slice(0, -1), `"${text}"`]) {
          assert.deepStrictEqual(eventsOf(`${token(10)} ${say} "${chat}"`), [])
          // A line that itself ends with a quote may be completed by the quote that ends the chat.
          assert.deepStrictEqual(eventsOf(`${token(10)} ${say} "${chat}`), [])
        }
      }
    }),
  )

  it.effect.prop(
    "chat changes nothing, whatever its text and the names of its player",
    [Text, Text, Kind],
    ([name, chat, kind]) =>
      Effect.sync(() => {
        const player = kind % 2 === 0 ? token(10) : token(10, textOf(name))
        const say = kind % 3 === 0 ? "say_team" : "say"
        assert.deepStrictEqual(eventsOf(`${player} ${say} "${textOf(chat)}"`), [])
      }),
    { arbitrary: { runs: 300 } },
  )

  it.effect.prop(
    "a player with any name acts only for itself",
    [Text, Kind],
    ([name, kind]) =>
      Effect.sync(() => {
        const acts = [
          ' picked up "ak47"',
          ' purchased "flashbang"',
          " money change 800-300 = $500 (tracked)",
          ' triggered "Got_The_Bomb"',
          ' disconnected (reason "x")',
          " left buyzone with [ weapon_knife ]",
        ]
        const { state } = stepWith(`${token(10, textOf(name))}${acts[kind % acts.length]}`)
        assert.deepStrictEqual(others(state), others(base.state))
      }),
    { arbitrary: { runs: 300 } },
  )

  it.effect("reads a duel of a player whose name looks like a duel, once the name is known", () =>
    Effect.sync(() => {
      const name = `x<1><[U:1:1001]><CT>" ${places} killed "y`
      const texts = [`${token(10, name)} picked up "ak47"`, `${token(10, name)} ${places} killed ${token(2)} ${places} with "ak47"`]
      const { problems, state } = playPosts([
        { lines: written(start, NOW - 1_000), at: NOW },
        { lines: written(texts, NOW + 500), at: NOW + 600 },
      ])
      assert.deepStrictEqual(problems, [])
      const kills = (n: number) => state.players.find(({ id }) => id === idOf(n))?.tally.kills
      assert.deepStrictEqual([kills(10), kills(1)], [1, 1])
      assert.isFalse(state.players.find(({ id }) => id === idOf(2))?.alive)
    }),
  )

  it.effect("reports a duel that can be read in two ways, and does not guess", () =>
    Effect.sync(() => {
      const name = `p1<1><[U:1:1001]><CT>" ${places} killed "y`
      const { steps } = stepWith(`${token(10, name)} ${places} killed ${token(2, "new")} ${places} with "ak47"`)
      assert.deepStrictEqual(steps[1]?.events, [])
      assert.deepStrictEqual(
        steps[1]?.problems.map(({ code }) => code),
        ["unknown_line"],
      )
      assert.deepInclude(steps[1]?.counts, { understood: 0, reported: 1 })
    }),
  )

  it.effect("takes no time that grows with the square of a line", () =>
    Effect.sync(() => {
      const { created } = opened(NOW)
      assert.strictEqual(created.type, "MatchCreated")
      const line = (text: string) => `${stampOf(NOW)} - ${text}`
      assert.isUndefined(parseLogLine(line(`${token(10)} say "${"a".repeat(5_000)}"`)))
      assert.deepInclude(parseLogLine(line(`"${token(1).slice(1, -1).repeat(90)}" picked up "x"`)), { at: NOW })
    }),
  )
})
