/// <reference lib="dom" />
/** Tests the tennis pages of the archive in a real browser on a real standalone server with the simulated tours. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { inject } from "vitest"
import { Standalone } from "../fixtures/Standalone.ts"
import { openPath, readApi, textsOf } from "./fixtures/archivePages.ts"
import { appears, Browser, becomes, textOf } from "./fixtures/Browser.ts"

const chromium = inject("chromium")

/** A server without simulated matches has no simulated tours. */
const Services = Layer.merge(Browser.layer(chromium ?? ""), Standalone.layer({ matches: 1, speed: 1 }))

/** Reads the `data` of an answer of the API. */
const read = (path: string) => Effect.map(readApi(`/tennis${path}`), ({ data }) => data)

interface Named {
  readonly id: string
  readonly name: string
}

/** A finished Grand Slam tournament of the simulated tours, with its champion and finalist. */
const slam = Effect.map(
  read("/tournaments?level=G&tour=ATP"),
  (rows: ReadonlyArray<Named & { champion: Named | null; finalist: Named | null }>) => {
    const row = rows.find(({ champion }) => champion !== null)
    if (row === undefined || row.champion === null || row.finalist === null) throw new Error("no finished Grand Slam tournament")
    return { id: row.id, name: row.name, champion: row.champion, finalist: row.finalist }
  },
)

describe.skipIf(chromium === null)("the tennis archive in Chromium (needs CHROMIUM_PATH or /usr/bin/chromium)", () => {
  it.layer(Services, { excludeTestServices: true, timeout: "180 seconds" })("with the simulated tours", (it) => {
    it.effect("finds players and tournaments by keyboard, grouped by game", () =>
      Effect.gen(function* () {
        const { champion } = yield* slam
        const { page, problems } = yield* openPath("/search")
        yield* becomes(
          "the search box has the focus",
          () => page.evaluate(() => document.activeElement?.id),
          (id) => id === "q",
        )
        yield* Effect.promise(() => page.keyboard.type("open"))
        const tennis = page.getByRole("region", { name: "Tennis" })
        yield* appears(tennis.getByRole("heading", { name: "Tournaments" }))
        yield* appears(page.getByRole("region", { name: "CS2" }).getByRole("heading", { name: "Events" }))

        yield* Effect.promise(() => page.getByRole("searchbox").fill(champion.name))
        yield* appears(tennis.getByRole("link", { name: champion.name, exact: true }))
        const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "")
        // The arrow keys move from the box to the first result, and further.
        yield* Effect.promise(() => page.keyboard.press("ArrowDown"))
        const first = yield* Effect.promise(() => textOf(page.locator(".found li > a").first()))
        assert.strictEqual(yield* Effect.promise(focused), first)
        for (let steps = 0; steps < 40 && (yield* Effect.promise(focused)) !== champion.name; steps++) {
          yield* Effect.promise(() => page.keyboard.press("ArrowDown"))
        }
        yield* Effect.promise(() => page.keyboard.press("Enter"))
        yield* appears(page.getByRole("heading", { level: 1, name: champion.name }))
        assert.strictEqual(new URL(page.url()).pathname, `/tennis/players/${champion.id}`)
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("shows the career, surfaces, ranking and matches of a player", () =>
      Effect.gen(function* () {
        const { champion } = yield* slam
        const stats = yield* read(`/players/${champion.id}/stats`)
        const { page, problems } = yield* openPath(`/tennis/players/${champion.id}`)
        yield* appears(page.getByRole("heading", { level: 1, name: champion.name }))
        const facts = yield* textsOf(page, ".facts dd")
        assert.deepStrictEqual(facts.slice(0, 3), [stats.matches, stats.wins, stats.losses].map(String))
        const surfaces = page.getByRole("table", { name: "Record by surface" }).locator("tbody tr")
        assert.strictEqual(yield* Effect.promise(() => surfaces.count()), stats.by_surface.length)
        const curve = page.locator(".ranking-curve")
        assert.match((yield* Effect.promise(() => curve.getAttribute("aria-label"))) ?? "", /Career high: number \d+ on \d{4}-\d\d-\d\d\./)
        const line = yield* Effect.promise(() => curve.locator(".line").getAttribute("d"))
        assert.isAbove((line ?? "").split("L").length, 50, "the curve has a point for each weekly list")
        const matches = page.getByRole("table", { name: "Recent matches" }).locator("tbody tr")
        assert.strictEqual(yield* Effect.promise(() => matches.count()), 20)
        yield* Effect.promise(() => matches.first().locator("a").nth(1).press("Enter"))
        yield* appears(page.getByRole("heading", { level: 2, name: "Sets" }))
        assert.match(new URL(page.url()).pathname, /^\/tennis\/matches\/atp-tour-/)
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("shows a draw as a bracket that leads to the champion, with links to players and matches", () =>
      Effect.gen(function* () {
        const { champion, finalist, id, name } = yield* slam
        const { page, problems } = yield* openPath(`/tennis/tournaments/${id}`)
        yield* appears(page.getByRole("heading", { level: 1, name: new RegExp(`^${name.replace(/[()]/g, ".")}`) }))
        assert.include(yield* Effect.promise(() => textOf(page.locator(".champion"))), champion.name)
        const rounds = page.getByRole("region", { name: "Main draw" }).locator(".draw-round")
        const counts = yield* Effect.promise(() => rounds.evaluateAll((all) => all.map((round) => round.querySelectorAll("li").length)))
        assert.deepStrictEqual(
          counts,
          counts.map((_, index) => 2 ** (counts.length - 1 - index)),
        )
        const final = rounds.last().locator(".draw-side")
        assert.includeMembers(
          (yield* Effect.promise(() => final.locator("a").allTextContents())).map((text) => text.trim()),
          [champion.name, finalist.name],
        )
        assert.include(yield* Effect.promise(() => textOf(rounds.last().locator("[data-winner]"))), champion.name)
        assert.isAbove(yield* Effect.promise(() => page.locator(".draw-entry", { hasText: "(1)" }).count()), 0, "seeds are shown")

        const isBetween = yield* Effect.promise(() =>
          rounds.evaluateAll((all) => {
            const middles = all.map((round) =>
              [...round.querySelectorAll(".draw-place")].map((place) => {
                const { top, height } = place.getBoundingClientRect()
                return top + height / 2
              }),
            )
            return middles.slice(1).every((later, index) =>
              later.every((middle, place) => {
                const [upper = 0, lower = 0] = [middles[index]?.[2 * place], middles[index]?.[2 * place + 1]]
                return Math.abs(middle - (upper + lower) / 2) < 2
              }),
            )
          }),
        )
        assert.isTrue(isBetween, "every place is in the middle between the places that feed it")

        yield* appears(page.getByRole("table", { name: "Years of the competition" }).getByRole("link", { name: champion.name }))
        yield* Effect.promise(() => rounds.last().locator(".draw-score a").press("Enter"))
        yield* appears(page.getByRole("table", { name: "Statistics of both players" }))
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("compares a player with another one that is chosen by keyboard", () =>
      Effect.gen(function* () {
        const { champion, finalist } = yield* slam
        const record = yield* read(`/h2h?player1_id=${champion.id}&player2_id=${finalist.id}`)
        const { page, problems } = yield* openPath(`/tennis/players/${champion.id}`)
        yield* Effect.promise(() => page.getByRole("link", { name: "Compare with another player" }).press("Enter"))
        const second = page.getByRole("combobox", { name: "Second player" })
        yield* appears(second)
        assert.strictEqual(yield* Effect.promise(() => page.getByRole("combobox", { name: "First player" }).inputValue()), champion.name)
        yield* becomes(
          "the missing player's field has the focus",
          () => page.evaluate(() => document.activeElement?.id),
          (id) => id === "player2",
        )
        yield* Effect.promise(() => page.keyboard.type(finalist.name))
        yield* appears(page.getByRole("option", { name: finalist.name }))
        yield* Effect.promise(() => page.keyboard.press("ArrowDown"))
        assert.strictEqual(yield* Effect.promise(() => second.getAttribute("aria-activedescendant")), "player2-0")
        yield* Effect.promise(() => page.keyboard.press("Enter"))
        yield* appears(page.locator(".totals"))
        assert.deepStrictEqual(yield* textsOf(page, ".compared .big-score"), [String(record.player1_wins), String(record.player2_wins)])
        const meetings = page.getByRole("table", { name: "Meetings, newest first" }).locator("tbody tr")
        assert.strictEqual(yield* Effect.promise(() => meetings.count()), record.meetings.length)
        assert.isAbove(record.meetings.length, 0)
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("states why a search for a player failed, and searches again", () =>
      Effect.gen(function* () {
        const { champion, finalist } = yield* slam
        const { page } = yield* openPath(`/tennis/h2h?player1=${champion.id}`)
        const second = page.getByRole("combobox", { name: "Second player" })
        yield* appears(second)
        const searches = "**/tennis/players/search*"
        yield* Effect.promise(() => page.route(searches, (route) => route.abort()))
        yield* Effect.promise(() => second.pressSequentially(finalist.name.slice(0, 3)))
        const status = page.locator(".picker [role=status]", { hasText: "The search failed" })
        yield* appears(status)
        yield* Effect.promise(() => page.unroute(searches))
        yield* Effect.promise(() => second.pressSequentially(finalist.name.slice(3)))
        yield* appears(page.getByRole("option", { name: finalist.name }))
        assert.strictEqual(yield* Effect.promise(() => status.count()), 0)
      }),
    )

    it.effect("fits a 360 px wide phone, where the bracket scrolls sideways within its panel", () =>
      Effect.gen(function* () {
        const { champion, finalist, id } = yield* slam
        const phone = { viewport: { width: 360, height: 740 } }
        for (const [path, shown] of [
          [`/tennis/players/${champion.id}`, ".ranking-curve"],
          [`/tennis/tournaments/${id}`, ".draw"],
          [`/tennis/h2h?player1=${champion.id}&player2=${finalist.id}`, ".totals"],
          ["/search?q=open", ".found-groups"],
        ] as const) {
          const { page, problems } = yield* openPath(path, phone)
          yield* appears(page.locator(shown))
          const overflow = yield* Effect.promise(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
          assert.isAtMost(overflow, 0, path)
          assert.deepStrictEqual(problems, [])
          if (shown !== ".draw") continue
          yield* Effect.promise(() => page.locator(shown).focus())
          yield* Effect.promise(() => page.keyboard.press("ArrowRight"))
          yield* becomes(
            "the arrow key scrolls the bracket",
            () => page.locator(shown).evaluate(({ scrollLeft }) => scrollLeft),
            (left) => left > 0,
          )
        }
      }),
    )

    it.effect("shows a message for unknown players, and where live matches can be followed", () =>
      Effect.gen(function* () {
        const missing = yield* openPath("/tennis/players/atp_1")
        yield* appears(missing.page.getByRole("heading", { name: "This is not here" }))
        const { page } = yield* openPath("/tennis/matches/tennis-match-999999")
        yield* appears(page.getByRole("heading", { name: "This match is not in the archive" }))
        const href = yield* Effect.promise(() => page.getByRole("link", { name: "Follow it live" }).getAttribute("href"))
        assert.strictEqual(href, "/#/match/tennis-match-999999")
      }),
    )
  })
})
