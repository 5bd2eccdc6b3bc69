/// <reference lib="dom" />
/** Tests the live page in a real browser on a real standalone server with simulated matches. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { inject } from "vitest"
import { DEV_KEY, Standalone } from "../fixtures/Standalone.ts"
import { appears, Browser, becomes, textOf } from "./fixtures/Browser.ts"

const chromium = inject("chromium")

/** Simulation speed: fast enough that rounds end during a test, slow enough that no map does. */
const LIVELY = 25

/** Time limit of a test that starts the server again, in milliseconds. */
const RESTART_MS = 90_000

const browserLayer = Browser.layer(chromium ?? "")
const withServer = (options: Parameters<typeof Standalone.layer>[0]) => Layer.merge(browserLayer, Standalone.layer(options))

/** Opens a tab on the match that has been played least, so that it outlasts the test. */
const openMatch = Effect.gen(function* () {
  const { live, url } = yield* Standalone
  const matches = yield* live
  const youngest = [...matches].sort((a, b) => a.currentGame - b.currentGame || a.currentRound - b.currentRound)[0]
  if (youngest === undefined) return yield* Effect.die(new Error("no match is live"))
  const tab = yield* (yield* Browser).open(`${url}/#/match/${youngest.matchId}`)
  yield* appears(tab.page.locator(".team-panel tbody tr"))
  return { ...tab, match: youngest }
})

/** Returns the cursor `epoch:seq` shown in the masthead. */
const cursorOf = async (page: Page): Promise<readonly [epoch: number, seq: number]> => {
  const [epoch = 0, seq = 0] = (await textOf(page.locator(".wire-cursor"))).split(":").map(Number)
  return [epoch, seq]
}

/** Address of the list with the matches of CS2 only. */
const listOf = (url: string) => `${url}/#/cs2`

const overflowOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

describe.skipIf(chromium === null)("the live page in Chromium (needs CHROMIUM_PATH or /usr/bin/chromium)", () => {
  it.layer(withServer({ matches: 4, speed: LIVELY }), { excludeTestServices: true, timeout: "180 seconds" })("with four matches", (it) => {
    it.effect("lists every live match with both teams and the score", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        const { page, problems } = yield* (yield* Browser).open(listOf(url))
        const cards = page.locator(".card")
        yield* becomes(
          "the list shows four matches",
          () => cards.count(),
          (count) => count === 4,
        )
        assert.strictEqual(yield* Effect.promise(() => textOf(page.locator(".lead"))), "4 in play")
        const rounds = yield* Effect.promise(() => page.locator(".card .rounds").allInnerTexts())
        assert.lengthOf(rounds, 8)
        for (const score of rounds) assert.match(score, /^\d+$/)
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("opens a match from the list and returns to the list", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        const { page, problems } = yield* (yield* Browser).open(listOf(url))
        yield* appears(page.locator(".card"))
        yield* Effect.promise(() => page.locator(".card").first().click())
        yield* becomes(
          "both scoreboards are complete",
          () => page.locator(".team-panel tbody tr").count(),
          (count) => count === 10,
        )
        const heads = yield* Effect.promise(() => page.locator(".team-panel").first().locator("thead th").allTextContents())
        assert.deepStrictEqual(heads, ["Player", "HP", "Money", "K", "A", "D", "ADR", "KAST", "Rtg"])
        assert.match(yield* Effect.promise(() => textOf(page.locator(".wire-age"))), / old$/)
        yield* Effect.promise(() => page.goBack())
        yield* appears(page.locator(".card"))
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("shows a kill when it happens, without a reload", () =>
      Effect.gen(function* () {
        const { page, problems } = yield* openMatch
        yield* appears(page.locator(".happening"))
        yield* Effect.promise(() =>
          page.evaluate(() => {
            for (const line of document.querySelectorAll(".happening")) line.setAttribute("data-seen", "")
          }),
        )
        const fresh = page.locator('.happening[data-type="Kill"]:not([data-seen])')
        yield* appears(fresh)
        assert.isNotEmpty(yield* Effect.promise(() => textOf(fresh.last().locator(".weapon"))))
        assert.isAbove(yield* Effect.promise(() => page.locator(".happening[data-seen]").count()), 0, "older lines stay: no reload")
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("adds a round to the strip when it ends and announces it", () =>
      Effect.gen(function* () {
        const { page, problems } = yield* openMatch
        const played = page.locator(".cell[data-side]")
        const before = yield* Effect.promise(() => played.count())
        yield* becomes(
          "a round is added",
          () => played.count(),
          (count) => count > before,
        )
        const score = yield* Effect.promise(() => page.locator(".map[data-status=live] .map-score b").allInnerTexts())
        assert.strictEqual(
          score.map(Number).reduce((sum, rounds) => sum + rounds),
          yield* Effect.promise(() => played.count()),
        )
        const announcedText = () => textOf(page.locator("#announcer"))
        yield* becomes("the screen reader region announces rounds and bombs", announcedText, (words) => words !== "")
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("fits a 360 px wide phone without horizontal scrolling", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        const { page, problems } = yield* (yield* Browser).open(listOf(url), { viewport: { width: 360, height: 740 } })
        yield* appears(page.locator(".card"))
        assert.isAtMost(yield* Effect.promise(() => overflowOf(page)), 0)
        for (const card of yield* Effect.promise(() => page.locator(".card").all())) {
          const href = yield* Effect.promise(() => card.getAttribute("href"))
          yield* Effect.promise(() => page.goto(`${url}/${href}`))
          yield* becomes(
            "the scoreboard is complete",
            () => page.locator(".team-panel tbody tr").count(),
            (count) => count === 10,
          )
          assert.isAtMost(yield* Effect.promise(() => overflowOf(page)), 0, String(href))
          yield* Effect.promise(() => page.goto(listOf(url)))
          yield* appears(page.locator(".card"))
        }
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("shows that a key was refused and continues with a valid key", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        const { page, problems } = yield* (yield* Browser).open(url, { sessionStorage: { "matchpoint.apiKey": "mp_nobody_knows" } })
        const refusal = page.getByRole("alert")
        yield* appears(refusal)
        assert.match(yield* Effect.promise(() => textOf(refusal)), /^The server says: .*key/)
        yield* appears(page.getByRole("heading", { name: "The key was refused" }))
        assert.strictEqual(yield* Effect.promise(() => page.locator(".card").count()), 0)
        yield* Effect.promise(() => page.getByLabel("API key").fill(DEV_KEY))
        yield* Effect.promise(() => page.getByRole("button", { name: "Connect" }).click())
        yield* appears(page.locator(".card"))
        // The browser itself logs the refused request.
        assert.deepStrictEqual(
          problems.filter((problem) => !problem.includes("401")),
          [],
        )
      }),
    )

    it.effect("shows that a match does not exist", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        const { page } = yield* (yield* Browser).open(`${url}/#/match/cs2-match-999999`)
        yield* appears(page.getByRole("heading", { name: "This match is not here" }))
        yield* Effect.promise(() => page.getByRole("link", { name: "See what is live" }).click())
        yield* appears(page.locator(".card"))
      }),
    )

    it.effect(
      "reconnects after the server was killed and shows every round",
      () =>
        Effect.gen(function* () {
          const server = yield* Standalone
          const { page, match } = yield* openMatch
          const [epoch, seq] = yield* Effect.promise(() => cursorOf(page))
          yield* server.kill
          yield* appears(page.locator('.wire[data-state="waiting"]'))
          yield* becomes(
            "the lost connection is announced",
            () => textOf(page.locator("#announcer")),
            (words) => words.startsWith("The connection was lost"),
          )
          assert.strictEqual(
            yield* Effect.promise(() => page.locator(".team-panel tbody tr").count()),
            10,
            "the last known state stays visible",
          )
          yield* server.start
          yield* appears(page.locator('.wire[data-state="open"]'))
          const [epochAfter] = yield* becomes(
            "the match continues",
            () => cursorOf(page),
            ([, now]) => now > seq + 5,
          )
          assert.strictEqual(epochAfter, epoch)
          const ended = yield* Effect.promise(() => page.locator(".round-number").allInnerTexts())
          const numbers = ended.map((words) => Number(words.replace("Round ", "")))
          assert.deepStrictEqual(
            numbers,
            numbers.map((_, index) => (numbers[0] ?? 0) - index),
            `rounds of ${match.matchId}, newest first`,
          )
        }),
      RESTART_MS,
    )
  })

  it.layer(withServer({ matches: 0, speed: 1 }), { excludeTestServices: true, timeout: "180 seconds" })("with no matches", (it) => {
    it.effect("shows that no match is live, in both colour schemes", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        const backgrounds = yield* Effect.forEach(["dark", "light"] as const, (colorScheme) =>
          Effect.gen(function* () {
            const { page, problems } = yield* (yield* Browser).open(url, { colorScheme })
            yield* appears(page.getByRole("heading", { name: "No live matches" }))
            assert.deepStrictEqual(problems, [])
            return yield* Effect.promise(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor))
          }),
        )
        assert.notStrictEqual(backgrounds[0], backgrounds[1])
      }),
    )
  })

  it.layer(withServer({ matches: 1, speed: "max" }), { excludeTestServices: true, timeout: "180 seconds" })(
    "with a finished match",
    (it) => {
      it.effect("shows the final score and the winner", () =>
        Effect.gen(function* () {
          const { url } = yield* Standalone
          // The first registered match has the number 1001.
          const { page } = yield* (yield* Browser).open(`${url}/#/match/cs2-match-1001`)
          yield* appears(page.locator('.face-off[data-status="completed"]'))
          yield* becomes(
            "the winner is shown",
            () => textOf(page.locator(".phase-line")),
            (words) => words.endsWith(" won the match"),
          )
          assert.strictEqual(yield* Effect.promise(() => textOf(page.locator(".clock"))), "Final")
          assert.strictEqual(yield* Effect.promise(() => page.locator(".team[data-winner]").count()), 1)
          assert.strictEqual(yield* Effect.promise(() => page.locator('.map[data-status="open"]').count()), 0)
        }),
      )
    },
  )
})
