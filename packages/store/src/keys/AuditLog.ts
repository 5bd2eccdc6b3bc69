/**
 * Append-only log of the changes that operators made. The operator is recorded as stated in the request, without
 * verification.
 */
import { PgClient } from "@effect/sql-pg"
import { AccountId, ApiKeyId } from "@matchpoint/domain/accounts"
import { Context, Data, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../Counter.ts"
import { holdUntilCommit } from "../database/advisoryLock.ts"
import { failOnLostConnection, OperationTimeout, StoreError, storeFn } from "../StoreError.ts"

export interface Action {
  readonly actor: string
  readonly address: string | null
  readonly requestId: string
  readonly action: string
  readonly accountId: AccountId | null
  readonly keyId: ApiKeyId | null
  /** Any JSON value. Never contains a secret. */
  readonly details: unknown
}

export interface AuditRow extends Action {
  readonly id: number
  /** Epoch ms. */
  readonly at: number
}

export class AuditLog extends Context.Service<
  AuditLog,
  {
    /**
     * Runs `change` and adds `describe(result)` to the log in one transaction, which includes everything that
     * repositories of this package write inside `change`. Such changes run one at a time across all gateways, so that no
     * change is based on data that another one is about to alter. Fails with the error of `change`, or with StoreError
     * if the log entry or the transaction fails.
     */
    readonly recorded: <A, E, R>(change: Effect.Effect<A, E, R>, describe: (done: A) => Action) => Effect.Effect<A, E | StoreError, R>
    /** Newest first. `total` counts all pages together. */
    readonly list: (page: {
      readonly limit: number
      readonly offset: number
    }) => Effect.Effect<{ readonly rows: ReadonlyArray<AuditRow>; readonly total: number }, StoreError>
  }
>()("@matchpoint/store/keys/AuditLog") {
  static readonly layer = Layer.effect(
    AuditLog,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const oneByOne = holdUntilCommit(sql, "admin")

      const insert = (action: Action) => sql`
        INSERT INTO audit_log (actor, address, request_id, action, account_id, key_id, details)
        VALUES (${action.actor}, ${action.address}, ${action.requestId}, ${action.action}, ${action.accountId}, ${action.keyId},
          ${sql.json(action.details)})`

      const select = SqlSchema.findAll({
        Request: Schema.Struct({ limit: Schema.Natural, offset: Schema.Natural }),
        Result: Row,
        execute: (page) => sql`
          SELECT id, floor(extract(epoch FROM at) * 1000)::bigint AS at, actor, address, request_id AS "requestId", action,
            account_id AS "accountId", key_id AS "keyId", details
          FROM audit_log ORDER BY id DESC LIMIT ${page.limit} OFFSET ${page.offset}`,
      })

      const count = SqlSchema.findNonEmpty({
        Request: Schema.Void,
        Result: Schema.Struct({ total: Counter }),
        execute: () => sql`SELECT count(*) AS total FROM audit_log`,
      })

      return AuditLog.of({
        recorded: (change, describe) =>
          oneByOne.pipe(
            Effect.andThen(Effect.mapError(change, (error) => new Refused({ error }))),
            Effect.tap((done) => insert(describe(done))),
            sql.withTransaction,
            failOnLostConnection,
            Effect.timeout(limit),
            Effect.mapError((error) =>
              error instanceof Refused ? error.error : new StoreError({ operation: "AuditLog.recorded", cause: error }),
            ),
            Effect.withSpan("AuditLog.recorded"),
          ),
        list: storeFn("AuditLog.list", limit, function* (page) {
          const rows = yield* select(page)
          const [{ total }] = yield* Effect.catchTag(count(), "NoSuchElementError", Effect.die)
          return { rows, total }
        }),
      })
    }),
  )
}

/** Distinguishes an error of `change` from a failure of the surrounding transaction. */
class Refused<E> extends Data.Error<{ readonly error: E }> {}

const Row = Schema.Struct({
  id: Counter,
  at: Counter,
  actor: Schema.String,
  address: Schema.NullOr(Schema.String),
  requestId: Schema.String,
  action: Schema.String,
  accountId: Schema.NullOr(AccountId),
  keyId: Schema.NullOr(ApiKeyId),
  details: Schema.Unknown,
})
