/** What operators changed, and who says to have done it. Rows are only ever added. */
import type { AccountId, ApiKeyId } from "@matchpoint/domain/accounts"
import { Context, Effect, Layer } from "effect"
import type { StoreError } from "./StoreError.ts"

export interface Action {
  readonly actor: string
  readonly address: string | null
  readonly requestId: string
  readonly action: string
  readonly accountId: AccountId | null
  readonly keyId: ApiKeyId | null
  /** JSON; never a secret. */
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
    /** Does `change` and records `describe` of what it gave, both or neither. */
    readonly recorded: <A, E, R>(change: Effect.Effect<A, E, R>, describe: (done: A) => Action) => Effect.Effect<A, E | StoreError, R>
    /** Newest first. */
    readonly list: (page: {
      readonly limit: number
      readonly offset: number
    }) => Effect.Effect<{ readonly rows: ReadonlyArray<AuditRow>; readonly total: number }, StoreError>
  }
>()("@matchpoint/store/AuditLog") {
  static readonly layer = Layer.succeed(AuditLog, AuditLog.of({ recorded: (change) => change, list: () => Effect.die("being built") }))
}
