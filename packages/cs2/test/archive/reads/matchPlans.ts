/** Checks how matches and maps are read from an archive as large as a real one. */
import { assert } from "@effect/vitest"
import type { ForeignCursor } from "@matchpoint/store/paging/listReader"
import type { StoreError } from "@matchpoint/store/StoreError"
import { largeScans, plansOf } from "@matchpoint/testing/explain"
import { Effect } from "effect"
import { GameArchive } from "../../../src/archive/matches/GameArchive.ts"
import { MatchArchive } from "../../../src/archive/matches/MatchArchive.ts"
import type { ArchiveIt } from "../sampled.ts"
import { largeTables } from "./largeTables.ts"

const page = { limit: 50, offset: 0 }

const game = { matchNumber: 5, mapNumber: 1 }

export const matchPlans = (now: number) => (it: ArchiveIt) => {
  const daysAgo = (days: number) => new Date(now - days * 86_400_000)

  it.effect("matches and maps, with every filter", () =>
    Effect.gen(function* () {
      const matches = yield* MatchArchive
      const games = yield* GameArchive
      const completed = { ...page, status: "completed" as const }
      const cursor = (yield* matches.list({ ...completed, offset: 9_000 })).next ?? ""
      const asked = {
        all: matches.list(page),
        recent: matches.list(completed),
        recentOfFree: matches.list({ ...completed, from: daysAgo(30) }),
        recentOfTeam: matches.list({ ...completed, team: "team-7" }),
        recentOfEvent: matches.list({ ...completed, event: "cs2-event-7" }),
        recentOfTier: matches.list({ ...completed, tier: "S" }),
        bestOf: matches.list({ ...completed, bestOf: 3 }),
        between: matches.list({ ...page, from: daysAgo(20), to: daysAgo(10) }),
        lastPage: matches.list({ ...completed, offset: 19_950 }),
        goingOn: matches.list({ ...completed, cursor }),
        upcoming: matches.upcoming(page),
        upcomingOfTeam: matches.upcoming({ ...page, team: "cs2-team-7" }),
        start: matches.startOf(5),
        one: matches.find(5),
        oneOfFree: matches.find(5, daysAgo(30)),
        demos: matches.demosOf(5),
        headToHead: matches.headToHead({ team1: "team-7", team2: "cs2-team-8" }),
        head: games.head(game),
        game: games.find(game),
        games: games.gamesOf(5),
        maps: games.mapsOf(5),
        lines: games.playerStats(game, page),
        linesOfMatch: games.playerStats({ matchNumber: 5 }, page),
        rounds: games.rounds(game, page),
        events: games.events(game, { type: "Kill" }, page),
      }
      const wrong: Array<string> = []
      for (const [name, effect] of Object.entries(asked)) {
        const plans = yield* plansOf<unknown, StoreError | ForeignCursor, never>(effect)
        for (const scan of largeScans(plans, largeTables)) wrong.push(`${name}: ${scan}`)
      }
      assert.deepStrictEqual(wrong, [])
    }),
  )
}
