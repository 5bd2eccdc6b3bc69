/// <reference lib="dom" />
/** Tests the Apex pages of the archive in a real browser on a real standalone server with the simulated season. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { inject } from "vitest"
import { Standalone } from "../fixtures/Standalone.ts"
import { openPath, readApi, textsOf } from "./fixtures/archivePages.ts"
import { appears, Browser, becomes, textOf } from "./fixtures/Browser.ts"

const chromium = inject("chromium")

/** A server without simulated matches has no simulated season. */
const Services = Layer.merge(Browser.layer(chromium ?? ""), Standalone.layer({ matches: 1, speed: 1 }))

const newestSeries = Effect.map(readApi("/apex/algs/events?status=completed&limit=1"), ({ data }) => data[0])

describe.skipIf(chromium === null)("the Apex archive in Chromium (needs CHROMIUM_PATH or /usr/bin/chromium)", () => {
  it.layer(Services, { excludeTestServices: true, timeout: "180 seconds" })("with the simulated season", (it) => {
    it.effect("leads from the search to the filtered list of series and to the standings after each game by keyboard", () =>
      Effect.gen(function* () {
        const series = yield* newestSeries
        const { data: scores } = yield* readApi(`/apex/algs/events/${series.seriesId}/scores`)
        const { page, problems } = yield* openPath("/search")
        const links = page.getByRole("navigation", { name: "Apex" })
        yield* Effect.promise(() => links.getByRole("link", { name: "Series and scores" }).press("Enter"))
        yield* appears(page.getByRole("table", { name: "Series, newest first" }))
        yield* appears(page.locator(".about .simulated"))
        yield* Effect.promise(() => page.getByRole("combobox", { name: "Tournament" }).selectOption({ value: series.tournament.id }))
        yield* Effect.promise(() => page.getByRole("button", { name: "Show" }).press("Enter"))
        yield* becomes(
          "the list has the chosen tournament only",
          () => page.evaluate(() => location.search),
          (search) => search.includes("tournament="),
        )
        yield* Effect.promise(() => page.getByRole("link", { name: series.name, exact: true }).first().press("Enter"))

        const final = page.getByRole("table", { name: "Final standings" }).locator("tbody tr")
        yield* appears(final)
        assert.strictEqual(yield* Effect.promise(() => final.count()), scores.standings.length)
        const games = page.getByRole("group", { name: "Standings after" }).getByRole("button")
        yield* Effect.promise(() => games.first().press("Enter"))
        const afterFirst = page.getByRole("table", { name: "Standings after game 1" }).locator("tbody tr")
        yield* appears(afterFirst)
        const leader = scores.standings.find(
          ({ games: [first] }: { games: ReadonlyArray<{ rankAfter: number }> }) => first?.rankAfter === 1,
        )
        assert.include(yield* Effect.promise(() => textOf(afterFirst.first())), leader.teamName)
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("shows the placements as a heat table, with legends and players that lead to their pages", () =>
      Effect.gen(function* () {
        const series = yield* newestSeries
        const { data: scores } = yield* readApi(`/apex/algs/events/${series.seriesId}/scores`)
        const { page, problems } = yield* openPath(`/apex/events/${series.seriesId}`)
        yield* appears(page.locator(".heat"))
        const heads = yield* textsOf(page, ".heat thead th")
        assert.lengthOf(heads, 1 + series.gamesPlayed)
        assert.strictEqual(yield* Effect.promise(() => page.locator(".heat td[data-first]").count()), series.gamesPlayed)
        const players = page.getByRole("table", { name: "Players of the series" }).locator("tbody tr")
        assert.strictEqual(yield* Effect.promise(() => players.count()), scores.playerStats.length)
        yield* appears(page.getByRole("table", { name: "Picks and bans of legends" }))

        const [player] = scores.playerStats
        yield* Effect.promise(() => players.getByRole("link", { name: player.playerName, exact: true }).first().press("Enter"))
        yield* appears(page.getByRole("heading", { level: 1, name: player.playerName }))
        yield* Effect.promise(() => page.getByRole("searchbox").fill(player.playerName))
        yield* appears(page.getByRole("region", { name: "Apex" }).getByRole("link", { name: player.playerName, exact: true }))
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("fits a 360 px wide phone, and says what to do where nothing is found", () =>
      Effect.gen(function* () {
        const series = yield* newestSeries
        const phone = { viewport: { width: 360, height: 740 } }
        for (const path of [
          "/apex/events",
          `/apex/events/${series.seriesId}`,
          `/apex/tournaments/${series.eventId}`,
          "/apex/transactions",
        ]) {
          const { page, problems } = yield* openPath(path, phone)
          yield* appears(page.locator(".entity h1"))
          yield* becomes(
            `${path} has no sideways scrolling`,
            () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
            (overflow) => overflow <= 0,
          )
          assert.deepStrictEqual(problems, [])
        }
        const { page } = yield* openPath("/apex/events/apex-match-999999")
        yield* appears(page.getByRole("heading", { name: "This lobby is not in the archive" }))
        const missing = yield* openPath("/apex/players/nobody-of-this-name")
        yield* appears(missing.page.getByRole("heading", { name: "This player is not here" }))
      }),
    )
  })
})
