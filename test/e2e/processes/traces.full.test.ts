/** Tests traces: a fact is followed from the post to a feed process over the match process to the sockets of a gateway. */
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { freePort } from "@matchpoint/testing/freePorts"
import { eventually } from "@matchpoint/testing/realTime"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Clock, Effect, Redacted } from "effect"
import { inject } from "vitest"
import { factsOf } from "../../fixtures/gameChannels.ts"
import { ownNats } from "../../fixtures/outages.ts"
import { serviceProcess } from "../../fixtures/processes/serviceProcess.ts"
import { traceCollector } from "../../fixtures/processes/traceCollector.ts"
import { tennisEvents, tennisMatch } from "../../fixtures/tennis/simulatedTennis.ts"

const databaseUrl = inject("databaseUrl")
const FEED_TOKEN = "a-feed-token-of-this-test"
const TRACE_ID = "0af7651916cd43dd8448eb211c80319c"
const FACTS = 3

describe.skipIf(databaseUrl === null)("traces", () => {
  it.live(
    "follow a fact through all processes under the trace id of its sender",
    () =>
      Effect.gen(function* () {
        const nats = yield* ownNats(join(yield* temporaryDirectory, "nats"))
        const collector = yield* traceCollector
        const env = {
          DATABASE_URL: Redacted.value(yield* temporaryDatabase(databaseUrl ?? "")),
          NATS_URL: nats.url,
          MATCHPOINT_TRACES_URL: collector.url,
          MATCHPOINT_TRACES_RATIO: "1",
          MATCHPOINT_DRAIN_SECONDS: "0",
        }
        const clusterPorts = [yield* freePort, yield* freePort]
        const [, feed] = yield* Effect.all(
          [
            serviceProcess("match", { ...env, MATCHPOINT_CLUSTER_PORT: String(clusterPorts[0]) }),
            serviceProcess("feed", { ...env, MATCHPOINT_FEED_TOKEN: FEED_TOKEN, MATCHPOINT_CLUSTER_PORT: String(clusterPorts[1]) }),
            serviceProcess("gateway", env),
          ],
          { concurrency: "unbounded" },
        )
        const send = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
          Effect.promise(async () => {
            const answer = await fetch(`${feed.url}/feed/v1/tennis/matches${path}`, {
              method: "POST",
              headers: { "content-type": "application/json", "x-feed-token": FEED_TOKEN, ...headers },
              body: JSON.stringify(body),
              signal: AbortSignal.timeout(20_000),
            })
            return (await answer.json()).data
          })
        const [first, ...rest] = tennisEvents(10, tennisMatch(1), (yield* Clock.currentTimeMillis) - 3 * 3_600_000)
        if (first?.type !== "MatchCreated") return assert.fail("no match")
        const { format, sides, tour, tournament } = first.payload
        const { matchId } = yield* send("", { tour, tournament, format, sides })
        const traceparent = `00-${TRACE_ID}-b7ad6b7169203331-01`
        const receipt = yield* send(`/${matchId}/events`, factsOf(rest).slice(0, FACTS), { traceparent })
        assert.strictEqual(receipt.accepted, FACTS)

        const ofTrace = () => collector.spans.filter(({ traceId }) => traceId === TRACE_ID)
        const named = (name: string) => ofTrace().filter((span) => span.name === name)
        yield* eventually(Effect.sync(() => named("gateway.deliver").length === FACTS))
        yield* eventually(Effect.sync(() => named("match.publish").length === FACTS))
        assert.deepStrictEqual(
          named("gateway.deliver").map(({ attributes, service }) => [service, attributes["matchId"], attributes["seq"]]),
          Array.from({ length: FACTS }, (_, at) => ["matchpoint-gateway", matchId, String(at + 2)]),
        )
        // Each span of a delivery belongs to the one that published its frame, which belongs to the request.
        const published = new Set(named("match.publish").map(({ spanId }) => spanId))
        for (const { parentSpanId } of named("gateway.deliver")) assert.isTrue(published.has(parentSpanId ?? ""))
        yield* eventually(Effect.sync(() => ofTrace().some(({ service }) => service === "matchpoint-feed")))
        assert.isTrue(ofTrace().some(({ parentSpanId, service }) => service === "matchpoint-feed" && parentSpanId === "b7ad6b7169203331"))
        // Background work starts no traces: each trace has begun with a request.
        const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined)
        for (const { name } of roots) assert.match(name, /^(?:GET|POST)$/)
      }),
    180_000,
  )
})
