/// <reference lib="dom" />
/** Tests the Call of Duty pages of the archive in a real browser on a real standalone server with the simulated league. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { inject } from "vitest"
import { Standalone } from "../fixtures/Standalone.ts"
import { openPath, readApi, textsOf } from "./fixtures/archivePages.ts"
import { appears, Browser, becomes, textOf } from "./fixtures/Browser.ts"

const chromium = inject("chromium")

/** A server without simulated matches has no simulated league. */
const Services = Layer.merge(Browser.layer(chromium ?? ""), Standalone.layer({ matches: 1, speed: 1 }))

const newestMatch = Effect.map(readApi("/cod/matches?limit=1"), ({ data }) => data[0])

describe.skipIf(chromium === null)("the Call of Duty archive in Chromium (needs CHROMIUM_PATH or /usr/bin/chromium)", () => {
  it.layer(Services, { excludeTestServices: true, timeout: "180 seconds" })("with the simulated league", (it) => {
    it.effect("leads from the search to the standings, a team and a match by keyboard", () =>
      Effect.gen(function* () {
        const standings = yield* readApi("/cod/cdl/standings")
        const { page, problems } = yield* openPath("/search")
        yield* Effect.promise(() =>
          page.getByRole("navigation", { name: "Call of Duty" }).getByRole("link", { name: "Standings" }).press("Enter"),
        )
        yield* appears(page.getByRole("heading", { level: 1, name: "Call of Duty League" }))
        const rows = page.getByRole("table", { name: "Standings" }).locator("tbody tr")
        assert.strictEqual(yield* Effect.promise(() => rows.count()), 12)
        yield* appears(page.locator(".about .simulated"))

        const [first] = standings.data
        yield* Effect.promise(() => rows.first().getByRole("link", { name: first.teamName }).press("Enter"))
        yield* appears(page.getByRole("heading", { level: 1, name: first.teamName }))
        assert.deepStrictEqual(
          (yield* textsOf(page, ".facts dd")).slice(1, 3),
          [first.matchRecord.wins, first.matchRecord.losses].map(String),
        )
        assert.lengthOf(yield* textsOf(page, ".scales dt"), 5)

        const results = page.getByRole("table", { name: "Results, newest first" }).locator("tbody tr")
        yield* Effect.promise(() => results.first().locator("a").nth(1).press("Enter"))
        yield* appears(page.getByRole("table", { name: "Maps with scores" }))
        assert.match(new URL(page.url()).pathname, /^\/cod\/matches\/\d+$/)
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("shows the players of a match and of each of its maps", () =>
      Effect.gen(function* () {
        const match = yield* newestMatch
        // The match itself also lists the maps that were not played any more.
        const { data: maps } = yield* readApi(`/cod/matches/${match.id}/maps`)
        const { page, problems } = yield* openPath(`/cod/matches/${match.id}`)
        const players = page.getByRole("table", { name: `Players of ${match.team1.name}` }).locator("tbody tr")
        yield* appears(players)
        assert.strictEqual(yield* Effect.promise(() => players.count()), 4)
        const buttons = page.getByRole("group", { name: "Statistics of" }).getByRole("button")
        assert.strictEqual(yield* Effect.promise(() => buttons.count()), maps.length + 1)
        yield* Effect.promise(() => buttons.nth(1).press("Enter"))
        const ofMap = page.getByRole("table", { name: `Players on ${maps[0].mapName}` }).locator("tbody tr")
        yield* appears(ofMap)
        assert.strictEqual(yield* Effect.promise(() => ofMap.count()), 8)
        assert.strictEqual(yield* Effect.promise(() => buttons.nth(1).getAttribute("aria-pressed")), "true")

        yield* Effect.promise(() => ofMap.first().locator("a").press("Enter"))
        yield* appears(page.locator(".trend-curve"))
        assert.match(
          (yield* Effect.promise(() => page.locator(".trend-curve").getAttribute("aria-label"))) ?? "",
          /^Curve of kd over \d+ points\./,
        )
        yield* appears(page.getByRole("table", { name: "Clutches by situation" }))
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("selects leaderboards, and finds players and teams in the search of all games", () =>
      Effect.gen(function* () {
        const { data: board } = yield* readApi("/cod/leaderboards/hardpoint?stat=hillTime&limit=1")
        const { page, problems } = yield* openPath("/cod/leaders")
        yield* Effect.promise(() => page.getByRole("combobox", { name: "Leaderboard" }).selectOption({ label: "Hardpoint: hill time" }))
        yield* Effect.promise(() => page.getByRole("button", { name: "Show" }).press("Enter"))
        const first = page.getByRole("table", { name: "Hardpoint: hill time" }).locator("tbody tr").first()
        yield* appears(first)
        assert.include(yield* Effect.promise(() => textOf(first)), board[0].player.ign)

        yield* Effect.promise(() => page.getByRole("searchbox").fill(board[0].player.ign))
        const found = page.getByRole("region", { name: "Call of Duty" })
        yield* appears(found.getByRole("link", { name: board[0].player.ign, exact: true }))
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("fits a 360 px wide phone, and says what to do where nothing is found", () =>
      Effect.gen(function* () {
        const match = yield* newestMatch
        const phone = { viewport: { width: 360, height: 740 } }
        const comparison = `/cod/team-comparison?team1=${match.team1.slug}&team2=${match.team2.slug}`
        for (const path of ["/cod/standings", `/cod/matches/${match.id}`, `/cod/teams/${match.team1.slug}`, comparison]) {
          const { page, problems } = yield* openPath(path, phone)
          yield* appears(page.locator(".entity h1"))
          yield* becomes(
            `${path} has no sideways scrolling`,
            () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
            (overflow) => overflow <= 0,
          )
          assert.deepStrictEqual(problems, [])
        }
        const { page } = yield* openPath("/cod/matches/cod-match-999999")
        yield* appears(page.getByRole("heading", { name: "This match is not in the archive" }))
        const link = page.getByRole("link", { name: "Follow it live" })
        assert.strictEqual(yield* Effect.promise(() => link.getAttribute("href")), "/#/match/cod-match-999999")
      }),
    )
  })
})
