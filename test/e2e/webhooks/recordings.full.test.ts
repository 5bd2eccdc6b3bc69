/**
 * Plays every recorded match through the actor, the outbox, the database and a worker to a real receiver. Each event
 * arrives once and in order, and independent receivers verify the deliveries.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { Rejections } from "@matchpoint/bus/Rejections"
import { feedMessageId, feedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { bodyText, genericEventNames } from "@matchpoint/contracts/webhook/webhookEvents"
import { encodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { cs2EventNames } from "@matchpoint/cs2/contract/webhookEvents"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import type { MatchState } from "@matchpoint/cs2/rules/live/state"
import { termsOf } from "@matchpoint/domain/accounts"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { foldRecord } from "@matchpoint/service-match/actor/foldRecord"
import { superviseMatch } from "@matchpoint/service-match/MatchSupervisor"
import { eventRows } from "@matchpoint/service-match/webhooks/MatchOutbox"
import { WebhookOutbox } from "@matchpoint/service-match/webhooks/WebhookOutbox"
import { WebhookSender } from "@matchpoint/service-webhooks/WebhookSender"
import { WebhookSenderConfig } from "@matchpoint/service-webhooks/WebhookSenderConfig"
import { WebhookWorker } from "@matchpoint/service-webhooks/WebhookWorker"
import { Accounts } from "@matchpoint/store/keys/Accounts"
import { WebhookSubscriptions } from "@matchpoint/store/webhooks/WebhookSubscriptions"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { eventually } from "@matchpoint/testing/realTime"
import { HostResolver } from "@matchpoint/webhooks/HostResolver"
import { SecretBox, WebhookSecrets } from "@matchpoint/webhooks/SecretBox"
import { newSecret } from "@matchpoint/webhooks/signatures"
import { Effect, Layer, Option, Redacted } from "effect"
import { inject } from "vitest"
import { type Played, played, unwatched } from "../../conformance/recordings.ts"
import { type Delivery, startPython, verifiers } from "../../fixtures/webhooks/verifiers.ts"

const matches = played(inject("dataDirectory"))
const pythonPath = inject("python")
const box = new SecretBox([Redacted.make("a key for tests only")])

/** Bodies of the events that a match must have, computed without an actor. */
const expectedBodies = ({ events, id }: Played) => {
  let state: MatchState | undefined
  const bodies: Array<string> = []
  for (const event of events) {
    const step = foldRecord(cs2LiveGame, id, state, { data: encodeFeedEvent(event), appendedAt: event.receivedAt })
    if (step._tag === "Rejected") continue
    for (const row of eventRows(cs2LiveGame, { before: state, after: step.state, event, repaired: step.repaired }, failOnDefect)) {
      bodies.push(bodyText(row.eventId, row.name, row.occurredAt, row.data))
    }
    state = step.state
  }
  return bodies
}

const failOnDefect = (_change: unknown, defect: unknown) => {
  throw defect
}

/** A receiver that keeps every delivery as it came. */
const receiver = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly received: Array<Omit<Delivery, "secret">>; readonly close: () => void }>((resume) => {
    const received: Array<Omit<Delivery, "secret">> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
        received.push({ headers, body: Buffer.concat(chunks).toString("utf8") })
        response.writeHead(204).end()
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}/`, received, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close),
)

const SenderSettings = Layer.effect(
  WebhookSenderConfig,
  Effect.map(WebhookSenderConfig, (defaults) => ({ ...defaults, allowHttp: true, allowedNetworks: ["loopback"] })),
)

const Settings = MatchConfig.layerWith({ lingerAfterEnd: "10 millis", checkpointEvery: "20 millis" }).pipe(Layer.provide(unwatched))

const services = (database: Parameters<Parameters<typeof onDatabaseOfRun>[0]>[1]) =>
  Layer.mergeAll(
    WebhookOutbox.layer,
    WebhookWorker.layer.pipe(Layer.provide(WebhookSender.layer.pipe(Layer.provide([HostResolver.layer, SenderSettings])))),
  ).pipe(
    Layer.provideMerge(Layer.mergeAll(MatchCheckpoints.layer, Rejections.layer, Settings)),
    Layer.provide(Layer.succeed(WebhookSecrets, box)),
    Layer.provideMerge(EventLogMemory.layer({ streams })),
    Layer.provideMerge(Repositories.layer.pipe(Layer.provide(Migrations.layer), Layer.provide(database))),
  )

const subscribe = Effect.fnUntraced(function* (url: string, secret: string) {
  const { accountId } = yield* Effect.flatMap(Accounts, (accounts) => accounts.create("customer", termsOf("pro")))
  const subscriptions = yield* WebhookSubscriptions
  const subscriptionId = "00000000-0000-4000-b000-000000000001"
  yield* subscriptions.create(
    accountId,
    {
      ...{ subscriptionId, url, description: "", games: [], matchIds: [], teamIds: [], playerIds: [], maxPerSecond: null },
      events: [...cs2EventNames, ...genericEventNames],
      secret: box.seal(subscriptionId, Redacted.make(secret)),
      idempotency: undefined,
    },
    1,
  )
  return { stored: Effect.map(subscriptions.get(accountId, subscriptionId), Option.getOrThrow) }
})

/** Runs the actor of a match until the state after its last fact is published and its events are stored. */
const play = Effect.fnUntraced(function* ({ events, id }: Played) {
  const log = yield* EventLog
  yield* Effect.forEach(events, (event) => log.append(feedSubject(id), feedMessageId(id, event.id, event.source), encodeFeedEvent(event)), {
    discard: true,
  })
  yield* Effect.forkScoped(superviseMatch(cs2LiveGame, id))
})

onDatabaseOfRun((name, database) => {
  describe(`webhooks of recorded matches on ${name}`, () => {
    it.live(
      "arrive once and in order, and every independent receiver accepts them",
      () =>
        Effect.gen(function* () {
          const { received, url } = yield* receiver
          const secret = newSecret()
          const { stored } = yield* subscribe(url, secret)
          const expected = new Map(matches.map((match) => [match.id, expectedBodies(match)] as const))
          const total = [...expected.values()].reduce((sum, bodies) => sum + bodies.length, 0)
          assert.isAbove(total, 1_000)
          yield* Effect.forEach(matches, play, { concurrency: 4, discard: true })
          yield* eventually(Effect.sync(() => received.length >= total))
          yield* eventually(Effect.map(stored, ({ pending }) => pending === 0))
          assert.strictEqual(received.length, total)
          for (const { id, name: match } of matches) {
            const bodies = received.map(({ body }) => body).filter((body) => body.includes(`"evt_${id}.`))
            assert.deepStrictEqual(bodies, expected.get(id), match)
          }
          const deliveries = received.map((delivery): Delivery => ({ ...delivery, secret }))
          const python = pythonPath === null ? undefined : startPython(pythonPath)
          yield* Effect.addFinalizer(() => Effect.promise(async () => python?.stop()))
          for (const verifier of [...verifiers, ...(python?.verifiers ?? [])]) {
            const results = yield* Effect.promise(() => verifier.verify(deliveries))
            assert.isTrue(results.every((accepted) => accepted) && results.length === total, verifier.name)
          }
        }).pipe(Effect.scoped, Effect.provide(services(database))),
      120_000,
    )
  })
})
