/// <reference lib="dom" />
/** The live page as its visitors meet it: a real browser on the real standalone server, with simulated matches. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { inject } from "vitest"
import { DEV_KEY, Standalone } from "../fixtures/Standalone.ts"
import { appears, Browser, becomes, textOf } from "./fixtures/Browser.ts"

const chromium = inject("chromium")

/** Fast enough that rounds end while we look, slow enough that no map does. */
const LIVELY = 25

const browserLayer = Browser.layer(chromium ?? "")
const withServer = (options: Parameters<typeof Standalone.layer>[0]) => Layer.merge(browserLayer, Standalone.layer(options))

/** A tab on the match that has just begun, which goes on for as long as a test needs. */
const openMatch = Effect.gen(function* () {
  const { live, url } = yield* Standalone
  const matches = yield* live
  const youngest = [...matches].sort((a, b) => a.currentGame - b.currentGame || a.currentRound - b.currentRound)[0]
  if (youngest === undefined) return yield* Effect.die(new Error("no match is live"))
  const tab = yield* (yield* Browser).open(`${url}/#/match/${youngest.matchId}`)
  yield* appears(tab.page.locator(".team-panel tbody tr"))
  return { ...tab, match: youngest }
})

/** `epoch:seq` in the masthead. */
const cursorOf = async (page: Page): Promise<readonly [epoch: number, seq: number]> => {
  const [epoch = 0, seq = 0] = (await textOf(page.locator(".wire-cursor"))).split(":").map(Number)
  return [epoch, seq]
}

const overflowOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

describe.skipIf(chromium === null)("the live page in Chromium (needs CHROMIUM_PATH or /usr/bin/chromium)", () => {
  it.layer(withServer({ matches: 4, speed: LIVELY }), { excludeTestServices: true, timeout: "60 seconds" })("with four matches", (it) => {
    it.effect("lists every live match with both teams and the score", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        const { page, problems } = yield* (yield* Browser).open(url)
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

    it.effect("opens a match from the list, and goes back to it", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        const { page, problems } = yield* (yield* Browser).open(url)
        yield* appears(page.locator(".card"))
        yield* Effect.promise(() => page.locator(".card").first().click())
        yield* becomes(
          "both teams are there",
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
        assert.isAbove(yield* Effect.promise(() => page.locator(".happening[data-seen]").count()), 0, "lines from before stay: no reload")
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("adds a round to the strip when it ends, and tells it", () =>
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
        const said = () => textOf(page.locator("#announcer"))
        yield* becomes("a screen reader hears of rounds and bombs", said, (words) => words !== "")
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("fits a phone: nothing to scroll sideways", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        const { page, problems } = yield* (yield* Browser).open(url, { viewport: { width: 360, height: 740 } })
        yield* appears(page.locator(".card"))
        assert.isAtMost(yield* Effect.promise(() => overflowOf(page)), 0)
        for (const card of yield* Effect.promise(() => page.locator(".card").all())) {
          const href = yield* Effect.promise(() => card.getAttribute("href"))
          yield* Effect.promise(() => page.goto(`${url}/${href}`))
          yield* becomes(
            "the scoreboard is there",
            () => page.locator(".team-panel tbody tr").count(),
            (count) => count === 10,
          )
          assert.isAtMost(yield* Effect.promise(() => overflowOf(page)), 0, String(href))
          yield* Effect.promise(() => page.goto(url))
          yield* appears(page.locator(".card"))
        }
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("says that a key was refused, and goes on with a good one", () =>
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
        // The browser itself notes the refused request.
        assert.deepStrictEqual(
          problems.filter((problem) => !problem.includes("401")),
          [],
        )
      }),
    )

    it.effect("says that a match is not there", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        const { page } = yield* (yield* Browser).open(`${url}/#/match/cs2-match-999999`)
        yield* appears(page.getByRole("heading", { name: "This match is not here" }))
        yield* Effect.promise(() => page.getByRole("link", { name: "See what is live" }).click())
        yield* appears(page.locator(".card"))
      }),
    )

    it.effect("comes back after the server was killed, without a hole in what happened", () =>
      Effect.gen(function* () {
        const server = yield* Standalone
        const { page, match } = yield* openMatch
        const [epoch, seq] = yield* Effect.promise(() => cursorOf(page))
        yield* server.kill
        yield* appears(page.locator('.wire[data-state="waiting"]'))
        yield* becomes(
          "the loss is said",
          () => textOf(page.locator("#announcer")),
          (words) => words.startsWith("The connection was lost"),
        )
        assert.strictEqual(yield* Effect.promise(() => page.locator(".team-panel tbody tr").count()), 10, "what was known stays visible")
        yield* server.start
        yield* appears(page.locator('.wire[data-state="open"]'))
        const [epochAfter] = yield* becomes(
          "the match goes on",
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
    )
  })

  it.layer(withServer({ matches: 0, speed: 1 }), { excludeTestServices: true, timeout: "60 seconds" })("with nothing to show", (it) => {
    it.effect("says that nothing is played, in either colour scheme", () =>
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

  it.layer(withServer({ matches: 1, speed: "max" }), { excludeTestServices: true, timeout: "60 seconds" })(
    "with a match that is over",
    (it) => {
      it.effect("shows its final score and who won", () =>
        Effect.gen(function* () {
          const { url } = yield* Standalone
          // The register numbers matches from 1001.
          const { page } = yield* (yield* Browser).open(`${url}/#/match/cs2-match-1001`)
          yield* appears(page.locator('.face-off[data-status="completed"]'))
          yield* becomes(
            "it says who won",
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
