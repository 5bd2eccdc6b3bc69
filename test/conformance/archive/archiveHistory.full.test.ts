/**
 * Checks the history limit of plans on every operation of the data sections: older data is left out, and a request for
 * it is rejected with the plan that has it.
 */
import { assert, it } from "@effect/vitest"
import { type Plan, planTerms } from "@matchpoint/domain/plans"
import { Effect } from "effect"
import { inject } from "vitest"
import { ArchiveStack, archiveStacks, daysFrom } from "../../fixtures/archiveStack.ts"
import { addressOf, operations, takes } from "./archiveOperations.ts"
import { secondRows } from "./secondRows.ts"

const DAY = 86_400_000

/** Plans with a limited history. They have no access to odds. */
const limited = (["free", "starter"] as const).map((plan) => ({ plan, days: planTerms[plan].historyDays ?? 0 }))
const open = operations.filter(({ path }) => !path.startsWith("/cs2/odds"))

/** Returns the time at which a match, event or move ended, epoch ms. Undefined if the object has no time. */
const endOf = (object: Readonly<Record<string, unknown>>): number | undefined => {
  const at = ["endsAt", "startsAt", "playedAt", "effectiveAt", "transferDate", "leftAt"].map((key) => object[key]).find(isText)
  if (at !== undefined) return Date.parse(at)
  // A day counts until its last moment.
  return isText(object["pricedOn"]) ? Date.parse(object["pricedOn"]) + DAY : undefined
}

const isText = (value: unknown): value is string => typeof value === "string"

/** Returns everything in a response that ended before `start`, epoch ms. */
const olderThan = (start: number, value: unknown): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  const object: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(value))
  const end = Array.isArray(value) ? undefined : endOf(object)
  const here = end !== undefined && end < start ? [JSON.stringify(object).slice(0, 200)] : []
  return [...here, ...Object.values(object).flatMap((inner) => olderThan(start, inner))]
}

/** Match, map or event of the sample, and how many days ago it ended. */
const referenced = [
  { names: ["matchId"], value: "cs2-match-1001", days: 40 },
  { names: ["matchId"], value: "cs2-match-1005", days: 400 },
  { names: ["gameId", "mapId"], value: "cs2-match-1001-map-1", days: 40 },
  { names: ["eventId", "eventIdOrSlug"], value: "cs2-event-11", days: 38 },
]

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl"), secondRows))) {
  it.layer(stack, { timeout: "60 seconds", excludeTestServices: true })(`histories on ${database}`, (it) => {
    const refused = (address: string, plan: Plan, days: number) =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const response = yield* get(address, plan)
        assert.deepStrictEqual([response.status, response.error?.code], [403, "HISTORY_LIMIT"], `${plan} ${address}: ${response.text}`)
        const historyDays = planTerms[plan].historyDays
        assert.deepStrictEqual(response.error?.details, { plan, historyDays, needs: days <= 90 ? "starter" : "pro" })
      })
    const answered = (address: string, plan: Plan) =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const response = yield* get(address, plan)
        assert.strictEqual(response.status, 200, `${plan} ${address}: ${response.text}`)
        return response.data
      })

    it.effect("leaves out everything that ended before the plan's history", () =>
      Effect.gen(function* () {
        const { get, now } = yield* ArchiveStack
        const limitedPaths = new Set<string>()
        for (const operation of open) {
          const address = addressOf(operation)
          for (const { plan, days } of limited) {
            // One minute of tolerance, because the clock goes on.
            const start = now - days * DAY - 60_000
            const response = yield* get(address, plan)
            assert.include([200, 403], response.status, response.text)
            assert.deepStrictEqual(olderThan(start, response.data), [], `${plan} ${address}`)
            if (olderThan(start, yield* answered(address, "pro")).length > 0) limitedPaths.add(operation.path)
          }
        }
        const some = ["/cs2/matches", "/cs2/events/recent", "/cs2/transfers", "/cs2/roster-changes/recent", "/cs2/search"]
        assert.includeMembers([...limitedPaths], [...some, "/cs2/leagues", "/cs2/skins/{skinIdOrSlug}/prices"])
      }),
    )

    for (const name of ["from", "after", "date"]) {
      it.effect(`rejects a ${name} before the plan's history and accepts one within it`, () =>
        Effect.gen(function* () {
          const { now } = yield* ArchiveStack
          const those = takes(name).filter((operation) => open.includes(operation))
          assert.isNotEmpty(those)
          for (const operation of those) {
            // An event in progress, so that the rejection is due to the parameter.
            const address = (ago: number) => addressOf(operation, { [name]: daysFrom(now, -ago) }, { eventId: "cs2-event-12" })
            for (const { plan, days } of limited) {
              for (const ago of [days + 1, 400]) yield* refused(address(ago), plan, ago)
              yield* answered(address(days - 1), plan)
            }
            yield* answered(address(4_000), "pro")
          }
        }),
      )
    }

    for (const name of ["days", "window_days"]) {
      it.effect(`rejects more ${name} than the plan's history and accepts as many`, () =>
        Effect.gen(function* () {
          const those = takes(name)
          assert.isNotEmpty(those)
          for (const operation of those) {
            for (const { plan, days } of limited) {
              for (const asked of [days + 1, 400]) yield* refused(addressOf(operation, { [name]: asked }), plan, asked)
              yield* answered(addressOf(operation, { [name]: days }), plan)
            }
          }
        }),
      )
    }

    for (const { names, value, days: ago } of referenced) {
      it.effect(`serves data of ${value} only to plans whose history includes it`, () =>
        Effect.gen(function* () {
          const those = open.flatMap((operation) =>
            operation.inPath.filter(({ name }) => names.includes(name)).map(({ name }) => ({ operation, name })),
          )
          assert.isNotEmpty(those)
          for (const { name, operation } of those) {
            const address = addressOf(operation, {}, { [name]: value })
            for (const { plan, days } of limited) yield* days < ago ? refused(address, plan, ago) : answered(address, plan)
            yield* answered(address, "pro")
          }
        }),
      )
    }

    it.effect("serves odds only to plans that include them", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        for (const operation of operations.filter((operation) => !open.includes(operation))) {
          for (const { plan } of limited) {
            assert.strictEqual((yield* get(addressOf(operation), plan)).error?.code, "PLAN_REQUIRED")
          }
          yield* answered(addressOf(operation), "pro")
        }
      }),
    )
  })
}
