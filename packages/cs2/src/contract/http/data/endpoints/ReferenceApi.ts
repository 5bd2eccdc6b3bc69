/** Content and freshness of the archive: overview, sync status, changelog, catalogs, and the webhooks. */
import { NoMeta, success } from "@matchpoint/contracts/http/envelope"
import { archiveErrors, CursorPaging, cursorPaging, cursorQuery, describe, Flag } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { EventRow } from "../models.ts"
import {
  Change,
  MapPool,
  MapRow,
  Overview,
  Region,
  StaticCatalog,
  SyncHealth,
  VALUES_TRUNCATED_AT,
  Weapon,
  WebhookAnswer,
} from "../referenceModels.ts"
import { PlainText } from "../references.ts"

const filter = (description: string) => Schema.optionalKey(PlainText.annotate({ description }))

export const changelogQuery = {
  ...cursorQuery,
  action: filter("Only changes with this action: `created`, `updated`, `merged` or `merge_rejected`"),
  entity_id: filter("Only changes of this entity, for example `cs2-team-1`"),
  entity_type: filter("Only changes of this type of entity: `team`, `player`, `event` or `match`"),
  full: Schema.optionalKey(Flag.annotate({ description: "true: values are not shortened. Requires `entity_id`" })),
} as const

const mapPool = { success: success(MapPool, NoMeta), error: archiveErrors } as const
const poolText = describe(
  "Active map pool",
  "Today's active duty map pool, and the maps that have left it. `/cs2/map-pool` and `/cs2/maps/pool` return the same.",
)

const webhooks = { success: WebhookAnswer, error: archiveErrors } as const
const webhookText = describe(
  "Webhook descriptor",
  "Events that webhooks report, and how requests are signed. Creates no subscription. `delivery_available` is true if this server sends webhooks. `/cs2/webhooks` and `/cs2/webhooks/events` return the same.",
)

export class ReferenceApi extends HttpApiGroup.make("cs2-reference")
  .add(
    HttpApiEndpoint.get("overview", "/cs2", { success: success(Overview, NoMeta), error: archiveErrors }).annotateMerge(
      describe("Overview", "Number of matches, teams, players and other entities, counted once a minute, and the paths that return them."),
    ),
    HttpApiEndpoint.get("sync", "/cs2/status/sync", { success: success(SyncHealth, NoMeta), error: archiveErrors }).annotateMerge(
      describe("Freshness", "Last write to the archive and its source. Refreshed every ten seconds."),
    ),
    HttpApiEndpoint.get("changelog", "/cs2/changelog", {
      query: changelogQuery,
      success: success(Schema.Array(Change), Schema.Struct({ ...cursorPaging, valuesTruncatedAt: Schema.NullOr(Schema.Natural) })),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Changelog",
        `Corrections, merges and rejected merges in the archive, newest first. Values are cut after ${VALUES_TRUNCATED_AT} characters (\`meta.valuesTruncatedAt\`); with \`full=true\` and \`entity_id\` they are complete, and \`meta.valuesTruncatedAt\` is null. Every plan sees the whole changelog. \`limit\` is at most 200.`,
      ),
    ),
    HttpApiEndpoint.get("webhooks", "/cs2/webhooks", webhooks).annotateMerge(webhookText),
    HttpApiEndpoint.get("webhookEvents", "/cs2/webhooks/events", webhooks).annotateMerge(webhookText),
    HttpApiEndpoint.get("weapons", "/cs2/weapons", {
      success: success(Schema.Array(Weapon), StaticCatalog),
      error: archiveErrors,
    }).annotateMerge(describe("Weapons", "Every weapon that statistics and events can contain.")),
    HttpApiEndpoint.get("regions", "/cs2/regions", {
      success: success(Schema.Array(Region), StaticCatalog),
      error: archiveErrors,
    }).annotateMerge(describe("Regions", "The regions used by teams and rankings.")),
    HttpApiEndpoint.get("leagues", "/cs2/leagues", {
      query: cursorQuery,
      success: success(Schema.Array(EventRow), CursorPaging),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Leagues",
        "The newest edition of each league. Events belong to one league if their names differ only by year, season or number. Most recently played league first. Leagues whose newest edition ended before your plan's history are left out. `limit` is at most 200.",
      ),
    ),
    HttpApiEndpoint.get("maps", "/cs2/maps", {
      success: success(Schema.Array(MapRow), StaticCatalog),
      error: archiveErrors,
    }).annotateMerge(describe("Maps", "Every map that is or was played competitively.")),
    HttpApiEndpoint.get("mapPool", "/cs2/map-pool", mapPool).annotateMerge(poolText),
    HttpApiEndpoint.get("mapsPool", "/cs2/maps/pool", mapPool).annotateMerge(poolText),
  )
  .pipe(sectionReads("cs2"))
  .annotateMerge(
    OpenApi.annotations({ title: "CS2 reference", description: "Overview, freshness, changelog, catalogs, webhook descriptor." }),
  ) {}
