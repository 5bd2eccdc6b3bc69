/// <reference lib="dom" />
/** Tests the live page of Apex in a real browser on a real standalone server with a simulated lobby. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { inject } from "vitest"
import { DEV_KEY, Standalone } from "../fixtures/Standalone.ts"
import { appears, Browser, becomes, textOf } from "./fixtures/Browser.ts"

const chromium = inject("chromium")

const Services = Layer.merge(Browser.layer(chromium ?? ""), Standalone.layer({ matches: 1, speed: 20 }))

describe.skipIf(chromium === null)("live Apex in Chromium (needs CHROMIUM_PATH or /usr/bin/chromium)", () => {
  it.layer(Services, { excludeTestServices: true, timeout: "180 seconds" })("with one lobby", (it) => {
    it.effect("lists the lobby, and shows standings, ring and kills as they change", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        const { page, problems } = yield* (yield* Browser).open(url)
        const card = page.getByRole("region", { name: "Apex" }).locator(".card")
        yield* appears(card)
        yield* Effect.promise(() => card.first().press("Enter"))
        const rows = page.locator(".lobby-standings tbody tr")
        yield* becomes(
          "the standings have 20 teams",
          () => rows.count(),
          (count) => count === 20,
        )
        yield* appears(page.locator(".happening"))
        yield* becomes(
          "a team is out",
          () => page.locator(".lobby-standings tr[data-out]").count(),
          (count) => count > 0,
        )
        yield* becomes(
          "the ring is shown",
          () => textOf(page.locator(".ring-line")),
          (text) => text.startsWith("Ring "),
        )
        const response = yield* Effect.promise(() => fetch(`${url}/api/v1/apex/algs/live`, { headers: { "x-api-key": DEV_KEY } }))
        const { data } = (yield* Effect.promise(() => response.json())) as { readonly data: ReadonlyArray<{ readonly id: string }> }
        assert.strictEqual(new URL(page.url()).hash, `#/match/${data[0]?.id}`)
        assert.deepStrictEqual(problems, [])
      }),
    )

    it.effect("leads to the pages of the players in the archive", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        const { page, problems } = yield* (yield* Browser).open(url)
        yield* Effect.promise(() => page.goto(`${url}/#/match/apex-match-1001`))
        const link = page.locator(".lobby-players a").first()
        yield* appears(link)
        const name = yield* Effect.promise(() => textOf(link))
        yield* Effect.promise(() => link.click())
        yield* appears(page.getByRole("heading", { level: 1, name, exact: true }))
        assert.deepStrictEqual(problems, [])
      }),
    )
  })
})
