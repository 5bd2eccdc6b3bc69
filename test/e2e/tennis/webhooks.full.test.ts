/** Tests the webhooks of a tennis match, from its facts to the requests that a receiver gets. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, it } from "@effect/vitest"
import type { EventLog } from "@matchpoint/bus/EventLog"
import { Rejections } from "@matchpoint/bus/Rejections"
import { tennisEventNames } from "@matchpoint/contracts/tennis/webhookEvents"
import { genericEventNames } from "@matchpoint/contracts/webhook/webhookEvents"
import { termsOf } from "@matchpoint/domain/accounts"
import { MatchCheckpoints } from "@matchpoint/service-match/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/service-match/MatchConfig"
import { superviseMatch } from "@matchpoint/service-match/MatchSupervisor"
import { tennisLiveGame } from "@matchpoint/service-match/tennis/tennisLiveGame"
import { WebhookOutbox } from "@matchpoint/service-match/webhooks/WebhookOutbox"
import { HostResolver } from "@matchpoint/service-webhooks/HostResolver"
import { WebhookSender } from "@matchpoint/service-webhooks/WebhookSender"
import { WebhookSenderConfig } from "@matchpoint/service-webhooks/WebhookSenderConfig"
import { WebhookWorker } from "@matchpoint/service-webhooks/WebhookWorker"
import { Migrations } from "@matchpoint/store/database/Migrations"
import { Accounts } from "@matchpoint/store/keys/Accounts"
import { Repositories } from "@matchpoint/store/Repositories"
import { WebhookSubscriptions } from "@matchpoint/store/webhooks/WebhookSubscriptions"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { eventually } from "@matchpoint/testing/realTime"
import { WebhookSecrets } from "@matchpoint/webhooks/SecretBox"
import { Effect, Layer, Redacted } from "effect"
import { feedTennis, tennisDocument, tennisEvents, tennisMatch } from "../../fixtures/tennis/simulatedTennis.ts"
import { testLogs } from "../../fixtures/testLogs.ts"
import { testBox } from "../../fixtures/webhooks/webhookStack.ts"

/** A receiver that keeps the body of every delivery. */
const receiver = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly bodies: Array<string>; readonly close: () => void }>((resume) => {
    const bodies: Array<string> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        bodies.push(Buffer.concat(chunks).toString("utf8"))
        response.writeHead(204).end()
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}/`, bodies, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close),
)

const SenderSettings = Layer.effect(
  WebhookSenderConfig,
  Effect.map(WebhookSenderConfig, (defaults) => ({ ...defaults, allowHttp: true, allowedNetworks: ["loopback"] })),
)
const Settings = Layer.effect(
  MatchConfig,
  Effect.map(MatchConfig, (defaults) => ({ ...defaults, lingerAfterEnd: "10 millis" as const, checkpointEvery: "20 millis" as const })),
)

const services = (log: Layer.Layer<EventLog>) =>
  Layer.mergeAll(
    WebhookOutbox.layer,
    WebhookWorker.layer.pipe(Layer.provide(WebhookSender.layer.pipe(Layer.provide([HostResolver.layer, SenderSettings])))),
  ).pipe(
    Layer.provideMerge(Layer.mergeAll(MatchCheckpoints.layer, Rejections.layer, Settings)),
    Layer.provide(Layer.succeed(WebhookSecrets, testBox)),
    Layer.provideMerge(log),
    Layer.provideMerge(Repositories.layer.pipe(Layer.provide(Migrations.layer), Layer.provide(embeddedMemory))),
  )

for (const { isMissing, layer, name } of testLogs) {
  it.live.skipIf(isMissing)(
    `webhooks of a tennis match arrive once and in order: ${name}`,
    () =>
      Effect.gen(function* () {
        const { bodies, url } = yield* receiver
        const { accountId } = yield* Effect.flatMap(Accounts, (accounts) => accounts.create("customer", termsOf("pro")))
        const subscriptionId = "00000000-0000-4000-b000-000000000001"
        const secret = testBox.seal(subscriptionId, Redacted.make("whsec_for_tests_only"))
        const filters = { games: [], matchIds: [], teamIds: [], playerIds: [], maxPerSecond: null }
        const names = [...tennisEventNames, ...genericEventNames]
        const subscription = { subscriptionId, url, description: "", ...filters, events: names, secret, idempotency: undefined }
        yield* (yield* WebhookSubscriptions).create(accountId, subscription, 1)
        const id = tennisMatch(9)
        const events = tennisEvents(10, id)
        yield* feedTennis(events)
        yield* Effect.forkScoped(superviseMatch(tennisLiveGame, id))
        const { sets } = tennisDocument(events)
        const games = sets.reduce((sum, { side1, side2 }) => sum + side1 + side2, 0)
        const total = 2 + 2 * games + sets.length + 2
        yield* eventually(Effect.sync(() => bodies.length >= total))
        const received = bodies.map((body) => JSON.parse(body) as { readonly event: string; readonly data: { readonly seq: number } })
        assert.lengthOf(received, total)
        assert.deepStrictEqual([received[0]?.event, received.at(-1)?.event], ["tennis.match.started", "match.ended"])
        const seqs = received.map(({ data }) => data.seq)
        assert.deepStrictEqual(
          seqs,
          [...seqs].sort((one, two) => one - two),
        )
        assert.strictEqual(new Set(bodies).size, total)
      }).pipe(Effect.scoped, Effect.provide(services(layer))),
    60_000,
  )
}
