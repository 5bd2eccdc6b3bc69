/**
 * Tests two gateways on one log and one database: the same state has the same entity tag, and a client that moves from
 * one gateway to the other receives 304 for what it has.
 */
import { assert, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { V2_CONTENT_TYPE } from "@matchpoint/cs2/contract/http/shapes"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { liveContracts } from "@matchpoint/games/edge"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Context, Effect, Layer, Schedule } from "effect"
import { generousMetering } from "../../fixtures/metering/metering.ts"
import { finalDocument, simulatedEvents } from "../../fixtures/simulated.ts"
import { announce, feed, KEY, Stack, stack } from "../../fixtures/stack.ts"
import { ask } from "../../fixtures/twoGateways.ts"

const id = matchId(4_101)
const other = matchId(4_102)
const events = simulatedEvents(43, id)
const upTo = Math.floor(events.length * 0.7)

const live = [
  "/cs2/live",
  "/cs2/live?limit=1",
  ...["scoreboard", "state", "rounds", "rounds?limit=3", "events", "events?limit=5", "maps", "player-stats", "snapshots?limit=20"].map(
    (read) => `/cs2/live/${id}/${read}`,
  ),
]
const archive = ["/cs2/matches", "/cs2/teams", "/cs2/players?limit=5", "/tennis/players", "/cs2/rankings"]
const shapes = { v1: "application/json", v2: V2_CONTENT_TYPE }

it.live(
  "have the same entity tags and bodies for the same state, and answer 304 to a client of the other",
  () =>
    Effect.gen(function* () {
      const log = Layer.succeedContext(yield* Layer.build(EventLogMemory.layer({ streams })))
      const database = Layer.succeedContext(yield* Layer.build(embeddedMemory))
      const gateway = (run: Parameters<typeof stack>[3]) => Layer.build(Layer.fresh(stack(log, database, generousMetering, run)))
      const first = yield* gateway(undefined)
      const urlOf = (context: Context.Context<Stack>) => Context.get(context, Stack).url
      const reads = (url: string, path: string, headers: Record<string, string> = {}) => ask(url + path, { "x-api-key": KEY, ...headers })

      const played = (url: string, count: number) => {
        const { updatedAt } = finalDocument(events.slice(0, count))
        return reads(url, `/cs2/live/${id}/scoreboard`).pipe(
          Effect.filterOrFail(({ text }) => text.includes(updatedAt)),
          Effect.retry(Schedule.spaced("20 millis")),
          Effect.timeout("20 seconds"),
        )
      }
      yield* Effect.gen(function* () {
        yield* announce(id)
        yield* announce(other)
        yield* feed(simulatedEvents(44, other).slice(0, 40))
        yield* feed(events.slice(0, upTo))
      }).pipe(Effect.provideService(EventLog, Context.get(first, EventLog)))
      yield* played(urlOf(first), upTo)

      // The second gateway starts later, and runs no matches.
      const second = yield* gateway({ run: [], served: liveContracts })
      yield* played(urlOf(second), upTo)

      for (const [shape, accept] of Object.entries(shapes)) {
        for (const path of live) {
          const one = yield* reads(urlOf(first), path, { accept })
          const two = yield* reads(urlOf(second), path, { accept })
          const tag = one.headers.get("etag") ?? ""
          assert.strictEqual(one.status, 200, `${shape} ${path}`)
          assert.isNotEmpty(tag, `${shape} ${path}`)
          assert.strictEqual(two.headers.get("etag"), tag, `${shape} ${path}`)
          assert.strictEqual(two.text, one.text, `${shape} ${path}`)
          assert.strictEqual((yield* reads(urlOf(second), path, { accept, "if-none-match": tag })).status, 304, `${shape} ${path}`)
        }
      }
      for (const path of archive) {
        const one = yield* reads(urlOf(first), path)
        const tag = one.headers.get("etag") ?? ""
        assert.isNotEmpty(tag, path)
        assert.strictEqual((yield* reads(urlOf(second), path, { "if-none-match": tag })).status, 304, path)
      }
    }).pipe(Effect.scoped),
  120_000,
)
