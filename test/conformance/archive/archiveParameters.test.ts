/** Every parameter that the document has does something: over the sample, one of these values makes another answer than none does. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { inject } from "vitest"
import { ArchiveStack, archiveStacks, daysFrom } from "../../fixtures/archiveStack.ts"
import { addressOf, operations, takes } from "./archiveOperations.ts"
import { secondRows } from "./secondRows.ts"

/** By name. `now`: epoch ms. */
const telling = (now: number): Readonly<Record<string, ReadonlyArray<string | number>>> => ({
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

/** Those that mean something only together with another one. */
const together: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  full: { entity_id: "cs2-player-401" },
  // Of the ten maps that `/cs2/stats/teams` asks for, the sample has three.
  offset: { min_maps: "1" },
}

/** Of whom the sample has what the parameter is about. */
const about: Readonly<Record<string, Readonly<Record<string, string>>>> = { include_undated: { playerId: "cs2-player-105" } }

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl"), secondRows))) {
  it.layer(stack, { timeout: "60 seconds", excludeTestServices: true })(`parameters on ${database}`, (it) => {
    for (const operation of operations.filter(({ inQuery }) => inQuery.length > 0)) {
      it.effect(`every parameter of ${operation.path} does something`, () =>
        Effect.gen(function* () {
          const { get, now } = yield* ArchiveStack
          const idle: Array<string> = []
          for (const { name, required, schema } of operation.inQuery.filter(({ name }) => name !== "cursor")) {
            const base = together[name] ?? {}
            const path = about[name]
            const without = yield* get(addressOf(operation, base, path))
            assert.strictEqual(without.status, 200, without.text)
            const values = (telling(now)[name] ?? []).filter((value) => schema.enum?.includes(String(value)) ?? true)
            const answers = yield* Effect.forEach(values, (value) => get(addressOf(operation, { ...base, [name]: value }, path)))
            if (!required && !answers.some(({ status, text }) => status === 200 && text !== without.text)) idle.push(name)
          }
          assert.deepStrictEqual(idle, [])
        }),
      )
    }

    it.effect("a cursor goes on where another page ended", () =>
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
