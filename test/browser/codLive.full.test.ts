/// <reference lib="dom" />
/** Tests the live page of Call of Duty in a real browser on a real standalone server with simulated matches. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { inject } from "vitest"
import { Standalone } from "../fixtures/Standalone.ts"
import { appears, Browser, becomes, textOf } from "./fixtures/Browser.ts"

const chromium = inject("chromium")

/** Simulation speed: fast enough that the score changes during a test, slow enough that no match ends. */
const LIVELY = 5

const Services = Layer.merge(Browser.layer(chromium ?? ""), Standalone.layer({ matches: 2, speed: LIVELY }))

describe.skipIf(chromium === null)("live Call of Duty in Chromium (needs CHROMIUM_PATH or /usr/bin/chromium)", () => {
  it.layer(Services, { excludeTestServices: true, timeout: "180 seconds" })("with one match", (it) => {
    it.effect("lists the match, and shows maps, players and kills as they change", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        const { page, problems } = yield* (yield* Browser).open(url)
        const list = page.getByRole("region", { name: "Call of Duty" })
        yield* appears(list.locator(".card"))
        yield* Effect.promise(() => list.locator(".card").first().press("Enter"))
        yield* appears(page.locator(".cod-players tbody tr"))
        assert.strictEqual(yield* Effect.promise(() => page.locator(".cod-players tbody tr").count()), 8)
        assert.strictEqual(yield* Effect.promise(() => page.locator(".cod-maps li").count()), 5)
        yield* becomes(
          "the kills before the page was opened are shown",
          () => page.locator('.happening[data-type="kill"]').count(),
          (count) => count > 2,
        )
        const numbers = () => page.locator(".cod-players tbody td").allInnerTexts()
        const before = yield* Effect.promise(numbers)
        yield* becomes("the scoreboard changes", numbers, (texts) => texts.join() !== before.join())
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("leads to the pages of the teams and players in the archive", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        const { page, problems } = yield* (yield* Browser).open(url)
        for (const links of [".cod-head .cod-team a", ".cod-players thead a", ".cod-players tbody a"]) {
          yield* Effect.promise(() => page.goto(`${url}/#/match/cod-match-1001`))
          const link = page.locator(links).first()
          yield* appears(link)
          const name = yield* Effect.promise(() => textOf(link))
          yield* Effect.promise(() => link.click())
          yield* appears(page.getByRole("heading", { level: 1, name, exact: true }))
        }
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("fits a 360 px wide phone in both colour schemes", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        for (const colorScheme of ["dark", "light"] as const) {
          const options = { viewport: { width: 360, height: 740 }, colorScheme }
          const { page, problems } = yield* (yield* Browser).open(`${url}/#/match/cod-match-1001`, options)
          yield* appears(page.locator(".cod-players tbody tr"))
          const overflow = yield* Effect.promise(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
          assert.isAtMost(overflow, 0)
          assert.deepStrictEqual(problems, [])
        }
      }),
    )
  })
})
