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

/**
 * Tables that have a thousand rows or more with full data, or that grow with every match. They must not be scanned
 * while a customer waits.
 */
export const largeTables: ReadonlySet<string> = new Set([
  "cs2_players",
  "cs2_names",
  "cs2_event_teams",
  "cs2_team_players",
  "cs2_roster_spells",
  "cs2_prizes",
  "cs2_skins",
  "cs2_stats_teams",
  "cs2_series",
  "cs2_games",
  "cs2_lineups",
  "cs2_player_games",
  "cs2_rounds",
  "cs2_game_events",
  "cs2_weapon_games",
  "cs2_rankings",
  "cs2_roster_changes",
  "cs2_transfers",
  "cs2_changelog",
  "cs2_search",
  "cs2_odds_markets",
  "cs2_odds_prices",
  "cs2_skin_prices",
  "cs2_stats_players",
])

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

/** Runs the effect, then explains its SELECTs with their actual values. Writes run without being explained. */
export const plansOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const sent: Array<readonly [string, ReadonlyArray<unknown>]> = []
  yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      sent.push(statement.compile())
      return statement
    }),
  )
  const reading = sent.filter(([text]) => /^\s*(SELECT|WITH)\b/i.test(text))
  return yield* Effect.forEach(reading, ([statement, values]) =>
    Effect.gen(function* () {
      const explained = yield* decodeExplained(yield* sql.unsafe(`EXPLAIN (FORMAT JSON) ${statement}`, values))
      const roots = explained.flatMap((row) => row["QUERY PLAN"].map(({ Plan }) => Plan))
      const nodes = roots.flatMap(flat)
      const sequential = nodes.flatMap((node) => (node["Node Type"] === "Seq Scan" ? (node["Relation Name"] ?? []) : []))
      return { statement, sequential, text: roots.map((root) => planText(root)).join("\n") } satisfies Plan
    }),
  )
})

/** Returns a line per scan of a large table. Empty if there are none. */
export const largeScans = (plans: ReadonlyArray<Plan>): ReadonlyArray<string> =>
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
