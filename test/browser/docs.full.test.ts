/** Tests the documentation pages in a browser: open an endpoint, send a request, read the response. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { inject } from "vitest"
import { Standalone } from "../fixtures/Standalone.ts"
import { memoryStack, Stack } from "../fixtures/stack.ts"
import { appears, Browser } from "./fixtures/Browser.ts"

const chromium = inject("chromium")
const browserLayer = Browser.layer(chromium ?? "")

/** Opens an endpoint and sends the request that the page has prefilled. Returns the dialog with the response. */
const sendFrom = Effect.fnUntraced(function* (page: Page, title: string, path: string) {
  yield* appears(page.getByRole("heading", { name: title }))
  yield* Effect.promise(() => page.getByRole("button", { name: `(get ${path})` }).click())
  const dialog = page.getByRole("dialog")
  const send = dialog.getByRole("button", { name: /^Send/ }).first()
  yield* appears(send)
  yield* Effect.promise(() => send.click())
  return dialog
})

/** Bytes transferred over the network by path, headers included, since the page was opened or reloaded. */
const transferred = (page: Page) =>
  Effect.promise(
    (): Promise<Readonly<Record<string, number>>> =>
      page.evaluate(() => {
        const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
        return Object.fromEntries(
          entries.flatMap((entry) =>
            entry instanceof PerformanceResourceTiming && entry.name.startsWith("http")
              ? [[new URL(entry.name).pathname, entry.transferSize]]
              : [],
          ),
        )
      }),
  )

const sum = (bytes: Readonly<Record<string, number>>): number => Object.values(bytes).reduce((all, one) => all + one, 0)

describe.skipIf(chromium === null)("the documentation in Chromium (needs CHROMIUM_PATH or /usr/bin/chromium)", () => {
  it.layer(Layer.merge(browserLayer, Standalone.layer({ matches: 1, speed: 1, startWithin: "100 seconds" })), {
    excludeTestServices: true,
    timeout: "120 seconds",
  })("with development keys", (it) => {
    it.effect(
      "sends a request to an endpoint without setup and fetches nothing from other origins",
      () =>
        Effect.gen(function* () {
          const { url } = yield* Standalone
          const { page, problems } = yield* (yield* Browser).open(`${url}/docs#tag/cs2-live/GET/api/v1/cs2/live`)
          const dialog = yield* sendFrom(page, "Matches in progress", "/api/v1/cs2/live")
          yield* appears(dialog.getByText("200 OK"))
          yield* appears(dialog.getByText('"totalPages"'))
          assert.deepStrictEqual(problems, [])
        }),
      150_000,
    )

    it.effect(
      "transfers less than 1 MB at first and less than 5 kB on reload",
      () =>
        Effect.gen(function* () {
          const { url } = yield* Standalone
          const { page, problems } = yield* (yield* Browser).open(`${url}/docs`)
          yield* appears(page.getByRole("heading", { name: "Matches in progress" }))
          const first = yield* transferred(page)
          assert.includeMembers(Object.keys(first), ["/docs", "/openapi.json"])
          assert.isBelow(sum(first), 1_000_000, JSON.stringify(first))
          assert.isBelow(first["/docs"] ?? Number.NaN, 5_000)
          assert.isBelow(first["/openapi.json"] ?? Number.NaN, 100_000)

          yield* Effect.promise(() => page.reload())
          yield* appears(page.getByRole("heading", { name: "Matches in progress" }))
          assert.isBelow(sum(yield* transferred(page)), 5_000)
          assert.deepStrictEqual(problems, [])
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
          const { page } = yield* (yield* Browser).open(`${new URL(url).origin}/docs#tag/account/GET/api/v1/plans`)
          const dialog = yield* sendFrom(page, "Plans", "/api/v1/plans")
          yield* appears(dialog.getByText("401 Unauthorized"))
          yield* appears(dialog.getByText('"INVALID_API_KEY"'))
        }),
      150_000,
    )
  })
})
