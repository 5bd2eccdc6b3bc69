import { randomUUID } from "node:crypto"
import { assert, type Vitest } from "@effect/vitest"
import { AccountId, Terms, termsOf } from "@matchpoint/domain/accounts"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../src/keys/Accounts.ts"

export const accountsContract = (it: Vitest.MethodsNonLive<Accounts | SqlClient.SqlClient>) => {
  it.effect.prop(
    "returns the terms as stored, with and without add-ons and a game",
    [Terms.check(isStorable)],
    ([terms]) =>
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const created = yield* accounts.create("any", terms)
        assert.deepStrictEqual(Terms.make(created), terms)
        assert.deepStrictEqual(yield* accounts.get(created.accountId), Option.some(created))
      }),
    { arbitrary: { runs: 25 } },
  )

  it.effect("changes the name and terms of one account and keeps its creation time", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const created = yield* accounts.create("small", termsOf("starter", { game: "tennis" }))
      const untouched = yield* accounts.create("other", termsOf("free"))
      const terms = termsOf("pro", { addOns: ["live-websockets"], requestsPerMonth: 2_000_000 })
      const changed = yield* accounts.update(created.accountId, "larger", terms)
      const { accountId, createdAt } = created
      assert.deepStrictEqual(changed, Option.some({ accountId, name: "larger", ...terms, createdAt }))
      assert.deepStrictEqual(yield* accounts.get(created.accountId), changed)
      assert.deepStrictEqual(yield* accounts.get(untouched.accountId), Option.some(untouched))
      const unknownAccount = AccountId.make(randomUUID())
      assert.isTrue(Option.isNone(yield* accounts.update(unknownAccount, "nobody", terms)))
      assert.isTrue(Option.isNone(yield* accounts.get(unknownAccount)))
    }),
  )

  it.effect("lists accounts newest first, each on exactly one page", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const sql = yield* SqlClient.SqlClient
      const made: Array<AccountId> = []
      for (let index = 1; index <= 5; index += 1) {
        const { accountId } = yield* accounts.create(`listed ${index}`, termsOf("free"))
        // Spreads creation times, because a driver's clock may be too coarse to distinguish them.
        yield* sql`UPDATE accounts SET created_at = created_at + ${index}::int * interval '1 hour' WHERE account_id = ${accountId}`
        made.push(accountId)
      }
      const pages = yield* Effect.forEach([0, 2, 4], (offset) => accounts.list({ limit: 2, offset }))
      const listed = pages.flatMap((page) => page.accounts.map(({ accountId }) => accountId))
      assert.deepStrictEqual(listed.slice(0, 5), made.toReversed())
      assert.isAtLeast(pages[0]?.total ?? 0, 5)
      const beyond = yield* accounts.list({ limit: 2, offset: 1_000_000 })
      assert.deepStrictEqual(beyond.accounts, [])
    }),
  )
}

/** Terms that fit the columns: a positive integer rate. The quota column is a bigint. */
const isStorable = Schema.makeFilter<Terms>(({ requestsPerSecond }) => requestsPerSecond > 0 && requestsPerSecond < 2 ** 31)
