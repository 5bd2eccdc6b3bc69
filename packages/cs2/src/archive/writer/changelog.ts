/**
 * Writes the changelog: one row per changed field, created entity and rejected merge (a new entity was created although
 * existing ones have the same name).
 */
import { isDeepStrictEqual } from "node:util"
import type { PgClient } from "@effect/sql-pg"
import type { Schema } from "effect"
import { insertRows } from "./bulk.ts"

export interface Change {
  readonly type: "team" | "player" | "event" | "match"
  readonly number: number
  readonly field: string
  readonly action: "created" | "updated" | "merged" | "split" | "merge_rejected"
  readonly before: Schema.Json
  readonly after: Schema.Json
}

/** One entry per changed field. If `before` is undefined, the entity is new: a single entry with `summary`. */
export const changesOf = <R extends Readonly<Record<string, Schema.Json>>>(
  entity: Pick<Change, "type" | "number">,
  before: R | undefined,
  after: R,
  summary: Schema.Json,
  prefix = "",
): ReadonlyArray<Change> =>
  before === undefined
    ? [{ ...entity, field: `${prefix}*`, action: "created", before: null, after: summary }]
    : Object.keys(after).flatMap((field) => {
        const [old = null, now = null] = [before[field], after[field]]
        return isDeepStrictEqual(old, now)
          ? []
          : [{ ...entity, field: `${prefix}${field}`, action: "updated" as const, before: old, after: now }]
      })

export const writeChanges = (sql: PgClient.PgClient, changes: ReadonlyArray<Change>) =>
  insertRows(
    sql,
    "cs2_changelog",
    changes.map(({ action, after, before, field, number, type }) => ({
      entity_type: type,
      entity_id: `cs2-${type}-${number}`,
      field_path: field,
      old_value: before,
      new_value: after,
      action,
    })),
  )
