/**
 * Tests webhooks under crashes: workers and the owner of the matches are killed with -9 during more than 10,000
 * deliveries to receivers that fail at random, and the database ends all connections meanwhile.
 */
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as EventLogFile from "@matchpoint/bus/EventLogFile"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { genericEventNames } from "@matchpoint/contracts/webhook/webhookEvents"
import { cs2EventNames } from "@matchpoint/cs2/contract/webhookEvents"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import { termsOf } from "@matchpoint/domain/accounts"
import type { MatchId } from "@matchpoint/domain/ids"
import { Repositories } from "@matchpoint/games/Repositories"
import { Random } from "@matchpoint/simulator/random"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Accounts } from "@matchpoint/store/keys/Accounts"
import { Matches } from "@matchpoint/store/live/Matches"
import type { NewWebhookEvent } from "@matchpoint/store/webhooks/WebhookEvents"
import { WebhookSubscriptions } from "@matchpoint/store/webhooks/WebhookSubscriptions"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { newSecret } from "@matchpoint/webhooks/signatures"
import { Clock, Effect, Layer, Redacted, Schedule, Schema } from "effect"
import { inject } from "vitest"
import { checkFrames, checkLane, type FrameDelay } from "../../fixtures/webhooks/crashChecks.ts"
import { causeFaults, type Fault, faultKinds, OUTAGE_MS, testDatabase } from "../../fixtures/webhooks/crashFaults.ts"
import { box, expectedOf, type OwnerSettings, type WorkerSettings } from "../../fixtures/webhooks/crashRun.ts"
import { failingReceiver } from "../../fixtures/webhooks/failingReceiver.ts"
import { killableProcess, OUTPUT_SHOWN } from "../../fixtures/webhooks/killableProcess.ts"

const databaseUrl = inject("databaseUrl")

const SEED = 20_261_124
const MATCHES = 12
const FACT_EVERY_MS = 30
const DELIVERIES = 10_000
/** A started owner publishes without delay after this time, in milliseconds. */
const START_MS = 3_000
/** Longest accepted delay of a frame. If frames waited for the database, some would take `OUTAGE_MS`. */
const FRAME_MS = OUTAGE_MS / 2

const registerMatch = Effect.gen(function* () {
  const [team1, team2] = [1, 2].map((number) => ({ id: `cs2-team-${number}`, name: `Team ${number}` })) as [Team, Team]
  return yield* (yield* Matches).register(CS2, { bestOf: 1, team1, team2, config: {} })
})
type Team = { readonly id: string; readonly name: string }

/** Starts a receiver and subscribes it to all events of these matches, or of all matches if there are none. */
const subscribe = Effect.fnUntraced(function* (number: number, matchIds: ReadonlyArray<MatchId>) {
  const { receipts, url } = yield* failingReceiver(SEED + number)
  const { accountId } = yield* (yield* Accounts).create(`receiver ${number}`, termsOf("pro"))
  const subscriptionId = `00000000-0000-4000-a000-00000000000${number}`
  const subscriptions = yield* WebhookSubscriptions
  yield* subscriptions.create(
    accountId,
    {
      subscriptionId,
      url,
      description: "",
      events: [...cs2EventNames, ...genericEventNames],
      games: [],
      matchIds,
      teamIds: [],
      playerIds: [],
      maxPerSecond: null,
      secret: box.seal(subscriptionId, Redacted.make(newSecret())),
      idempotency: undefined,
    },
    10,
  )
  return { matchIds, receipts, subscriptionId }
})

const Progress = Schema.Struct({ events: Schema.Number, pending: Schema.Number, disabled: Schema.Number })
const PROGRESS = `SELECT (SELECT count(*) FROM webhook_events)::integer AS events,
  (SELECT coalesce(sum(pending), 0) FROM webhook_lanes)::integer AS pending,
  (SELECT count(*) FROM webhook_subscriptions WHERE status <> 'active')::integer AS disabled`

const StoredEvent = Schema.Struct({
  eventId: Schema.String,
  name: Schema.String,
  game: Schema.String,
  lane: Schema.String,
  epoch: Schema.Number,
  seq: Schema.Number,
  place: Schema.Number,
  teamIds: Schema.Array(Schema.String),
  playerIds: Schema.Array(Schema.String),
  occurredAt: Schema.Number,
  data: Schema.String,
  fact: Schema.Struct({ id: Schema.String, receivedAt: Schema.Natural }),
})
const STORED = `SELECT event_id AS "eventId", name, game, lane, epoch, seq::float8 AS seq, place, team_ids AS "teamIds", player_ids AS "playerIds",
  (extract(epoch FROM occurred_at) * 1000)::float8 AS "occurredAt", data,
  jsonb_build_object('id', fact_id, 'receivedAt', (extract(epoch FROM received_at) * 1000)::bigint) AS fact
  FROM webhook_events ORDER BY lane, epoch, seq, place`

/** Frames whose facts were appended while an owner was running and had started `START_MS` before. */
const calmFrames = (frames: ReadonlyArray<FrameDelay>, startedAt: number, faults: ReadonlyArray<Fault>) => {
  const starts = faults
    .filter(({ kind }) => kind === "owner killed")
    .concat({ kind: "owner killed", from: 0, to: startedAt, lanes: new Set<string>() })
  return frames.filter(({ at }) => starts.every(({ from, to }) => at < from - FRAME_MS || at > to + START_MS))
}

describe.skipIf(databaseUrl === null)("webhooks of live matches (needs DATABASE_URL)", () => {
  it.live(
    "reach receivers at least once and in order, although processes are killed and the database is lost",
    () =>
      Effect.gen(function* () {
        const url = yield* temporaryDatabase(databaseUrl ?? "")
        const database = yield* testDatabase(databaseUrl ?? "", url)
        const directory = join(yield* temporaryDirectory, "log")
        const { matchIds, subscriptions } = yield* Effect.gen(function* () {
          const all = yield* Effect.forEach(Array.from({ length: MATCHES }), () => registerMatch)
          const filters = [[], [], all.slice(0, MATCHES / 2)]
          return { matchIds: all, subscriptions: yield* Effect.forEach(filters, (filter, index) => subscribe(index + 1, filter)) }
        }).pipe(Effect.provide(Repositories.layerPostgres.pipe(Layer.provide(Postgres.layer({ url, maxConnections: 2 })))))
        const expected = new Map(matchIds.map((id) => [id, expectedOf(id)]))
        const expectedEvents = matchIds.flatMap((id) => expected.get(id)?.events ?? [])

        const ownerSettings: OwnerSettings = { databaseUrl: Redacted.value(url), directory, matchIds, factEveryMs: FACT_EVERY_MS }
        const workerSettings: WorkerSettings = { databaseUrl: Redacted.value(url) }
        const owner = yield* killableProcess("ownerProcess.ts", ownerSettings)
        const workers = [
          yield* killableProcess("workerProcess.ts", workerSettings),
          yield* killableProcess("workerProcess.ts", workerSettings),
        ] as const
        yield* Effect.all([owner.start, ...workers.map(({ start }) => start)], { concurrency: "unbounded" })
        const startedAt = yield* Clock.currentTimeMillis

        const faults = yield* causeFaults(new Random(SEED), database, owner, workers)
        for (const kind of faultKinds) {
          assert.include(
            faults.map((fault) => fault.kind),
            kind,
            "every kind of fault occurred while facts arrived",
          )
        }
        yield* database.query(Progress, PROGRESS).pipe(
          Effect.repeat({
            until: ([now]) => now !== undefined && (now.disabled > 0 || (now.pending === 0 && now.events >= expectedEvents.length)),
            schedule: Schedule.spaced("200 millis"),
          }),
          Effect.timeoutOrElse({ duration: "2 minutes", orElse: () => database.query(Progress, PROGRESS) }),
          Effect.flatMap(([now]) =>
            Effect.map(Effect.all([owner, ...workers].map(({ output }) => output)), (outputs) =>
              assert.deepStrictEqual(
                now,
                { disabled: 0, events: expectedEvents.length, pending: 0 },
                outputs.map((text) => text.slice(-OUTPUT_SHOWN)).join("\n"),
              ),
            ),
          ),
        )
        const ends = yield* Effect.forEach([owner, ...workers], ({ stop }) => stop, { concurrency: "unbounded" })
        for (const end of ends) assert.deepStrictEqual(end, { code: 130, signal: null })

        assert.sameDeepMembers<NewWebhookEvent>([...(yield* database.query(StoredEvent, STORED))], [...expectedEvents])
        let [deliveries, repeated] = [0, 0]
        for (const { matchIds: filter, receipts, subscriptionId } of subscriptions) {
          const lanes = Map.groupBy(receipts, ({ eventId }) => eventId.slice("evt_".length, eventId.indexOf(".")))
          const lanesOf = filter.length === 0 ? matchIds : filter
          assert.sameMembers([...lanes.keys()], [...lanesOf])
          for (const id of lanesOf) {
            const ofMatch = expected.get(id) ?? assert.fail(id)
            repeated += checkLane(`${subscriptionId} ${id}`, lanes.get(id) ?? [], ofMatch, faults)
            deliveries += ofMatch.events.length
          }
        }
        assert.isAtLeast(deliveries, DELIVERIES)

        const frames = yield* Effect.forEach(matchIds, (id) => checkFrames(id, expected.get(id) ?? assert.fail(id))).pipe(
          Effect.map((ofMatches) => calmFrames(ofMatches.flat(), startedAt, faults)),
          Effect.provide(EventLogFile.layer({ directory, streams })),
        )
        let outagesWithFrames = 0
        const slowest = Math.max(...frames.map(({ delayMs }) => delayMs))
        assert.isBelow(slowest, FRAME_MS, "no frame is delayed")
        for (const { from, to } of faults.filter((fault) => fault.kind === "database away")) {
          if (faults.some((fault) => fault.kind === "owner killed" && fault.from - FRAME_MS < to && from < fault.to + START_MS)) continue
          const during = frames.filter(({ at, delayMs }) => at >= from && at + delayMs <= to)
          assert.isAbove(during.length, 100, "frames are published while the database is away")
          outagesWithFrames += 1
        }
        assert.isAtLeast(outagesWithFrames, 1)
        const attempts = subscriptions.reduce((sum, { receipts }) => sum + receipts.length, 0)
        const kills = faults.filter(({ kind }) => kind.endsWith("killed")).length
        process.stdout.write(
          `${deliveries} deliveries in ${attempts} attempts, ${kills} kills, ${faults.length - kills} faults of the database, ` +
            `${repeated} events accepted twice, slowest frame ${slowest} ms\n`,
        )
      }).pipe(Effect.scoped),
    300_000,
  )
})
