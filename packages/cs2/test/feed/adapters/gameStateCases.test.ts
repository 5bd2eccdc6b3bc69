/**
 * Game State Integration posts that were read wrongly before, played through the intake of CS2 and its fold. The cases are
 * part of the recorded data; their README has the right results.
 */
import { assert, describe, it } from "@effect/vitest"
import type { FactProblem } from "@matchpoint/game/feed/GameFeed"
import { computed } from "@matchpoint/game/feed/slices"
import { filesIn, textOf } from "@matchpoint/testing/recordedData"
import { Effect, Result } from "effect"
import { inject } from "vitest"
import { cs2Feed } from "../../../src/feed/intake/cs2Feed.ts"
import { matchId, playerIdOfSteamId64 } from "../../../src/rules/ids.ts"
import type { FeedEvent } from "../../../src/rules/live/feedEvents.ts"
import { foldAll } from "../../../src/rules/live/fold.ts"
import type { MatchState } from "../../../src/rules/live/state.ts"

const data = inject("dataDirectory")
const match = matchId(1)
const steamIdOf = (account: number): string => String(76561197960265728n + BigInt(account))
/** p1 to p10 of the cases have the accounts 1001 to 1010. */
const idOf = (player: number) => playerIdOfSteamId64(steamIdOf(1000 + player))

interface Post {
  readonly provider?: { readonly timestamp?: number }
  readonly [section: string]: unknown
}

const rosterOf = (team: 1 | 2) =>
  [1, 2, 3, 4, 5].map((n) => n + (team - 1) * 5).map((n) => ({ steamId64: steamIdOf(1000 + n), team, nickname: `p${n}` }))

const registered = { bestOf: 1, teams: [{ name: "Red" }, { name: "Blue" }], roster: [...rosterOf(1), ...rosterOf(2)] }

/** Plays posts through the intake, each at the time of its provider. */
const play = (posts: ReadonlyArray<Post>, registration: object = registered) => {
  const at = (post: Post | undefined) => (post?.provider?.timestamp ?? 0) * 1000
  const decoded = Result.getOrThrow(cs2Feed.decodeRegistration(registration))
  const created = Result.getOrThrow(cs2Feed.opening(decoded, at(posts[0]))).created(match)
  let session =
    cs2Feed.open({ state: undefined, facts: [{ event: created, isFolded: false }], isComplete: true }) ?? assert.fail("no session")
  const events: Array<FeedEvent> = [created]
  const problems: Array<FactProblem> = []
  for (const post of posts) {
    const result = computed(cs2Feed.applySubmission(session, { _tag: "GameState", post, source: "main" }, at(post)))
    session = result.next
    events.push(...result.events)
    problems.push(...result.problems)
  }
  const state = foldAll(undefined, events) ?? assert.fail("no state")
  assert.deepStrictEqual(state, session.main.state)
  return { state, events, problems }
}

const scoreOf = ({ maps }: MatchState) => maps.at(-1)?.score
const roundsOf = ({ maps }: MatchState) => maps.at(-1)?.rounds.map(({ round, winType, winner }) => [round, winner, winType])
const carrierOf = ({ round }: MatchState) => (round?.bomb?.state === "carried" ? round.bomb.playerId : null)

describe.skipIf(data === null)("gameState, recorded cases", () => {
  const postsOf = (name: string): ReadonlyArray<Post> => JSON.parse(textOf(data ?? "", "cs2", "cases", `${name}.json`))
  const played = (name: string) => play(postsOf(name))
  const tests: Record<string, () => void> = {
    gsi_coach: () => {
      const { events, problems, state } = played("gsi_coach")
      assert.deepStrictEqual(
        state.players.map(({ nickname, team }) => [nickname, team]),
        Array.from({ length: 10 }, (_, index) => [`p${index + 1}`, index < 5 ? 0 : 1]),
      )
      assert.notInclude(
        events.map(({ type }) => type),
        "PlayerKilled",
      )
      assert.deepStrictEqual(problems, [])
    },
    gsi_fakewarm: () => {
      const { problems, state } = played("gsi_fakewarm")
      assert.deepInclude(state.round, { number: 1, phase: "live", bomb: null })
      assert.deepStrictEqual(problems, [])
    },
    gsi_fakewarm2: () => {
      const { problems, state } = played("gsi_fakewarm2")
      assert.deepStrictEqual(scoreOf(state), [1, 0])
      assert.deepStrictEqual(roundsOf(state), [[1, "CT", "elimination"]])
      assert.strictEqual(carrierOf(state), idOf(7))
      assert.deepStrictEqual(problems, [])
    },
    gsi_late_half: () => {
      const { state } = played("gsi_late_half")
      assert.deepStrictEqual(scoreOf(state), [2, 2])
      assert.deepStrictEqual(
        roundsOf(state)?.map(([, , winType]) => winType),
        ["elimination", "bomb_exploded", "bomb_defused", "elimination"],
      )
    },
    gsi_ot_follow: () => {
      const { problems, state } = played("gsi_ot_follow")
      assert.deepStrictEqual(scoreOf(state), [13, 12])
      assert.deepStrictEqual(roundsOf(state)?.slice(-2), [
        [24, "T", "bomb_exploded"],
        [25, "CT", "bomb_defused"],
      ])
      assert.deepStrictEqual(problems, [])
    },
    gsi_ot_gap: () => {
      const { problems, state } = played("gsi_ot_gap")
      assert.deepStrictEqual(scoreOf(state), [13, 13])
      assert.deepStrictEqual(roundsOf(state)?.slice(-3), [
        [24, "T", "elimination"],
        [25, "CT", "time_expired"],
        [26, "T", "bomb_exploded"],
      ])
      assert.deepStrictEqual(problems, [])
    },
    gsi_restore: () => assert.deepStrictEqual(scoreOf(played("gsi_restore").state), [2, 1]),
    ...Object.fromEntries(
      Object.entries({
        arrays: ["allplayers", "weapons"],
        bombnum: ["bomb.player"],
        bots: [],
        float: ["money"],
        hudnull: [],
        noplayer: [],
        nostate: [],
        partstate: [],
        phasenum: [],
        spectator: [],
        teamnull: [],
        unassigned: [],
        unknownphase: ["map.phase"],
        unknownround: ["round.phase"],
      }).map(([name, odd]) => [`gsi_odd_${name}`, () => checkOdd(`gsi_odd_${name}`, odd)]),
    ),
  }

  /** The odd values are in the last post. `odd` has a part of the path of each one that is no valid value. */
  const checkOdd = (name: string, odd: ReadonlyArray<string>) => {
    const posts = postsOf(name)
    const { problems, state } = play(posts)
    const last = posts.at(-1) ?? assert.fail("no post")
    assert.lengthOf(state.players, 10)
    assert.deepInclude(state.round, { number: 1, phase: "live" })
    // The post is used: its bomb carrier and its players' values are known, unless they are the odd values.
    if ("bomb" in last) assert.strictEqual(carrierOf(state), name === "gsi_odd_bombnum" ? null : idOf(6))
    if (name === "gsi_odd_partstate" || name === "gsi_odd_float") assert.strictEqual(state.players[2]?.hp, 40)
    if (name === "gsi_odd_phasenum") {
      assert.strictEqual(state.round?.clockEndsAt, (last.provider?.timestamp ?? 0) * 1000 + 33_400)
    }
    assert.strictEqual(problems.length > 0, odd.length > 0, JSON.stringify(problems))
    for (const { code, message } of problems) {
      assert.strictEqual(code, "malformed")
      assert.isTrue(
        odd.some((path) => message.includes(path)),
        message,
      )
    }
  }

  const names = data === null ? [] : filesIn(data, "cs2", "cases").flatMap((file) => /^(gsi_.*)\.json$/.exec(file)?.[1] ?? [])
  for (const name of names) it.effect(name, () => Effect.sync(() => (tests[name] ?? assert.fail(`no expectation for ${name}`))()))
})
