/// <reference lib="dom" />
/** Tests the live page of tennis in a real browser on a real standalone server with simulated matches. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { inject } from "vitest"
import { DEV_KEY, Standalone } from "../fixtures/Standalone.ts"
import { appears, Browser, becomes, textOf } from "./fixtures/Browser.ts"

const chromium = inject("chromium")

/** Simulation speed: fast enough that games end during a test, slow enough that no match does. */
const LIVELY = 20

/** Time limit of a test that starts the server again, in milliseconds. */
const RESTART_MS = 90_000

const Services = Layer.merge(Browser.layer(chromium ?? ""), Standalone.layer({ matches: 2, speed: LIVELY }))

interface LiveRow {
  readonly matchId: string
  readonly status: string
  readonly match: { readonly sets: ReadonlyArray<object> }
}

/** Opens a tab on the tennis match that has been played least, so that it outlasts the test. */
const openMatch = (options: Parameters<Browser["Service"]["open"]>[1] = {}) =>
  Effect.gen(function* () {
    const { url } = yield* Standalone
    const rows = yield* Effect.promise(async (): Promise<ReadonlyArray<LiveRow>> => {
      const response = await fetch(`${url}/api/v1/live?game=tennis`, { headers: { "x-api-key": DEV_KEY } })
      return (await response.json()).data
    })
    const youngest = rows.filter(({ status }) => status === "live").sort((a, b) => a.match.sets.length - b.match.sets.length)[0]
    if (youngest === undefined) return yield* Effect.die(new Error("no tennis match is live"))
    const tab = yield* (yield* Browser).open(`${url}/#/match/${youngest.matchId}`, options)
    yield* appears(tab.page.locator(".score-panel tbody tr"))
    yield* appears(tab.page.locator(".happening"))
    return { ...tab, matchId: youngest.matchId }
  })

const overflowOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

const curveOf = (page: Page) => page.locator(".curve .line").getAttribute("d")

describe.skipIf(chromium === null)("live tennis in Chromium (needs CHROMIUM_PATH or /usr/bin/chromium)", () => {
  it.layer(Services, { excludeTestServices: true, timeout: "180 seconds" })("with two matches of each game", (it) => {
    it.effect("lists the matches of both games, and of one after a choice by keyboard", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        const { page, problems } = yield* (yield* Browser).open(url)
        yield* appears(page.getByRole("region", { name: "CS2" }).locator(".card"))
        const tennis = page.getByRole("region", { name: "Tennis" })
        yield* appears(tennis.locator(".card"))
        yield* becomes(
          "every card shows the points of both sides",
          () => tennis.locator('.card[data-status="live"] .rounds').allInnerTexts(),
          (points) => points.length >= 4 && points.every((text) => /^(0|15|30|40|AD|\d+)$/.test(text)),
        )
        yield* Effect.promise(() => page.getByRole("link", { name: "Tennis", exact: true }).press("Enter"))
        yield* becomes(
          "only tennis is shown",
          () => page.locator(".game-list").count(),
          (count) => count === 1,
        )
        assert.strictEqual(new URL(page.url()).hash, "#/tennis")
        assert.strictEqual(yield* Effect.promise(() => textOf(page.locator(".filters [aria-current]"))), "Tennis")
        yield* Effect.promise(() => tennis.locator(".card").first().press("Enter"))
        yield* appears(page.locator(".score-panel tbody tr"))
        assert.strictEqual(yield* Effect.promise(() => page.locator(".score-panel tbody tr").count()), 2)
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("shows the points from the beginning, and adds each point that is played", () =>
      Effect.gen(function* () {
        const { page, problems } = yield* openMatch()
        yield* becomes(
          "the points before the page was opened are shown",
          () => page.locator(".happening").allInnerTexts(),
          (lines) => lines.length > 5,
        )
        const before = yield* Effect.promise(() => curveOf(page))
        yield* Effect.promise(() =>
          page.evaluate(() => {
            for (const line of document.querySelectorAll(".happening")) line.setAttribute("data-seen", "")
          }),
        )
        yield* appears(page.locator(".happening:not([data-seen])"))
        assert.isAbove(yield* Effect.promise(() => page.locator(".happening[data-seen]").count()), 0, "older lines stay: no reload")
        yield* becomes(
          "the momentum curve grows",
          () => curveOf(page),
          (path) => (path?.length ?? 0) > (before?.length ?? 0),
        )
        assert.match((yield* Effect.promise(() => page.locator(".curve").getAttribute("aria-label"))) ?? "", /^Curve of \d+ points\. Now: /)
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("marks the server, and changes points and games in place", () =>
      Effect.gen(function* () {
        const { page, problems } = yield* openMatch()
        assert.strictEqual(yield* Effect.promise(() => page.locator(".score-panel .serve[data-serves]").count()), 1)
        const scores = () => page.locator(".score-panel td").allInnerTexts()
        const first = yield* Effect.promise(scores)
        yield* becomes("the score changes", scores, (texts) => texts.join() !== first.join())
        const games = () => page.locator(".score-panel td.set[data-current]").allInnerTexts()
        const gamesBefore = yield* Effect.promise(games)
        yield* becomes("a game ends", games, (texts) => texts.join() !== gamesBefore.join())
        yield* becomes(
          "the end of the game is announced",
          () => textOf(page.locator("#announcer")),
          (words) => /^(Game|Set|The match)/.test(words),
        )
        const heights = yield* Effect.promise(() =>
          page.locator(".score-panel tbody tr").evaluateAll((rows) => rows.map((row) => row.clientHeight)),
        )
        assert.strictEqual(heights[0], heights[1], "a stake does not shift the layout")
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("links players to their pages, and fits a 360 px wide phone in both colour schemes", () =>
      Effect.gen(function* () {
        for (const colorScheme of ["dark", "light"] as const) {
          const { page, problems } = yield* openMatch({ viewport: { width: 360, height: 740 }, colorScheme })
          assert.isAtMost(yield* Effect.promise(() => overflowOf(page)), 0)
          const href = yield* Effect.promise(() => page.locator(".names a").first().getAttribute("href"))
          assert.match(href ?? "", /^\/tennis\/players\/(atp|wta)_\d+$/)
          assert.deepStrictEqual(problems, [])
        }
      }),
    )

    it.effect("shows that a tennis match does not exist", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        const { page } = yield* (yield* Browser).open(`${url}/#/match/tennis-match-999999`)
        yield* appears(page.getByRole("heading", { name: "This match is not here" }))
      }),
    )

    it.effect(
      "continues after the server was killed, with every point",
      () =>
        Effect.gen(function* () {
          const server = yield* Standalone
          const { page } = yield* openMatch()
          const count = async () => Number(/\d+/.exec((await page.locator(".curve").getAttribute("aria-label")) ?? "")?.[0])
          yield* server.kill
          yield* appears(page.locator('.wire[data-state="waiting"]'))
          const before = yield* Effect.promise(count)
          assert.isAbove(before, 0, "the last known state stays visible")
          yield* server.start
          yield* appears(page.locator('.wire[data-state="open"]'))
          yield* becomes("points are added", count, (points) => points > before)
          const won = yield* Effect.promise(() => page.locator(".statistics-panel tbody tr").first().locator("td").allInnerTexts())
          const points = won.map(Number).reduce((sum, side) => sum + side, 0)
          yield* becomes("no point is missing", count, (shown) => shown >= points)
        }),
      RESTART_MS,
    )
  })
})
