/**
 * Checks that every documented parameter has an effect: on the sample, at least one of these values changes the
 * response.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { inject } from "vitest"
import { ArchiveStack, archiveStacks, daysFrom } from "../../fixtures/archiveStack.ts"
import { addressOf, operations, takes } from "./archiveOperations.ts"
import { secondRows } from "./secondRows.ts"

/** Values by parameter name. `now`: epoch ms. */
const effectiveValues = (now: number): Readonly<Record<string, ReadonlyArray<string | number>>> => ({
  limit: [1],
  page: [2],
  offset: [1],
  from: [daysFrom(now, 4_000)],
  to: [daysFrom(now, -4_000)],
  after: [daysFrom(now, -1)],
  before: [daysFrom(now, -4_000)],
  date: [daysFrom(now, -10)],
  team: ["cs2-team-4", "nobody"],
  team_id: ["cs2-team-4"],
  teamId: ["cs2-team-2"],
  from_team: ["cs2-team-3"],
  to_team: ["cs2-team-4"],
  player: ["p305"],
  player_id: ["p305"],
  playerId: ["p305"],
  event: ["cs2-event-13"],
  tier: ["A"],
  best_of: [5],
  type: ["BombPlanted"],
  round: [9],
  state: ["closed"],
  kind: ["map_winner"],
  q: ["bravo", "karambit", "winter"],
  weapon: ["AK-47"],
  wear: ["Field-Tested"],
  statTrak: ["true"],
  currency: ["EUR"],
  fields: ["name"],
  summary: ["true"],
  includeUpcoming: ["false"],
  include_upcoming: ["false"],
  upcomingLimit: [0],
  upcoming_limit: [0],
  lan: ["true"],
  region: ["americas", "europe"],
  country: ["BR", "DE"],
  ranked: ["false"],
  sort: ["name", "rating", "oldest"],
  status: ["completed", "upcoming", "left"],
  unit: ["quarter"],
  min_maps: [2, 1, 1_000],
  min_attempts: [100],
  days: [7],
  window_days: [7],
  map: ["de_mirage"],
  action: ["merge_rejected"],
  entity_id: ["cs2-team-4"],
  entity_type: ["team"],
  full: ["true"],
  source: ["vrs", "world"],
  include_computed: ["false"],
  include_undated: ["true"],
})

/** Parameters that have an effect only together with another one. */
const together: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  full: { entity_id: "cs2-player-401" },
  // By default `/cs2/stats/teams` requires ten maps, and the sample has three.
  offset: { min_maps: "1" },
}

/** Path parameters of the entity for which the sample has matching data. */
const about: Readonly<Record<string, Readonly<Record<string, string>>>> = { include_undated: { playerId: "cs2-player-105" } }

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl"), secondRows))) {
  it.layer(stack, { timeout: "60 seconds", excludeTestServices: true })(`parameters on ${database}`, (it) => {
    for (const operation of operations.filter(({ inQuery }) => inQuery.length > 0)) {
      it.effect(`every parameter of ${operation.path} has an effect`, () =>
        Effect.gen(function* () {
          const { get, now } = yield* ArchiveStack
          const withoutEffect: Array<string> = []
          for (const { name, required, schema } of operation.inQuery.filter(({ name }) => name !== "cursor")) {
            const names = new Set(operation.inQuery.map((parameter) => parameter.name))
            const base = Object.fromEntries(Object.entries(together[name] ?? {}).filter(([other]) => names.has(other)))
            const path = about[name]
            const without = yield* get(addressOf(operation, base, path))
            assert.strictEqual(without.status, 200, without.text)
            const values = (effectiveValues(now)[name] ?? []).filter((value) => schema.enum?.includes(String(value)) ?? true)
            const answers = yield* Effect.forEach(values, (value) => get(addressOf(operation, { ...base, [name]: value }, path)))
            if (!required && !answers.some(({ status, text }) => status === 200 && text !== without.text)) withoutEffect.push(name)
          }
          assert.deepStrictEqual(withoutEffect, [])
        }),
      )
    }

    it.effect("a cursor continues where another page ended", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        for (const operation of takes("cursor")) {
          const first = yield* get(addressOf(operation, { limit: 1 }))
          const cursor = String(first.meta?.["nextCursor"])
          const next = yield* get(addressOf(operation, { limit: 1, cursor }))
          assert.strictEqual(next.text, (yield* get(addressOf(operation, { limit: 1, offset: 1 }))).text, operation.path)
          const foreign = yield* get(addressOf(operation, { cursor: "bm90LW9uZQ" }))
          assert.deepStrictEqual([foreign.status, foreign.error?.code], [400, "VALIDATION_ERROR"], operation.path)
          assert.include(foreign.error?.message, "cursor")
        }
      }),
    )
  })
}
