import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { MatchArchive } from "../../src/cs2/MatchArchive.ts"
import { sample } from "../fixtures/sampleArchive.ts"
import type { ArchiveIt } from "./sampled.ts"

export const matchReads = (it: ArchiveIt) => {
  it.effect("the schedule comes soonest first, by page", () =>
    Effect.gen(function* () {
      const matches = yield* MatchArchive
      const all = yield* matches.upcoming({ limit: 10, offset: 0 })
      assert.deepStrictEqual(
        all.rows.map(({ id }) => id as string),
        [`cs2-match-${sample.matches.upcoming}`, `cs2-match-${sample.matches.later}`],
      )
      assert.strictEqual(all.rows[0]?.event?.name, "Spring Major")
      assert.strictEqual(all.rows[0]?.startsAt, "2026-11-24T12:00:00.000Z")
      assert.isNull(all.rows[1]?.event)
      const second = yield* matches.upcoming({ limit: 1, offset: 1 })
      assert.deepStrictEqual([second.rows.length, second.total], [1, 2])
    }),
  )
}
