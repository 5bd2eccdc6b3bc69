/** The simulated season of a fresh server, written into a real database: once, whole, and never among real matches. */
import { assert, it } from "@effect/vitest"
import { fillSeason } from "@matchpoint/service-standalone/demo/DemoSeason"
import { ArchiveWriter } from "@matchpoint/store/cs2/ArchiveWriter"
import { EventArchive } from "@matchpoint/store/cs2/EventArchive"
import { MatchArchive } from "@matchpoint/store/cs2/MatchArchive"
import { Rankings } from "@matchpoint/store/cs2/Rankings"
import { SkinMarket } from "@matchpoint/store/cs2/SkinMarket"
import { Embedded } from "@matchpoint/store/Embedded"
import { Migrations } from "@matchpoint/store/Migrations"
import { Repositories } from "@matchpoint/store/Repositories"
import { Effect, Layer } from "effect"

const Fresh = Repositories.layer.pipe(Layer.provide(Migrations.layer), Layer.provide(Embedded.layer({ directory: null })))

const page = { limit: 1, offset: 0 }

const completed = Effect.flatMap(MatchArchive, (matches) => matches.list({ ...page, status: "completed" }))

it.live(
  "a fresh archive is filled once, with brackets, rankings and skins",
  () =>
    Effect.gen(function* () {
      yield* fillSeason
      const { total } = yield* completed
      assert.isAbove(total, 90)
      yield* fillSeason
      assert.strictEqual((yield* completed).total, total)
      assert.isAbove((yield* (yield* MatchArchive).list({ ...page, status: "upcoming" })).total, 0)
      assert.isAbove((yield* (yield* SkinMarket).list(page)).total, 100)
      const world = yield* (yield* Rankings).ranking({ ...page, source: "world", region: "global", at: undefined, team: undefined })
      assert.isAbove(world.total, 5)
      const events = yield* (yield* EventArchive).list({ ...page, status: "completed", order: "newestEnd" })
      assert.isTrue(events.rows[0]?.hasBracketStructure)
    }).pipe(Effect.provide(Fresh)),
  180_000,
)

it.live(
  "an archive with a match in it is left alone",
  () =>
    Effect.gen(function* () {
      const writer = yield* ArchiveWriter
      yield* writer.match({
        source: "test",
        key: "1",
        status: "completed",
        startsAt: Date.parse("2026-01-01T12:00:00Z"),
        startsPrecision: "minute",
        teams: [{ name: "North" }, { name: "South" }],
        winner: 0,
        lineups: [[], []],
        games: [],
        confidence: "high",
      })
      yield* fillSeason
      assert.strictEqual((yield* completed).total, 1)
    }).pipe(Effect.provide(Fresh)),
  60_000,
)
