/** Reasons for missing statistics, and the time of computation. */
import { assert, it } from "@effect/vitest"
import { statsAnswer } from "../../src/edge/archive/statsAnswer.ts"

const NOW = Date.parse("2026-11-22T12:00:00Z")
const never = { refreshedAt: null, recomputing: true, stale: true }
const hourly = { refreshedAt: NOW - 60_000, recomputing: false, stale: false }
const none = { rows: [], total: 0, indexed: false }

const metaOf = (
  days: number | null,
  rows: typeof none | { rows: ReadonlyArray<number>; total: number; indexed: boolean },
  state: typeof hourly | typeof never,
) =>
  statsAnswer(
    { category: "players", dataScope: "maps", minMaps: 1, page: { page: 1, limit: 50, offset: 0 }, window: { days, now: NOW } },
    rows,
    state,
  ).meta

it("reports precomputed statistics that were never computed as being recomputed", () => {
  const { availability, dataAvailable, dataQuality, unavailableReason } = metaOf(null, none, never)
  assert.deepStrictEqual([dataAvailable, unavailableReason, dataQuality], [false, "being_recomputed", "unavailable"])
  assert.deepStrictEqual(availability, {
    dataAvailable: false,
    unavailableReason: "being_recomputed",
    refreshedAt: null,
    recomputing: true,
    stale: true,
  })
})

it("reports missing data as not yet indexed if the statistics were computed or are read from the archive", () => {
  assert.strictEqual(metaOf(30, none, hourly).unavailableReason, "not_yet_indexed")
  assert.strictEqual(metaOf(61, none, never).unavailableReason, "not_yet_indexed")
})

it("reports data as available if only the filters exclude all rows", () => {
  const meta = metaOf(90, { rows: [], total: 0, indexed: true }, hourly)
  assert.deepStrictEqual([meta.dataAvailable, meta.unavailableReason, meta.dataQuality], [true, null, "partial"])
})

it("reports when precomputed statistics were computed, and no time for those computed on request", () => {
  const some = { rows: [1], total: 1, indexed: true }
  assert.strictEqual(metaOf(90, some, hourly).availability.refreshedAt, "2026-11-22T11:59:00.000Z")
  assert.deepInclude(metaOf(61, some, { ...hourly, stale: true }).availability, { refreshedAt: null, stale: false })
})
