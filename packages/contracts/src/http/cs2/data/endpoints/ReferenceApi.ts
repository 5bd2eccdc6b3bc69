/** What there is and how fresh it is: overview, freshness, changelog, catalogs, and the descriptor of webhooks. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../../../Authentication.ts"
import { ConditionalGet } from "../../../ConditionalGet.ts"
import { NoMeta, success } from "../../../envelope.ts"
import { archiveErrors, CursorPaging, cursorPaging, cursorQuery, describe, Flag } from "../../../listing.ts"
import { Metering, Section } from "../../../Metering.ts"
import { RequestRules } from "../../../RequestRules.ts"
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
import { Words } from "../references.ts"

const filter = (description: string) => Schema.optionalKey(Words.annotate({ description }))

export const changelogQuery = {
  ...cursorQuery,
  action: filter("`created`, `updated`, `merged` or `merge_rejected`"),
  entity_id: filter("Changes of this entity, `cs2-team-1`"),
  entity_type: filter("`team`, `player`, `event`, `match`"),
  full: Schema.optionalKey(Flag.annotate({ description: "Complete values, together with `entity_id`" })),
} as const

const mapPool = { success: success(MapPool, NoMeta), error: archiveErrors } as const
const poolText = describe(
  "Active map pool",
  "The active duty pool of today, and the maps that have left it. `/cs2/map-pool` and `/cs2/maps/pool` are the same.",
)

const webhooks = { success: WebhookAnswer, error: archiveErrors } as const
const webhookText = describe(
  "Webhook descriptor",
  "Which events webhooks tell, and how they are signed. Creates no subscription; `delivery_available` says whether this server sends them. `/cs2/webhooks` and `/cs2/webhooks/events` are the same.",
)

export class ReferenceApi extends HttpApiGroup.make("cs2-reference")
  .add(
    HttpApiEndpoint.get("overview", "/cs2", { success: success(Overview, NoMeta), error: archiveErrors }).annotateMerge(
      describe("Overview", "How much of everything there is, counted once a minute, and where to ask for it."),
    ),
    HttpApiEndpoint.get("sync", "/cs2/status/sync", { success: success(SyncHealth, NoMeta), error: archiveErrors }).annotateMerge(
      describe("Freshness", "When the archive was written last, and by whom; looked up once in ten seconds."),
    ),
    HttpApiEndpoint.get("changelog", "/cs2/changelog", {
      query: changelogQuery,
      success: success(Schema.Array(Change), Schema.Struct({ ...cursorPaging, valuesTruncatedAt: Schema.NullOr(Schema.Natural) })),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Changelog",
        `What was corrected, merged or kept apart in the archive, newest first. \`limit\` is at most 200. Values longer than ${VALUES_TRUNCATED_AT} characters are cut, as \`meta.valuesTruncatedAt\` says; it is null with \`full=true\` and \`entity_id\`. It tells of the data, not of matches: every plan sees all of it.`,
      ),
    ),
    HttpApiEndpoint.get("webhooks", "/cs2/webhooks", webhooks).annotateMerge(webhookText),
    HttpApiEndpoint.get("webhookEvents", "/cs2/webhooks/events", webhooks).annotateMerge(webhookText),
    HttpApiEndpoint.get("weapons", "/cs2/weapons", {
      success: success(Schema.Array(Weapon), StaticCatalog),
      error: archiveErrors,
    }).annotateMerge(describe("Weapons", "Every weapon that statistics and events may name.")),
    HttpApiEndpoint.get("regions", "/cs2/regions", {
      success: success(Schema.Array(Region), StaticCatalog),
      error: archiveErrors,
    }).annotateMerge(describe("Regions", "The regions that teams and rankings carry.")),
    HttpApiEndpoint.get("leagues", "/cs2/leagues", {
      query: cursorQuery,
      success: success(Schema.Array(EventRow), CursorPaging),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Leagues",
        "One row per series of events whose names differ by year, season or number only: its newest edition. The league that was played last comes first; those whose newest edition was over before your plan's history are left out. `limit` is at most 200.",
      ),
    ),
    HttpApiEndpoint.get("maps", "/cs2/maps", {
      success: success(Schema.Array(MapRow), StaticCatalog),
      error: archiveErrors,
    }).annotateMerge(describe("Maps", "Every map that is or was played in competition.")),
    HttpApiEndpoint.get("mapPool", "/cs2/map-pool", mapPool).annotateMerge(poolText),
    HttpApiEndpoint.get("mapsPool", "/cs2/maps/pool", mapPool).annotateMerge(poolText),
  )
  .annotate(Section, "cs2")
  .middleware(ConditionalGet)
  .middleware(Metering)
  .middleware(Authentication)
  .middleware(RequestRules)
  .annotateMerge(
    OpenApi.annotations({ title: "CS2 reference", description: "Overview, freshness, changelog, catalogs, webhook descriptor." }),
  ) {}
