/** Models of the reference endpoints: catalogs, overview, sync status, changelog, and description of webhooks. */
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { regions } from "../../../rules/archive/regions.ts"
import { ScoreUpdatedData } from "../../webhookEvents.ts"

const nullable = Schema.NullOr
const Text = Schema.String
const Count = Schema.Natural

/** Date, e.g. `2026-11-22`. */
export const Day = Text.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/u))

export const StaticCatalog = Schema.Struct({ source: Schema.Literal("static_catalog"), count: Count }).annotate({
  identifier: "StaticCatalog",
})

export const Weapon = Schema.Struct({
  id: Text.annotate({ description: "Id used in statistics and events" }),
  slug: Text,
  name: Text,
  category: Schema.Literals(["pistol", "smg", "shotgun", "rifle", "sniper", "machine-gun", "grenade", "equipment", "knife"]),
}).annotate({ identifier: "Weapon" })

export const Region = Schema.Struct({ id: Schema.Literals(regions.map(({ id }) => id)), slug: Text, name: Text }).annotate({
  identifier: "Region",
})

const mapPictures = { mapNameCanonical: Text, imageUrl: Text, mapImageUrl: Text, coverImageUrl: Text } as const

export const MapRow = Schema.Struct({ id: Text, slug: Text, name: Text, ...mapPictures }).annotate({ identifier: "GameMap" })
export type MapRow = typeof MapRow.Type

const poolEntry = {
  id: Text,
  slug: Text,
  name: Text,
  status: Schema.Literals(["in_pool", "removed"]),
  inPoolSince: Day,
  removedAt: nullable(Day),
  ...mapPictures,
  inPool: Schema.Boolean,
} as const

export const PoolEntry = Schema.Struct(poolEntry).annotate({ identifier: "PoolEntry" })
export type PoolEntry = typeof PoolEntry.Type

export const MapPool = Schema.Struct({
  entityType: Schema.Literal("cs2_active_duty_map_pool"),
  asOf: Day,
  poolName: Text,
  inPoolCount: Count,
  maps: Schema.Array(
    // Only maps of a match have `pickTeamId` and `objectiveStats`. For maps of the pool, they are always null.
    Schema.Struct({ ...poolEntry, pickTeamId: Schema.Null, objectiveStats: Schema.Null }),
  ),
  inPool: Schema.Array(PoolEntry),
  removed: Schema.Array(PoolEntry),
}).annotate({ identifier: "MapPool" })
export type MapPool = typeof MapPool.Type

export const Coverage = Schema.Struct({
  matches: Count,
  live: Count.annotate({ description: "Live matches that `GET /cs2/live` lists for your key" }),
  upcoming: Count,
  teams: Count,
  players: Count,
  events: Count,
  rosterChanges: Count,
  demos: Count.annotate({ description: "Matches that have a demo link" }),
  playerPeriodStats: Count.annotate({ description: "Number of player months with at least one map" }),
  teamPeriodStats: Count.annotate({ description: "Number of team months with at least one map" }),
}).annotate({ identifier: "DataCoverage" })
export type Coverage = typeof Coverage.Type

export const Overview = Schema.Struct({
  entityType: Schema.Literal("cs2_api_overview"),
  name: Text,
  status: Schema.Literal("beta"),
  coverage: Coverage,
  endpoints: Schema.Record(Text, Text).annotate({ description: "Path of each endpoint by name, relative to the API root" }),
}).annotate({ identifier: "Overview" })

export const SyncHealth = Schema.Struct({
  entity_type: Schema.Literal("cs2_sync_health"),
  current_status: Schema.Literals(["healthy", "degraded", "empty"]).annotate({
    description: "`degraded`: an import started more than an hour ago and has not finished; `empty`: no data has been imported yet",
  }),
  freshness: Schema.Literals(["fresh", "stale"]).annotate({ description: "`fresh`: data was synced in the last 24 hours" }),
  last_successful_sync_at: nullable(Timestamp),
  checked_at: Timestamp,
  sources: Schema.Array(
    Schema.Struct({
      source: Text,
      files: Count,
      unfinished_files: Count,
      records_written: Count,
      records_rejected: Count,
      last_finished_at: nullable(Timestamp),
    }),
  ),
}).annotate({ identifier: "SyncHealth" })
export type SyncHealth = typeof SyncHealth.Type

/** A string or an object. Numbers, booleans and lists are JSON text; a missing value is an empty string. */
const ChangedValue = Schema.Union([Text, Schema.Record(Text, Schema.Unknown)])

export const Change = Schema.Struct({
  id: Text,
  entityType: Text,
  entityId: Text,
  fieldPath: Text,
  oldValue: ChangedValue,
  newValue: ChangedValue,
  action: Text.annotate({ description: "`created`, `updated`, `merged` or `merge_rejected`" }),
  createdAt: Timestamp,
}).annotate({ identifier: "ChangelogEntry" })
export type Change = typeof Change.Type

/** In characters. Longer values in the changelog are truncated unless the request asks for full values. */
export const VALUES_TRUNCATED_AT = 500

const descriptor = {
  available_on_plans: Schema.Array(Text),
  delivery_available: Schema.Boolean.annotate({ description: "true: this server sends webhooks" }),
  management_endpoint: Text,
  create_endpoint: Text,
  events: Schema.Array(Text).annotate({ description: "Names of all CS2 events that a webhook can subscribe to" }),
  example_payload: Schema.Struct({ event: Text, id: Text, timestamp: Timestamp, data: ScoreUpdatedData }).annotate({
    description: "Body of a request that reports the event `cs2.score.updated`",
  }),
  signature_headers: Schema.Array(Text),
  signing: Text,
  live_sse_stream: Text,
  docs: Text,
} as const

export const WebhookDescriptor = Schema.Struct(descriptor).annotate({ identifier: "WebhookDescriptor" })
export type WebhookDescriptor = typeof WebhookDescriptor.Type

/** The same fields twice: at the top level, beside `success` and `meta`, and in `data`. */
export const WebhookAnswer = Schema.Struct({
  success: Schema.Literal(true),
  ...descriptor,
  data: WebhookDescriptor,
  meta: Schema.Struct({}),
}).annotate({ identifier: "WebhookAnswer" })
