/** Folds all recorded point strings. The counts are those of docs/games/tennis/live.md. */
import { assert, describe, it } from "@effect/vitest"
import { filesIn } from "@matchpoint/testing/recordedData"
import { Effect } from "effect"
import { inject } from "vitest"
import { lostPoints } from "../../../src/feed/replay/classify.ts"
import { countsOf } from "../../../src/feed/replay/pointsCheck.ts"

const data = inject("dataDirectory")
const folder = `${data}/tennis/points`

/** Equal scores and matches of each file. */
const expected: Readonly<Record<string, readonly [number, number]>> = {
  "pbp_matches_atp_main_archive.csv.gz": [10_861, 10_902],
  "pbp_matches_atp_qual_archive.csv.gz": [4_251, 4_259],
  "pbp_matches_ch_main_archive.csv.gz": [14_659, 15_480],
  "pbp_matches_ch_qual_archive.csv.gz": [4_899, 4_899],
  "pbp_matches_fu_main_archive.csv.gz": [3_980, 9_451],
  "pbp_matches_itf_main_archive.csv.gz": [4_041, 12_137],
  "pbp_matches_wta_main_archive.csv.gz": [10_632, 10_634],
  "pbp_matches_wta_qual_archive.csv.gz": [4_105, 4_106],
}

describe.skipIf(data === null)("recorded point strings", () => {
  it.live(
    "give the file's score in at least 99 % of the strings that have all points",
    () =>
      Effect.gen(function* () {
        const results: Record<string, readonly [number, number]> = {}
        let equal = 0
        let whole = 0
        for (const name of filesIn(folder)) {
          const counts = yield* countsOf(`${folder}/${name}`)
          results[name] = [counts.equal, counts.total]
          equal += counts.equal
          whole += counts.total
          for (const [one, { count }] of counts.exceptions) if (lostPoints.has(one)) whole -= count
        }
        assert.deepStrictEqual(results, expected)
        assert.isAtLeast(equal / whole, 0.99)
      }),
    120_000,
  )
})
