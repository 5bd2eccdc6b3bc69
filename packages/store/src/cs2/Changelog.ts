/** Reads what was corrected, merged or kept apart. Writing it is `ArchiveWriter`'s. */
import { PgClient } from "@effect/sql-pg"
import { Change, VALUES_TRUNCATED_AT } from "@matchpoint/contracts/http/cs2/data/referenceModels"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"
import type { Rows } from "./MatchArchive.ts"

/** Undefined: whatever it is. */
export interface ChangeFilter {
  readonly action?: string | undefined
  readonly entityId?: string | undefined
  readonly entityType?: string | undefined
  /** Values as they are, however long. */
  readonly full: boolean
  readonly limit: number
  readonly offset: number
}

export class Changelog extends Context.Service<
  Changelog,
  {
    /** Newest first. */
    readonly changes: (filter: ChangeFilter) => Effect.Effect<Rows<Change>, StoreError>
  }
>()("@matchpoint/store/cs2/Changelog") {
  static readonly layer = Layer.effect(
    Changelog,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const where = ({ action, entityId, entityType }: ChangeFilter) =>
        sql.and([
          sql`true`,
          ...(action === undefined ? [] : [sql`c.action = ${action}`]),
          ...(entityId === undefined ? [] : [sql`c.entity_id = ${entityId}`]),
          ...(entityType === undefined ? [] : [sql`c.entity_type = ${entityType}`]),
        ])

      /** Text or something with parts; what is too long becomes the beginning of its text. */
      const value = (column: "old_value" | "new_value", full: boolean) => {
        const text = sql.literal(`(c.${column} #>> '{}')`)
        return sql`CASE
          WHEN ${text} IS NULL THEN NULL
          WHEN ${!full}::boolean AND length(${text}) > ${VALUES_TRUNCATED_AT} THEN to_jsonb(left(${text}, ${VALUES_TRUNCATED_AT}))
          WHEN jsonb_typeof(c.${sql.literal(column)}) IN ('number', 'boolean') THEN to_jsonb(${text})
          ELSE c.${sql.literal(column)} END`
      }

      const select = (filter: ChangeFilter) =>
        SqlSchema.findAll({
          Request: Schema.Void,
          Result: Schema.Struct({ row: Change }),
          execute: () => sql`
            SELECT jsonb_build_object(
              'id', 'cs2-change-' || c.change_number, 'entityType', c.entity_type, 'entityId', c.entity_id, 'fieldPath', c.field_path,
              'oldValue', ${value("old_value", filter.full)}, 'newValue', ${value("new_value", filter.full)},
              'action', c.action, 'createdAt', iso_utc(c.created_at)) AS row
            FROM cs2_changelog c
            WHERE ${where(filter)}
            ORDER BY c.change_number DESC LIMIT ${filter.limit} OFFSET ${filter.offset}`,
        })()

      const count = (filter: ChangeFilter) =>
        SqlSchema.findNonEmpty({
          Request: Schema.Void,
          Result: Schema.Struct({ total: Counter }),
          execute: () => sql`SELECT count(*) AS total FROM cs2_changelog c WHERE ${where(filter)}`,
        })()

      return Changelog.of({
        changes: Effect.fn("Changelog.changes")(
          function* (filter) {
            const found = yield* select(filter)
            const [{ total }] = yield* Effect.catchTag(count(filter), "NoSuchElementError", Effect.die)
            return { rows: found.map(({ row }) => row), total }
          },
          storeOperation("Changelog.changes", limit),
        ),
      })
    }),
  )
}
