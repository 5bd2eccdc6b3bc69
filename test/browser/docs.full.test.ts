/** Tests the reference in a browser: open an operation, send a request, read the response. */
import { assert, describe, it } from "@effect/vitest"
import { documentSections } from "@matchpoint/contracts/http/openapi/sectionDocument"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { inject } from "vitest"
import { Standalone } from "../fixtures/Standalone.ts"
import { memoryStack, Stack } from "../fixtures/stack.ts"
import { appears, Browser } from "./fixtures/Browser.ts"

const chromium = inject("chromium")
const browserLayer = Browser.layer(chromium ?? "")

/** Sends the request of the operation that the address names. Returns the operation with the response. */
const send = Effect.fnUntraced(function* (page: Page, operation: string) {
  const shown = page.locator(`[id="${operation}"]`)
  const button = shown.getByRole("button", { name: "Send" })
  yield* appears(button)
  yield* Effect.promise(() => button.click())
  return shown
})

/** Bytes transferred over the network, headers included, since the page was opened or reloaded. */
const transferred = (page: Page) =>
  Effect.promise(() =>
    page.evaluate(() =>
      [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce(
        (sum, entry) => sum + (entry instanceof PerformanceResourceTiming ? entry.transferSize : 0),
        0,
      ),
    ),
  )

/** Elements of the page, which decide how long a browser needs for it: 20,000 take less than half a second. */
const elementsOf = (page: Page) => Effect.promise(() => page.evaluate(() => document.querySelectorAll("*").length))

describe.skipIf(chromium === null)("the reference in Chromium (needs CHROMIUM_PATH or /usr/bin/chromium)", () => {
  it.layer(Layer.merge(browserLayer, Standalone.layer({ matches: 1, speed: 1, startWithin: "260 seconds" })), {
    excludeTestServices: true,
    timeout: "280 seconds",
  })("with development keys", (it) => {
    it.effect(
      "sends a request to an operation without setup and fetches nothing from other origins",
      () =>
        Effect.gen(function* () {
          const { url } = yield* Standalone
          const { page, problems } = yield* (yield* Browser).open(`${url}/docs/cs2#cs2-live.list`)
          const shown = yield* send(page, "cs2-live.list")
          yield* appears(shown.getByText("200 OK"))
          yield* appears(shown.getByText('"totalPages"'))
          assert.deepStrictEqual(problems, [])
        }),
      150_000,
    )

    it.effect(
      "finds an operation on the page of contents, and opens it on the page of its section",
      () =>
        Effect.gen(function* () {
          const { url } = yield* Standalone
          const { page, problems } = yield* (yield* Browser).open(`${url}/docs`)
          yield* Effect.promise(() => page.getByLabel("Find").fill("tennis h2h matrix"))
          const links = page.locator(".contents li:visible a")
          yield* appears(links)
          assert.strictEqual(yield* Effect.promise(() => links.count()), 1)
          yield* Effect.promise(() => links.click())
          yield* appears(page.locator("details[open]").getByRole("button", { name: "Send" }))
          assert.include(page.url(), "/docs/tennis#")
          assert.deepStrictEqual(problems, [])
        }),
      150_000,
    )

    it.effect(
      "every section is light, fits a phone, transfers less than 120 kB, and opens an operation",
      () =>
        Effect.gen(function* () {
          const { url } = yield* Standalone
          for (const section of documentSections) {
            const { page, problems } = yield* (yield* Browser).open(`${url}/docs/${section}`)
            yield* Effect.promise(() => page.setViewportSize({ width: 390, height: 800 }))
            const operation = page.locator("details.operation").first()
            yield* Effect.promise(() => operation.locator("summary").first().click())
            yield* appears(operation.getByRole("button", { name: "Send" }))
            assert.isBelow(yield* elementsOf(page), 30_000, section)
            assert.isAtMost(yield* Effect.promise(() => page.evaluate(() => document.documentElement.scrollWidth)), 390, section)
            assert.isBelow(yield* transferred(page), 120_000, section)
            yield* Effect.promise(() => page.reload())
            assert.isBelow(yield* transferred(page), 5_000, section)
            assert.deepStrictEqual(problems, [])
          }
        }),
      150_000,
    )
  })

  it.layer(Layer.merge(browserLayer, memoryStack), { excludeTestServices: true, timeout: "120 seconds" })("without a default key", (it) => {
    it.effect(
      "answers 401 because the page has no key",
      () =>
        Effect.gen(function* () {
          const { url } = yield* Stack
          const { page } = yield* (yield* Browser).open(`${new URL(url).origin}/docs/platform#account.plans`)
          const shown = yield* send(page, "account.plans")
          yield* appears(shown.getByText("401 Unauthorized"))
          yield* appears(shown.getByText('"INVALID_API_KEY"'))
        }),
      150_000,
    )
  })
})
