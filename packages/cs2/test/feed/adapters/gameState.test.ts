/**
 * The Game State Integration adapter: rounds and scores from real posts; kills, clock and pauses from invented posts.
 */
import { assert, describe, it } from "@effect/vitest"
import { textOf } from "@matchpoint/testing/recordedData"
import { Effect } from "effect"
import { inject } from "vitest"
import { gameState, withoutToken } from "../../../src/feed/adapters/gameState/GameStateAdapter.ts"
import { gameStateRecording, readGameStates } from "../../../src/feed/adapters/gameState/gameStateRecording.ts"
import type { Recorded } from "../../../src/feed/adapters/Recording.ts"
import { matchId, playerId } from "../../../src/rules/ids.ts"
import type { FeedEvent, FeedEventOf, FeedEventType } from "../../../src/rules/live/feedEvents.ts"
import { adapterLaws } from "./adapterLaws.ts"

const data = inject("dataDirectory")
const match = matchId(1)
const start = Date.UTC(2026, 1, 1, 18)

const steamId = (account: number): string => String(76561197960265728n + BigInt(account))

type Counts = readonly [kills: number, deaths: number, assists: number]
interface Seen {
  readonly hp?: number
  readonly counts?: Counts
  readonly heads?: number
  readonly weapon?: string
  readonly money?: number
}
type People = { readonly [name in "ana" | "bob" | "cleo" | "dan"]?: Seen }
const accounts = { ana: 301, bob: 302, cleo: 303, dan: 304 } as const

interface Moment {
  readonly second: number
  readonly completed: number
  readonly phase: "freezetime" | "live" | "over"
  readonly score?: readonly [north: number, south: number]
  readonly northSide?: "CT" | "T"
  readonly people?: People
  readonly [section: string]: unknown
}

/** Builds an observer's post. North's players are ana and bob. */
const post = ({ completed, northSide = "CT", people = {}, phase, score = [0, 0], second, ...sections }: Moment) => {
  const south = northSide === "CT" ? "T" : "CT"
  const row = (name: keyof typeof accounts) => {
    const { counts = [0, 0, 0], heads = 0, hp = 100, money = 800, weapon = "weapon_ak47" } = people[name] ?? {}
    const [kills, deaths, assists] = counts
    const state = { health: hp, armor: 0, helmet: false, money, round_kills: kills, round_killhs: heads, equip_value: 200 }
    const weapons = { weapon_0: { name: "weapon_knife", state: "holstered" }, weapon_1: { name: weapon, state: "active" } }
    return [
      steamId(accounts[name]),
      { name, team: name === "ana" || name === "bob" ? northSide : south, state, match_stats: { kills, assists, deaths }, weapons },
    ]
  }
  const team = (name: string, points: number) => ({ name, score: points, timeouts_remaining: 2 })
  const [north, other] = [team("North", score[0]), team("South", score[1])]
  const body = {
    provider: { timestamp: start / 1000 + second },
    map: {
      mode: "competitive",
      name: "de_anubis",
      phase: "live",
      round: completed,
      team_ct: northSide === "CT" ? north : other,
      team_t: northSide === "CT" ? other : north,
    },
    round: { phase },
    allplayers: Object.fromEntries((["ana", "bob", "cleo", "dan"] as const).map(row)),
    auth: { token: "secret" },
    ...sections,
  }
  return { at: start + second * 1000, input: body }
}

const moments: ReadonlyArray<ReturnType<typeof post>> = [
  post({ second: 0, completed: 0, phase: "freezetime", phase_countdowns: { phase: "freezetime", phase_ends_in: "15.0" } }),
  post({ second: 1, completed: 0, phase: "freezetime", phase_countdowns: { phase: "freezetime", phase_ends_in: "14.0" } }),
  post({ second: 5, completed: 0, phase: "freezetime", phase_countdowns: { phase: "timeout_t", phase_ends_in: "30.0" } }),
  post({ second: 35, completed: 0, phase: "freezetime", phase_countdowns: { phase: "freezetime", phase_ends_in: "5.0" } }),
  post({ second: 40, completed: 0, phase: "live", bomb: { state: "carried", player: steamId(304) } }),
  post({
    second: 50,
    completed: 0,
    phase: "live",
    people: { ana: { counts: [1, 0, 0], heads: 1, weapon: "weapon_m4a1" }, cleo: { hp: 0, counts: [0, 1, 0] } },
  }),
  post({
    second: 60,
    completed: 0,
    phase: "live",
    round: { phase: "live", bomb: "planted" },
    bomb: { state: "planted", player: steamId(304) },
    people: { ana: { hp: 20, counts: [1, 0, 0], heads: 1 }, cleo: { hp: 0, counts: [0, 1, 0] } },
  }),
  post({
    second: 100,
    completed: 1,
    phase: "over",
    score: [0, 1],
    round: { phase: "over", bomb: "exploded", win_team: "T" },
    people: { ana: { hp: 0, counts: [1, 1, 0] }, bob: { money: 2_000 }, cleo: { hp: 0, counts: [0, 1, 0] } },
  }),
  post({
    second: 107,
    completed: 1,
    phase: "freezetime",
    score: [0, 1],
    people: { ana: { counts: [1, 1, 0] }, cleo: { counts: [0, 1, 0] } },
  }),
  post({ second: 122, completed: 1, phase: "live", score: [0, 1], people: { ana: { counts: [1, 1, 0] }, cleo: { counts: [0, 1, 0] } } }),
  post({
    second: 130,
    completed: 1,
    phase: "live",
    score: [0, 1],
    people: {
      ana: { counts: [1, 1, 1] },
      bob: { counts: [1, 0, 0], weapon: "weapon_awp" },
      cleo: { counts: [0, 1, 0] },
      dan: { hp: 0, counts: [0, 1, 0] },
    },
  }),
  // The post of the end of the round is missing.
  post({
    second: 150,
    completed: 2,
    phase: "freezetime",
    score: [1, 1],
    people: { ana: { counts: [2, 1, 1] }, bob: { counts: [1, 0, 0] }, cleo: { counts: [0, 2, 0] }, dan: { counts: [0, 1, 0] } },
  }),
]

const observed: Recorded<unknown> = readGameStates(moments.map(({ at, input }) => ({ t: new Date(at).toISOString(), body: input }))) ?? {
  created: assert.fail("the posts show a match"),
  inputs: [],
}

const play = (recorded: Recorded<unknown>) => [...gameStateRecording(recorded).play(match)]
const eventsOf = (recorded: Recorded<unknown>) => play(recorded).flatMap(({ events }) => events)
const ofType = <T extends FeedEventType>(events: ReadonlyArray<FeedEvent>, type: T) =>
  events.filter((event): event is FeedEventOf<T> & FeedEvent => event.type === type)

adapterLaws({ name: "gameState laws, posts made up", adapter: gameState, recorded: () => observed, runs: 40 })

describe("gameState, an observer's posts", () => {
  it.effect("infers kills from the counts, with weapon and headshot", () =>
    Effect.sync(() => {
      const kills = ofType(eventsOf(observed), "PlayerKilled").map(({ payload }) => {
        return [payload.round, payload.killerId, payload.victimId, payload.assisterId, payload.weapon, payload.headshot]
      })
      assert.deepStrictEqual(kills, [
        [1, playerId(301), playerId(303), null, "m4a1", true],
        [1, null, playerId(301), null, "unknown", false],
        [2, playerId(302), playerId(304), playerId(301), "awp", false],
      ])
    }),
  )

  it.effect("corrects counts after a kill between two rounds", () =>
    Effect.sync(() => {
      const state = play(observed).at(-1)?.state
      assert.deepStrictEqual(
        state?.players.map(({ nickname, tally }) => [nickname, tally.kills, tally.deaths, tally.assists]),
        [
          ["ana", 2, 1, 1],
          ["bob", 1, 0, 0],
          ["cleo", 0, 2, 0],
          ["dan", 0, 1, 0],
        ],
      )
    }),
  )

  it.effect("ends rounds by the bomb, or by the score if the end was not posted", () =>
    Effect.sync(() => {
      const state = play(observed).at(-1)?.state
      assert.deepStrictEqual(
        state?.maps[0]?.rounds.map(({ winType, winner }) => [winner, winType]),
        [
          ["T", "bomb_exploded"],
          ["CT", "unknown"],
        ],
      )
      assert.deepStrictEqual(state?.maps[0]?.score, [1, 1])
      const planted = ofType(eventsOf(observed), "BombPlanted")
      assert.deepStrictEqual(
        planted.map(({ payload }) => payload.playerId),
        [playerId(304)],
      )
    }),
  )

  it.effect("reports timeouts, and the clock only when it is off", () =>
    Effect.sync(() => {
      const events = eventsOf(observed)
      assert.deepStrictEqual(
        ofType(events, "ClockReported").map(({ payload }) => [payload.phase, payload.secondsLeft]),
        [
          ["freezetime", 15],
          ["timeout", 30],
          ["freezetime", 5],
        ],
      )
      assert.lengthOf(ofType(events, "TimeoutCalled"), 1)
      assert.lengthOf(ofType(events, "TimeoutEnded"), 1)
      assert.deepStrictEqual(
        ofType(events, "TimeoutsReported").map(({ payload }) => payload.remaining.map(({ count }) => count)),
        // The second report restores the timeout that was called, because these posts never count it as used.
        [
          [2, 2],
          [2, 2],
        ],
      )
    }),
  )

  it.effect("adds only what a server log lacks", () =>
    Effect.sync(() => {
      const steps = play(observed)
      const live = steps[4]?.state
      const next = moments[5]
      if (live === undefined || next === undefined) return assert.fail("no state")
      const logged: FeedEvent = { ...(steps[4]?.events[0] ?? assert.fail("no event")), id: `log:0:0:hurt` as FeedEvent["id"] }
      const step = gameState.step({ state: live, memory: gameState.recall(gameState.initial(live), logged) }, next.input, next.at)
      assert.deepStrictEqual(
        step.events.map(({ type }) => type),
        ["PlayersReported"],
      )
      for (const report of ofType(step.events, "PlayersReported")[0]?.payload.players ?? []) {
        assert.doesNotHaveAnyKeys(report, ["hp", "alive", "kills", "deaths", "assists"])
      }
    }),
  )

  it.effect("takes over from a silent log, and takes no rounds back when it is behind", () =>
    Effect.sync(() => {
      const steps = play(observed)
      const state = steps[8]?.state ?? assert.fail("no state")
      const fact = steps[8]?.events[0] ?? assert.fail("no event")
      const logged: FeedEvent = { ...fact, id: "log:0:0:hurt" as FeedEvent["id"] }
      const memory = gameState.recall(gameState.initial(state), logged)
      const late = post({ second: 109, completed: 0, phase: "live" })
      assert.deepStrictEqual(gameState.step({ state, memory }, late.input, late.at).events, [])
      const later = post({ second: 170, completed: 0, phase: "live" })
      assert.lengthOf(ofType(gameState.step({ state, memory }, later.input, later.at).events, "MapRestarted"), 0)
      const ended = post({ second: 170, completed: 2, phase: "over", score: [1, 1] })
      assert.lengthOf(ofType(gameState.step({ state, memory }, ended.input, ended.at).events, "RoundEnded"), 1)
    }),
  )

  it.effect("follows a restarted map and the end of a map, and reports another map once", () =>
    Effect.sync(() => {
      const begun = play(observed).at(-1)
      if (begun === undefined) return assert.fail("no state")
      let context = { state: begun.state, memory: gameState.initial(begun.state) }
      const send = (moment: ReturnType<typeof post>) => {
        const step = gameState.step(context, moment.input, moment.at)
        context = step.context
        return step
      }
      assert.lengthOf(ofType(send(post({ second: 200, completed: 0, phase: "freezetime" })).events, "MapRestarted"), 1)
      assert.deepStrictEqual(context.state.maps[0]?.score, [0, 0])
      const elsewhere = (second: number) =>
        post({ second, completed: 0, phase: "live", map: { ...moments[0]?.input.map, name: "de_nuke" } })
      assert.deepStrictEqual(
        send(elsewhere(210)).problems.map(({ code }) => code),
        ["wrong_map"],
      )
      assert.deepStrictEqual(send(elsewhere(211)).problems, [])
      const over = post({ second: 300, completed: 20, phase: "over", score: [13, 7], northSide: "T" })
      const end = send({ ...over, input: { ...over.input, map: { ...over.input.map, phase: "gameover" } } })
      assert.deepStrictEqual(end.problems, [])
      assert.deepInclude(context.state, { status: "completed", winner: 0 })
      assert.deepStrictEqual(context.state.maps[0]?.score, [13, 7])
    }),
  )

  it.effect("rejects malformed posts without revealing the token", () =>
    Effect.sync(() => {
      const { state } = play(observed).at(-1) ?? assert.fail("no state")
      const step = gameState.step(
        { state, memory: gameState.initial(state) },
        { map: { phase: "lunch" }, auth: { token: "secret" } },
        start,
      )
      assert.deepStrictEqual(
        step.problems.map(({ code }) => code),
        ["malformed"],
      )
      assert.notInclude(JSON.stringify(step.problems), "secret")
      assert.strictEqual(withoutToken({ auth: { token: "secret" }, a: 1 }), '{"a":1}')
    }),
  )
})

describe.skipIf(data === null)("gameState, recorded posts", () => {
  const values = (): ReadonlyArray<{
    readonly t: string
    readonly body: { readonly map?: { readonly name?: string; readonly mode?: string } }
  }> =>
    textOf(data ?? "", "cs2", "gsi", "player-view-2025-09-27.ndjson.gz")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))

  const wingman = () => readGameStates(values().filter(({ body }) => body.map?.name === "de_inferno")) ?? assert.fail("no match")

  it.effect("follows a player's view of a wingman match across half time", () =>
    Effect.sync(() => {
      const steps = play(wingman())
      assert.deepStrictEqual(
        steps.flatMap(({ problems }) => problems),
        [],
      )
      const map = steps.at(-1)?.state.maps[0]
      assert.deepInclude(map, {
        score: [6, 3],
        halves: [
          [5, 3],
          [1, 0],
        ],
      })
      assert.lengthOf(map?.rounds ?? [], 9)
    }),
  )

  it.effect("follows maps that are restarted several times", () =>
    Effect.sync(() => {
      const all = values()
      const last = all.findLastIndex(({ body }) => body.map?.name === "de_inferno")
      const recorded = readGameStates(all.slice(last + 1)) ?? assert.fail("no match")
      const steps = play(recorded)
      assert.lengthOf(
        ofType(
          steps.flatMap(({ events }) => events),
          "MapRestarted",
        ),
        5,
      )
      assert.deepStrictEqual(steps.at(-1)?.state.maps[0]?.score, [1, 0])
    }),
  )

  it.effect("derives the whole map from an observer's single post", () =>
    Effect.sync(() => {
      const recorded =
        readGameStates([JSON.parse(textOf(data ?? "", "cs2", "gsi", "observer-de_dust2-r10.json"))]) ?? assert.fail("no match")
      const state = play(recorded).at(-1)?.state
      assert.deepStrictEqual(state?.maps[0]?.score, [7, 3])
      assert.lengthOf(state?.maps[0]?.rounds ?? [], 10)
      assert.deepInclude(state?.round, { number: 11, phase: "live" })
      assert.lengthOf(state?.players ?? [], 10)
      assert.deepStrictEqual(
        state?.players.filter(({ alive }) => alive).map(({ hp }) => hp),
        [71, 100, 100, 90],
      )
      assert.deepStrictEqual(
        state?.teams.map(({ timeoutsRemaining }) => timeoutsRemaining),
        [4, 2],
      )
    }),
  )

  if (data !== null) adapterLaws({ name: "laws, recorded posts", adapter: gameState, recorded: wingman, runs: 20 })
})
