import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { MatchArchive } from "../../../src/archive/matches/MatchArchive.ts"
import { sample } from "../fixtures/sampleArchive.ts"
import { type ArchiveIt, SAMPLE_NOW } from "../sampled.ts"

const { deep, forfeit, later, old, upcoming, winnerOnly } = sample.matches
const all = { limit: 100, offset: 0 }
const numbers = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => Number(id.slice("cs2-match-".length)))
const daysAgo = (days: number) => new Date(SAMPLE_NOW - days * 86_400_000)

export const matchReads = (it: ArchiveIt) => {
  it.effect("lists the schedule soonest first, by page", () =>
    Effect.gen(function* () {
      const matches = yield* MatchArchive
      const both = yield* matches.upcoming(all)
      assert.deepStrictEqual(numbers(both.rows), [upcoming, later])
      assert.strictEqual(both.rows[0]?.event?.name, "Spring Major")
      assert.strictEqual(both.rows[0]?.startsAt, "2026-11-24T12:00:00.000Z")
      assert.isNull(both.rows[1]?.event)
      const second = yield* matches.upcoming({ limit: 1, offset: 1 })
      assert.deepStrictEqual([numbers(second.rows), second.total], [[later], 2])
    }),
  )

  it.effect("continues a list after the last row of the previous page, and marks the last page", () =>
    Effect.gen(function* () {
      const matches = yield* MatchArchive
      const whole = yield* matches.list(all)
      const seen: Array<number> = []
      let cursor: string | null | undefined
      while (cursor !== null) {
        const page = yield* matches.list({ limit: 2, offset: 0, cursor })
        assert.deepStrictEqual([page.before, page.total], [seen.length, whole.total])
        seen.push(...numbers(page.rows))
        cursor = page.next
      }
      assert.deepStrictEqual(seen, numbers(whole.rows))
      const { next } = yield* matches.list({ limit: 1, offset: 0 })
      const foreign = yield* Effect.flip(matches.upcoming({ ...all, cursor: next ?? "" }))
      assert.strictEqual(foreign._tag, "ForeignCursor")
      assert.strictEqual((yield* Effect.flip(matches.list({ ...all, cursor: "garbage" })))._tag, "ForeignCursor")
    }),
  )

  it.effect("lists results latest first, with the score of every map", () =>
    Effect.gen(function* () {
      const matches = yield* MatchArchive
      const { rows, total } = yield* matches.list({ ...all, status: "completed" })
      assert.deepStrictEqual([numbers(rows), total], [[forfeit, winnerOnly, deep, old], 4])
      const [gone, only, final] = rows
      assert.deepStrictEqual(gone?.maps, [])
      assert.deepStrictEqual([only?.team1Score, only?.winnerTeamId as string | undefined, only?.bestOf], [null, "cs2-team-3", null])
      assert.deepStrictEqual(
        final?.maps.map(({ map, team1Score, team2Score, winnerTeamId, ...more }) => [
          map,
          team1Score,
          team2Score,
          winnerTeamId as string | null,
          more.playerStatsAvailable,
          more.roundsAvailable,
          more.eventsAvailable,
        ]),
        [
          ["de_mirage", 13, 7, "cs2-team-1", true, true, true],
          ["de_inferno", 10, 13, "cs2-team-2", true, false, false],
          ["de_train", 13, 11, "cs2-team-1", false, false, false],
        ],
      )
    }),
  )

  it.effect("every filter keeps only matching rows", () =>
    Effect.gen(function* () {
      const matches = yield* MatchArchive
      const filtered = (filter: Partial<Parameters<(typeof matches)["list"]>[0]>) =>
        Effect.map(matches.list({ ...all, ...filter }), ({ rows, total }) => {
          assert.strictEqual(rows.length, total)
          return numbers(rows)
        })
      assert.deepStrictEqual(yield* filtered({}), [later, upcoming, forfeit, winnerOnly, deep, old])
      assert.deepStrictEqual(yield* filtered({ team: "alpha-wolves" }), [upcoming, forfeit, winnerOnly, deep])
      assert.deepStrictEqual(yield* filtered({ team: "cs2-team-2" }), [later, deep, old])
      assert.deepStrictEqual(yield* filtered({ team: "nobody" }), [])
      assert.deepStrictEqual(yield* filtered({ team: "cs2-team-2", status: "upcoming" }), [later])
      assert.deepStrictEqual(yield* filtered({ event: "cs2-event-12" }), [forfeit, winnerOnly])
      assert.deepStrictEqual(yield* filtered({ event: "winter-cup-2026" }), [deep])
      assert.deepStrictEqual(yield* filtered({ tier: "S", status: "completed" }), [deep])
      assert.deepStrictEqual(yield* filtered({ bestOf: 1 }), [later, forfeit])
      assert.deepStrictEqual(yield* filtered({ from: daysAgo(10), to: daysAgo(3) }), [forfeit, winnerOnly])
      assert.deepStrictEqual(yield* filtered({ from: daysAgo(9.9), to: daysAgo(3.1) }), [])
    }),
  )

  it.effect("returns a match with its lineups, its veto and the head-to-head before it", () =>
    Effect.gen(function* () {
      const matches = yield* MatchArchive
      const final = Option.getOrThrow(yield* matches.find(deep))
      assert.deepStrictEqual(
        final.lineups.team1.map(({ nickname, role }) => [nickname, role]),
        [...["p101", "p102", "p103", "p104", "p105"].map((name) => [name, "player"]), ["Coach.", "coach"]],
      )
      assert.strictEqual(final.lineups.team2.length, 5)
      assert.deepStrictEqual(
        final.vetoOrder?.map(({ action, mapName, teamId }) => [action, teamId as string | null, mapName]),
        [
          ["ban", "cs2-team-1", "de_nuke"],
          ["pick", "cs2-team-1", "de_mirage"],
          ["pick", "cs2-team-2", "de_inferno"],
          ["decider", null, "de_train"],
        ],
      )
      assert.deepStrictEqual([final.teams.team1.slug, final.teams.team2.slug, final.isLan], ["alpha-wolves", "team-bravo", true])
      assert.deepStrictEqual([final.headToHead.matches, final.headToHead.recent], [0, []])
      assert.deepStrictEqual([final.unavailableSubresources, final.demoLinks[0]?.url], [[], "https://demos.example/1001.dem"])
      const next = Option.getOrThrow(yield* matches.find(upcoming))
      assert.deepStrictEqual([next.headToHead.matches, next.headToHead.team1Wins, next.headToHead.team2Wins], [1, 0, 1])
      assert.strictEqual(next.headToHead.recent[0]?.matchId as string | undefined, `cs2-match-${winnerOnly}`)
      assert.deepStrictEqual(next.availableSubresources, [])
      const shortSighted = Option.getOrThrow(yield* matches.find(upcoming, daysAgo(9)))
      assert.strictEqual(shortSighted.headToHead.matches, 0)
      assert.isTrue(Option.isNone(yield* matches.find(9_999)))
    }),
  )

  it.effect("returns the same head-to-head from both sides", () =>
    Effect.gen(function* () {
      const matches = yield* MatchArchive
      const one = Option.getOrThrow(yield* matches.headToHead({ team1: "alpha-wolves", team2: "cs2-team-2" }))
      assert.deepStrictEqual(
        [one.matches, one.team1Wins, one.team2Wins, one.mapsPlayed, one.team1MapWins, one.team2MapWins],
        [1, 1, 0, 3, 2, 1],
      )
      assert.deepStrictEqual(one.maps[0], { mapName: "de_inferno", played: 1, team1Wins: 0, team2Wins: 1 })
      const other = Option.getOrThrow(yield* matches.headToHead({ team1: "cs2-team-2", team2: "cs2-team-1" }))
      assert.deepStrictEqual([other.team1Wins, other.team2Wins, other.team1MapWins, other.team2MapWins], [0, 1, 1, 2])
      assert.deepStrictEqual([other.recent[0]?.team1Score, other.recent[0]?.team2Score], [1, 2])
      const none = Option.getOrThrow(yield* matches.headToHead({ team1: "cs2-team-1", team2: "cs2-team-2", from: daysAgo(39) }))
      assert.deepStrictEqual([none.matches, none.mapsPlayed, none.maps, none.recent], [0, 0, [], []])
      assert.isTrue(Option.isNone(yield* matches.headToHead({ team1: "cs2-team-1", team2: "nobody" })))
    }),
  )

  it.effect("lists the demos of a match", () =>
    Effect.gen(function* () {
      const matches = yield* MatchArchive
      assert.deepStrictEqual(
        (yield* matches.demosOf(deep)).map(({ url }) => url),
        ["https://demos.example/1001.dem"],
      )
      assert.deepStrictEqual(yield* matches.demosOf(forfeit), [])
      assert.deepStrictEqual(Option.getOrThrow(yield* matches.startOf(deep)), daysAgo(40))
    }),
  )
}
