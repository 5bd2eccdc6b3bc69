/// <reference lib="dom" />
/**
 * Tests the live page at the limits of plans: without WebSockets, with an exhausted monthly quota, and with a key that
 * is revoked while the page is open.
 */
import { assert, describe, it } from "@effect/vitest"
import { ADMIN_ROOT, ADMIN_TOKEN_HEADER, type CreatedKey, type NewKey } from "@matchpoint/contracts/http/admin/AdminApi"
import { devAdminToken } from "@matchpoint/service-standalone/devKeys"
import { Effect, Layer } from "effect"
import { inject } from "vitest"
import { Standalone } from "../fixtures/Standalone.ts"
import { appears, Browser, textOf } from "./fixtures/Browser.ts"

const chromium = inject("chromium")

const admin = Effect.fnUntraced(function* (path: string, payload: object) {
  const { url } = yield* Standalone
  return yield* Effect.promise(async () => {
    const response = await fetch(`${url}${ADMIN_ROOT}${path}`, {
      method: "POST",
      headers: { [ADMIN_TOKEN_HEADER]: devAdminToken, "content-type": "application/json" },
      body: JSON.stringify(payload),
      signal: AbortSignal.timeout(10_000),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  })
})

const newKey = (key: NewKey) => Effect.map(admin("/keys", key), (answer): CreatedKey => answer.data)

const openWith = Effect.fnUntraced(function* (secret: string) {
  const { url } = yield* Standalone
  return yield* (yield* Browser).open(url, { sessionStorage: { "matchpoint.apiKey": secret } })
})

const Services = Layer.merge(Browser.layer(chromium ?? ""), Standalone.layer({ matches: 2, speed: 25 }))

describe.skipIf(chromium === null)("the live page at its limits (needs CHROMIUM_PATH or /usr/bin/chromium)", () => {
  it.layer(Services, { excludeTestServices: true, timeout: "120 seconds" })("with two matches", (it) => {
    it.effect("uses server-sent events if the plan has no WebSockets, and shows the reason", () =>
      Effect.gen(function* () {
        const { secret } = yield* newKey({ plan: "pro", label: "no sockets" })
        const { page, problems } = yield* openWith(secret)
        yield* appears(page.locator('.wire[data-state="open"]'))
        assert.strictEqual(yield* Effect.promise(() => textOf(page.locator(".wire-state"))), "Live over SSE")
        assert.match((yield* Effect.promise(() => page.locator(".wire-state").getAttribute("title"))) ?? "", /plan pro has no WebSockets/)
        yield* appears(page.locator(".card"))
        yield* Effect.promise(() => page.locator(".card").first().click())
        yield* appears(page.locator(".team-panel tbody tr"))
        yield* Effect.promise(() =>
          page.evaluate(() => {
            for (const line of document.querySelectorAll(".happening")) line.setAttribute("data-seen", "")
          }),
        )
        yield* appears(page.locator(".happening:not([data-seen])"))
        // The browser itself logs the refused handshake.
        assert.deepStrictEqual(
          problems.filter((problem) => !problem.includes("WebSocket")),
          [],
        )
      }),
    )

    it.effect("shows that the monthly quota is used up and stops retrying", () =>
      Effect.gen(function* () {
        const { secret } = yield* newKey({ plan: "scale", label: "one request", requestsPerMonth: 1 })
        const { page } = yield* openWith(secret)
        const notice = page.getByRole("alert")
        yield* appears(notice)
        assert.match(yield* Effect.promise(() => textOf(notice)), /The server says: the monthly quota of 1 requests is used up/)
        assert.strictEqual(yield* Effect.promise(() => page.locator(".wire").getAttribute("data-state")), "stopped")
        // Data that was already received is shown with the next animation frame, and stays visible.
        yield* appears(page.locator(".card").first())
        yield* Effect.promise(() => page.getByRole("button", { name: "Use another key" }).click())
        yield* appears(page.getByRole("heading", { name: "API key" }))
        assert.strictEqual(yield* Effect.promise(() => notice.count()), 0)
      }),
    )

    it.effect("asks for another key if the current key is revoked while the page is open", () =>
      Effect.gen(function* () {
        const { keyId, secret } = yield* newKey({ plan: "scale", label: "for a moment" })
        const { page } = yield* openWith(secret)
        yield* appears(page.locator('.wire[data-state="open"]'))
        yield* admin(`/keys/${keyId}/revoke`, {})
        yield* appears(page.getByRole("heading", { name: "The key was refused" }))
        assert.match(yield* Effect.promise(() => textOf(page.getByRole("alert"))), /revoked or has expired/)
      }),
    )
  })
})
