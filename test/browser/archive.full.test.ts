/// <reference lib="dom" />
/** Tests the archive pages in a real browser on a real standalone server that holds the sample archive. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { Embedded } from "@matchpoint/store/database/Embedded"
import { Clock, Effect, Layer } from "effect"
import { inject } from "vitest"
import { insertSampleArchive } from "../../packages/cs2/test/archive/fixtures/sampleArchive.ts"
import { Standalone } from "../fixtures/Standalone.ts"
import { appears, Browser, becomes, textOf } from "./fixtures/Browser.ts"

const chromium = inject("chromium")

const directory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "matchpoint-archive-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 5 })),
)

/** Standalone server whose database contains the sample archive before the server starts. */
const archived = Layer.unwrap(
  Effect.gen(function* () {
    const data = yield* directory
    const database = Embedded.layer({ directory: join(data, "database") })
    yield* Effect.flatMap(Clock.currentTimeMillis, insertSampleArchive).pipe(
      Effect.provide(Migrations.layer.pipe(Layer.provideMerge(database))),
    )
    return Standalone.layer({ matches: 0, speed: 1, env: { MATCHPOINT_DATA_DIRECTORY: data } })
  }),
)

describe.skipIf(chromium === null)("the archive in Chromium (needs CHROMIUM_PATH or /usr/bin/chromium)", () => {
  it.layer(Layer.merge(Browser.layer(chromium ?? ""), archived), { excludeTestServices: true, timeout: "120 seconds" })(
    "with the sample archive",
    (it) => {
      it.effect("finds a team despite a typing error and reaches team, player and match by keyboard alone", () =>
        Effect.gen(function* () {
          const { url } = yield* Standalone
          const { page, problems } = yield* (yield* Browser).open(url)
          yield* Effect.promise(() => page.getByRole("link", { name: "Search" }).press("Enter"))
          yield* appears(page.getByRole("searchbox"))
          yield* becomes(
            "the search box has the focus",
            () => page.evaluate(() => document.activeElement?.id),
            (id) => id === "q",
          )
          yield* Effect.promise(() => page.keyboard.type("alpa wolvs"))
          const team = page.getByRole("link", { name: "Alpha Wolves", exact: true })
          yield* appears(team)
          assert.match(yield* Effect.promise(() => textOf(page.locator("#announcer"))), /found for “alpa wolvs”/)
          yield* Effect.promise(() => team.press("Enter"))
          yield* appears(page.getByRole("heading", { level: 1, name: "Alpha Wolves" }))
          assert.strictEqual(new URL(page.url()).pathname, "/teams/alpha-wolves")

          yield* Effect.promise(() => page.getByRole("link", { name: "p101", exact: true }).press("Enter"))
          yield* appears(page.getByRole("heading", { level: 1, name: "p101" }))
          assert.include(yield* Effect.promise(() => textOf(page.locator(".about"))), "Player 101")

          yield* Effect.promise(() => page.getByRole("link", { name: "Alpha Wolves – Team Bravo" }).press("Enter"))
          yield* appears(page.getByRole("heading", { level: 2, name: "Veto" }))
          assert.include(yield* Effect.promise(() => textOf(page.getByRole("heading", { level: 1 }))), "2:1")
          const maps = yield* Effect.promise(() => page.locator("tbody tr").allInnerTexts())
          assert.deepStrictEqual(
            maps.map((text) => text.split(/\s+/)[0]),
            ["Mirage", "Inferno", "Train"],
          )
          assert.deepStrictEqual(problems, [])
        }),
      )

      it.effect("links a match to its event with standings, bracket and matches, and finds the event by search", () =>
        Effect.gen(function* () {
          const { url } = yield* Standalone
          const { page, problems } = yield* (yield* Browser).open(`${url}/matches/cs2-match-1001`)
          yield* Effect.promise(() => page.getByRole("link", { name: "Winter Cup 2026" }).press("Enter"))
          yield* appears(page.getByRole("heading", { level: 1, name: "Winter Cup 2026" }))
          assert.strictEqual(new URL(page.url()).pathname, "/events/winter-cup-2026")
          const [first] = yield* Effect.promise(() => page.locator("tbody tr").allInnerTexts())
          assert.match(first ?? "", /^1\s+Alpha Wolves\s+1–0\s+2–1/)
          const final = page.locator(".bracket section")
          assert.strictEqual(yield* Effect.promise(() => textOf(final.getByRole("heading", { level: 3 }))), "Final")
          assert.include(yield* Effect.promise(() => textOf(final)), "2:1")
          yield* Effect.promise(() => final.getByRole("link", { name: "Alpha Wolves – Team Bravo" }).press("Enter"))
          yield* appears(page.getByRole("heading", { level: 2, name: "Veto" }))

          yield* Effect.promise(() => page.getByRole("searchbox").fill("winter cup"))
          yield* Effect.promise(() => page.getByRole("link", { name: "Winter Cup 2026", exact: true }).press("Enter"))
          yield* appears(page.getByRole("heading", { level: 2, name: "Standings" }))
          assert.deepStrictEqual(problems, [])
        }),
      )

      it.effect("runs the query of the address immediately and shows its HTML as text", () =>
        Effect.gen(function* () {
          const { url } = yield* Standalone
          const { page, problems } = yield* (yield* Browser).open(`${url}/search?q=${encodeURIComponent("<b id=x>bravo</b>")}`)
          yield* appears(page.locator(".about"))
          assert.include(yield* Effect.promise(() => textOf(page.locator(".about"))), "<b id=x>")
          assert.strictEqual(yield* Effect.promise(() => page.locator("#x").count()), 0)
          yield* Effect.promise(() => page.getByRole("searchbox").fill("bravo"))
          yield* appears(page.getByRole("link", { name: "Team Bravo", exact: true }))
          assert.strictEqual(new URL(page.url()).search, "?q=bravo")
          assert.deepStrictEqual(problems, [])
        }),
      )

      it.effect("shows a message for a missing page and fits a 360 px wide phone", () =>
        Effect.gen(function* () {
          const { url } = yield* Standalone
          const missing = yield* (yield* Browser).open(`${url}/teams/nobody-at-all`)
          yield* appears(missing.page.getByRole("heading", { name: "This is not here" }))
          const { page } = yield* (yield* Browser).open(`${url}/matches/cs2-match-1001`, { viewport: { width: 360, height: 740 } })
          yield* appears(page.getByRole("heading", { level: 2, name: "Maps" }))
          const overflow = yield* Effect.promise(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
          assert.isAtMost(overflow, 0)
          yield* Effect.promise(() => page.goto(`${url}/events/winter-cup-2026`))
          yield* appears(page.getByRole("heading", { level: 2, name: "Matches" }))
          const wider = yield* Effect.promise(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
          assert.isAtMost(wider, 0)
        }),
      )
    },
  )
})
