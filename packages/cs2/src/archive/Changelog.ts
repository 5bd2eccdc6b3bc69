/** Reads the changelog: corrections, merges and rejected merges. `ArchiveWriter` writes it. */
import { PgClient } from "@effect/sql-pg"
import type { Order } from "@matchpoint/store/paging/cursor"
import { type ForeignCursor, type Listed, type PageWindow, readList } from "@matchpoint/store/paging/listReader"
import { OperationTimeout, type StoreError } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer } from "effect"
import { Change, VALUES_TRUNCATED_AT } from "../contract/http/data/referenceModels.ts"

export interface ChangeFilter extends PageWindow {
  readonly action?: string | undefined
  readonly entityId?: string | undefined
  readonly entityType?: string | undefined
  /** If false, long values are truncated. */
  readonly full: boolean
}

export class Changelog extends Context.Service<
  Changelog,
  {
    /** Lists changes, newest first. */
    readonly changes: (filter: ChangeFilter) => Effect.Effect<Listed<Change>, StoreError | ForeignCursor>
  }
>()("@matchpoint/cs2/archive/Changelog") {
  static readonly layer = Layer.effect(
    Changelog,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const where = ({ action, entityId, entityType }: ChangeFilter) =>
        sql.and([
          sql`true`,
          ...(action === undefined ? [] : [sql`c.action = ${action}`]),
          ...(entityId === undefined ? [] : [sql`c.entity_id = ${entityId}`]),
          ...(entityType === undefined ? [] : [sql`c.entity_type = ${entityType}`]),
        ])

      /** SQL for a value of a change: an object or text. Unless `full`, a value that is too long is truncated text. */
      const value = (column: "old_value" | "new_value", full: boolean) => {
        const text = sql.literal(`(c.${column} #>> '{}')`)
        return sql`CASE
          WHEN ${text} IS NULL THEN '""'::jsonb
          WHEN ${!full}::boolean AND length(${text}) > ${VALUES_TRUNCATED_AT} THEN to_jsonb(left(${text}, ${VALUES_TRUNCATED_AT}))
          WHEN jsonb_typeof(c.${sql.literal(column)}) <> 'object' THEN to_jsonb(${text})
          ELSE c.${sql.literal(column)} END`
      }

      return Changelog.of({
        changes: (filter) =>
          readList(
            sql,
            {
              model: Change,
              order: NEWEST,
              from: sql`cs2_changelog c WHERE ${where(filter)}`,
              of: "cs2_changelog c",
              key: ["change_number"],
              row: sql`jsonb_build_object(
                'id', 'cs2-change-' || c.change_number, 'entityType', c.entity_type, 'entityId', c.entity_id, 'fieldPath', c.field_path,
                'oldValue', ${value("old_value", filter.full)}, 'newValue', ${value("new_value", filter.full)},
                'action', c.action, 'createdAt', iso_utc(c.created_at))`,
            },
            filter,
            { name: "Changelog.changes", timeout },
          ),
      })
    }),
  )
}

const NEWEST: Order = { name: "changelog-newest", keys: [{ of: "c.change_number", type: "bigint", descending: true }] }
