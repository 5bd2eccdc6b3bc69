import { assert, it } from "@effect/vitest"
import { ValidationError } from "@matchpoint/contracts/http/errors"
import { MAX_OFFSET } from "@matchpoint/contracts/http/listing"
import { listHandler } from "@matchpoint/game/edge/archive"
import type { PageWindow } from "@matchpoint/store/paging/listReader"
import { Effect } from "effect"

interface Query {
  readonly limit?: number
  readonly page?: number
  readonly offset?: number
  readonly cursor?: string
}

/** Number of rows that the database is asked to skip, or the error of the answer. */
const skippedBy = (query: Query) => {
  let skipped: number | undefined
  const list = listHandler({ max: 100 }, (_: { readonly query: Query }, window: PageWindow) => {
    skipped = window.cursor === undefined ? window.offset : 0
    return Effect.succeed({ rows: [], before: window.offset, next: null, total: 0 })
  })
  return list({ query }).pipe(
    Effect.match({
      onFailure: (failure) => ({ skipped, problem: failure instanceof ValidationError ? failure.error : assert.fail(String(failure)) }),
      onSuccess: () => ({ skipped, problem: undefined }),
    }),
  )
}

it.effect("rejects a page that makes the database skip more rows than the bound, and names the cursor", () =>
  Effect.gen(function* () {
    for (const [query, parameter] of [
      [{ page: 5_000, limit: 50 }, "page"],
      [{ page: Number.MAX_SAFE_INTEGER }, "page"],
      [{ offset: MAX_OFFSET + 1 }, "offset"],
    ] as const) {
      const { problem, skipped } = yield* skippedBy(query)
      assert.isUndefined(skipped, JSON.stringify(query))
      assert.include(problem?.message ?? "", `\`${parameter}\` skips`)
      assert.include(problem?.message ?? "", "meta.nextCursor")
      assert.deepInclude(problem?.details, { parameter, max: MAX_OFFSET })
    }
  }),
)

it.effect("reads pages up to the bound, and any page by cursor", () =>
  Effect.gen(function* () {
    assert.strictEqual((yield* skippedBy({ offset: MAX_OFFSET })).skipped, MAX_OFFSET)
    assert.strictEqual((yield* skippedBy({ page: 101, limit: 100 })).skipped, MAX_OFFSET)
    assert.deepStrictEqual(yield* skippedBy({ page: 5_000, cursor: "abc" }), { skipped: 0, problem: undefined })
  }),
)
