/** Captures the query plan of every statement that an effect sends, as the effect runs. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Statement from "effect/sql/Statement"

export interface Plan {
  readonly statement: string
  /** Tables that the plan scans as a whole. */
  readonly sequential: ReadonlyArray<string>
  /** The plan as PostgreSQL prints it, for reports. */
  readonly text: string
}

interface PlanNode {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly Plans?: ReadonlyArray<PlanNode>
}

const PlanNode = Schema.Struct({
  "Node Type": Schema.String,
  "Relation Name": Schema.optionalKey(Schema.String),
  "Index Name": Schema.optionalKey(Schema.String),
  Plans: Schema.optionalKey(Schema.Array(Schema.suspend((): Schema.Codec<PlanNode> => PlanNode))),
})
const Explained = Schema.Array(Schema.Struct({ "QUERY PLAN": Schema.Array(Schema.Struct({ Plan: PlanNode })) }))
const decodeExplained = Schema.decodeUnknownEffect(Explained)

/**
 * Runs the effect, then explains its SELECTs as a session plans them once for all values (`plannerSettings`), if the
 * argument `generic` is true, else with their actual values. Writes run without being explained.
 */
export const plansOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>, generic = false) {
  const sql = yield* SqlClient.SqlClient
  const sent: Array<readonly [string, ReadonlyArray<unknown>]> = []
  yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      sent.push(statement.compile())
      return statement
    }),
  )
  const reading = sent.filter(([text]) => /^[\s(]*(SELECT|WITH)\b/i.test(text))
  return yield* Effect.forEach(reading, ([statement, values]) =>
    Effect.gen(function* () {
      const explain = generic ? explainedOnce(sql, statement, values.length) : sql.unsafe(`EXPLAIN (FORMAT JSON) ${statement}`, values)
      const explained = yield* decodeExplained(yield* explain)
      const roots = explained.flatMap((row) => row["QUERY PLAN"].map(({ Plan }) => Plan))
      const nodes = roots.flatMap(flat)
      const sequential = nodes.flatMap((node) => (node["Node Type"] === "Seq Scan" ? (node["Relation Name"] ?? []) : []))
      return { statement, sequential, text: roots.map((root) => planText(root)).join("\n") } satisfies Plan
    }),
  )
})

/** A generic plan does not depend on the values, so they are all NULL. */
const explainedOnce = (sql: SqlClient.SqlClient, statement: string, values: number) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* sql.unsafe(`PREPARE explained AS ${statement}`)
      const nulls = values === 0 ? "" : `(${Array.from({ length: values }, () => "NULL").join(", ")})`
      const rows = yield* sql.unsafe(`EXPLAIN (FORMAT JSON) EXECUTE explained${nulls}`)
      yield* sql.unsafe("DEALLOCATE explained")
      return rows
    }),
  )

/** Returns a line per scan of a large table. Empty if there are none. */
export const largeScans = (plans: ReadonlyArray<Plan>, largeTables: ReadonlySet<string>): ReadonlyArray<string> =>
  plans.flatMap(({ sequential, statement, text }) =>
    sequential
      .filter((table) => largeTables.has(table))
      .map((table) => `${table} is read from end to end by\n${statement.trim()}\n${text}`),
  )

const flat = (node: PlanNode): ReadonlyArray<PlanNode> => [node, ...(node.Plans ?? []).flatMap(flat)]

const planText = (node: PlanNode, depth = 0): string =>
  [
    `${"  ".repeat(depth)}${node["Node Type"]} ${node["Relation Name"] ?? ""} ${node["Index Name"] ?? ""}`.trimEnd(),
    ...(node.Plans ?? []).map((plan) => planText(plan, depth + 1)),
  ].join("\n")
