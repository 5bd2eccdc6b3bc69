/** Reports about feeds that organisers see. */
import { assert, describe, it } from "@effect/vitest"
import type { FeedLines } from "@matchpoint/contracts/http/feed/FactsApi"
import type { SubmissionResult } from "@matchpoint/game/feed/GameFeed"
import { Effect } from "effect"
import { FeedReports } from "../../src/intake/FeedReports.ts"

const result = (lines: FeedLines | undefined): SubmissionResult => ({
  source: "main",
  shown: null,
  unresolvedNames: [],
  next: {},
  events: [],
  problems: [],
  repeats: [],
  ignored: 0,
  ...(lines === undefined ? {} : { lines }),
})

describe("FeedReports", () => {
  it.effect("adds up the lines of a feed by outcome and rule", () =>
    Effect.sync(() => {
      const reports = new FeedReports()
      reports.note("m", result(undefined), 1)
      assert.notProperty(reports.of("m").feeds[0], "lines")
      reports.note("m", result({ understood: 3, repeated: 0, reported: 1, irrelevant: { chat: 2 } }), 2)
      reports.note("m", result(undefined), 3)
      reports.note("m", result({ understood: 1, repeated: 5, reported: 0, irrelevant: { chat: 1, setting: 4 } }), 4)
      const [main] = reports.of("m").feeds
      assert.deepStrictEqual(main?.lines, { understood: 4, repeated: 5, reported: 1, irrelevant: { chat: 3, setting: 4 } })
      assert.strictEqual(main?.reports, 4)
    }),
  )
})
