import { Caller } from "@matchpoint/contracts/http/Authentication"
import { type Flag, isOn } from "@matchpoint/contracts/http/listing"
import { listHandler, one, reading, since, storeUnavailable } from "@matchpoint/game/edge/archive"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Clock, Duration, Effect, Exit } from "effect"
import { Changelog } from "../../archive/Changelog.ts"
import { Leagues } from "../../archive/events/Leagues.ts"
import { Freshness } from "../../archive/upkeep/Freshness.ts"
import { Cs2Api } from "../../contract/http/Cs2Api.ts"
import { dataLimits } from "../../contract/http/data/dataLimits.ts"
import { VALUES_TRUNCATED_AT } from "../../contract/http/data/referenceModels.ts"
import { regions } from "../../rules/archive/regions.ts"
import { weapons } from "../../rules/archive/weapons.ts"
import { endpointNames } from "./endpointNames.ts"
import { mapRows, poolOf } from "./mapCatalog.ts"
import { webhookDescriptor } from "./webhookDescriptor.ts"

/** Counting reads whole tables, so all callers share one result for this time. */
const COUNTED_FOR = "1 minute"
const LOOKED_UP_FOR = "10 seconds"

export const ReferenceHandlers = endpointGroup(
  Cs2Api,
  "cs2-reference",
  Effect.fn(function* (handlers) {
    const changelog = yield* Changelog
    const freshness = yield* Freshness
    const leagues = yield* Leagues
    const hub = yield* LiveHub
    const coverage = yield* Effect.cachedWithTTL(freshness.coverage, keptFor(COUNTED_FOR))
    const health = yield* Effect.cachedWithTTL(freshness.health, keptFor(LOOKED_UP_FOR))
    const endpoints = endpointNames("cs2")

    const mapPool = () => Effect.map(Clock.currentTimeMillis, (now) => one(poolOf(new Date(now).toISOString().slice(0, 10))))
    const webhooks = () => Effect.succeed({ ...webhookDescriptor, ...one(webhookDescriptor) })

    return handlers.handleAll({
      overview: reading(function* () {
        const { plan } = yield* Caller
        const counted = yield* coverage
        const live = hub.edgeFor(plan).rooms.live().length
        return one({
          entityType: "cs2_api_overview" as const,
          name: "Matchpoint CS2",
          status: "beta" as const,
          coverage: { ...counted, live },
          endpoints,
        })
      }),
      sync: () => Effect.map(health, one).pipe(Effect.catchTag("StoreError", storeUnavailable)),
      changelog: listHandler(
        { max: dataLimits.changelog },
        ({ query }, window) =>
          changelog.changes({
            ...window,
            full: isFull(query),
            action: query.action,
            entityId: query.entity_id,
            entityType: query.entity_type,
          }),
        { meta: (_, { query }) => ({ valuesTruncatedAt: isFull(query) ? null : VALUES_TRUNCATED_AT }) },
      ),
      webhooks,
      webhookEvents: webhooks,
      weapons: () => Effect.succeed(catalog(weapons)),
      regions: () => Effect.succeed(catalog(regions)),
      leagues: listHandler({ max: dataLimits.leagues }, (_, window) =>
        Effect.flatMap(since(), (from) => leagues.list({ ...window, from })),
      ),
      maps: () => Effect.succeed(catalog(mapRows)),
      mapPool,
      mapsPool: mapPool,
    })
  }),
)

const isFull = (query: { readonly full?: Flag | undefined; readonly entity_id?: string | undefined }): boolean =>
  isOn(query.full) && query.entity_id !== undefined

/** Failures are not cached. */
const keptFor = (duration: Duration.Input) => (exit: Exit.Exit<unknown, unknown>) => (Exit.isSuccess(exit) ? duration : Duration.zero)

const catalog = <A>(rows: ReadonlyArray<A>) => ({
  success: true as const,
  data: rows,
  meta: { source: "static_catalog" as const, count: rows.length },
})
