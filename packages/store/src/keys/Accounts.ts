/** Customer accounts and their contract terms. API keys belong to `KeyRegister`, usage to `UsageLedger`. */
import { PgClient } from "@effect/sql-pg"
import { AccountId, hasFeature, Terms } from "@matchpoint/domain/accounts"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeFn } from "../StoreError.ts"

export interface StoredAccount extends Terms {
  readonly accountId: AccountId
  readonly name: string
  /** Epoch ms. */
  readonly createdAt: number
}

export class Accounts extends Context.Service<
  Accounts,
  {
    readonly create: (name: string, terms: Terms) => Effect.Effect<StoredAccount, StoreError>
    readonly get: (accountId: AccountId) => Effect.Effect<Option.Option<StoredAccount>, StoreError>
    /** Newest first. `total` counts all pages together. */
    readonly list: (page: {
      readonly limit: number
      readonly offset: number
    }) => Effect.Effect<{ readonly accounts: ReadonlyArray<StoredAccount>; readonly total: number }, StoreError>
    /**
     * None if the account does not exist. A new plan without webhooks pauses the account's active webhook subscriptions;
     * a later plan with webhooks makes them active again.
     */
    readonly update: (accountId: AccountId, name: string, terms: Terms) => Effect.Effect<Option.Option<StoredAccount>, StoreError>
  }
>()("@matchpoint/store/keys/Accounts") {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const columns = sql.literal(`
        account_id AS "accountId", name, plan, add_ons AS "addOns", game, requests_per_month AS "requestsPerMonth",
        requests_per_second AS "requestsPerSecond", floor(extract(epoch FROM created_at) * 1000)::bigint AS "createdAt"`)

      const insert = SqlSchema.findNonEmpty({
        Request: NewAccountRow,
        Result: AccountRow,
        execute: (row) => sql`
          INSERT INTO accounts (name, plan, add_ons, game, requests_per_month, requests_per_second)
          VALUES (${row.name}, ${row.plan}, ${row.addOns}::text[], ${row.game}, ${row.requestsPerMonth}, ${row.requestsPerSecond})
          RETURNING ${columns}`,
      })

      const select = SqlSchema.findOneOption({
        Request: AccountId,
        Result: AccountRow,
        execute: (accountId) => sql`SELECT ${columns} FROM accounts WHERE account_id = ${accountId}`,
      })

      const selectPage = SqlSchema.findAll({
        Request: Page,
        Result: AccountRow,
        execute: (page) => sql`
          SELECT ${columns} FROM accounts ORDER BY created_at DESC, account_id LIMIT ${page.limit} OFFSET ${page.offset}`,
      })

      const count = SqlSchema.findNonEmpty({
        Request: Schema.Void,
        Result: Schema.Struct({ total: Counter }),
        execute: () => sql`SELECT count(*) AS total FROM accounts`,
      })

      const change = SqlSchema.findOneOption({
        Request: Schema.Struct({ accountId: AccountId, hasWebhooks: Schema.Boolean, ...NewAccountRow.fields }),
        Result: AccountRow,
        execute: (row) => sql`
          WITH paused AS (
            UPDATE webhook_subscriptions SET status = 'paused', status_reason = 'plan', changed_at = now()
            WHERE account_id = ${row.accountId} AND status = 'active' AND NOT ${row.hasWebhooks}
          ),
          resumed AS (
            UPDATE webhook_subscriptions SET status = 'active', status_reason = NULL, changed_at = now()
            WHERE account_id = ${row.accountId} AND status_reason = 'plan' AND ${row.hasWebhooks}
          )
          UPDATE accounts SET name = ${row.name}, plan = ${row.plan}, add_ons = ${row.addOns}::text[], game = ${row.game},
            requests_per_month = ${row.requestsPerMonth}, requests_per_second = ${row.requestsPerSecond}
          WHERE account_id = ${row.accountId}
          RETURNING ${columns}`,
      })

      return Accounts.of({
        create: storeFn("Accounts.create", limit, (name, terms) =>
          Effect.map(
            // INSERT ... RETURNING returns a row or fails, so an empty result is a bug.
            Effect.catchTag(insert({ name, ...terms }), "NoSuchElementError", Effect.die),
            ([account]) => account,
          ),
        ),
        get: storeFn("Accounts.get", limit, select),
        list: storeFn("Accounts.list", limit, function* (page) {
          const accounts = yield* selectPage(page)
          const [{ total }] = yield* Effect.catchTag(count(), "NoSuchElementError", Effect.die)
          return { accounts, total }
        }),
        update: storeFn("Accounts.update", limit, (accountId, name, terms) =>
          change({ accountId, name, ...terms, hasWebhooks: hasFeature(terms, "webhooks") }),
        ),
      })
    }),
  )
}

const Page = Schema.Struct({ limit: Schema.Natural, offset: Schema.Natural })

const NewAccountRow = Schema.Struct({ name: Schema.String, ...Terms.fields })

const AccountRow = Schema.Struct({
  accountId: AccountId,
  name: Schema.String,
  ...Terms.fields,
  requestsPerMonth: Counter,
  createdAt: Counter,
})
