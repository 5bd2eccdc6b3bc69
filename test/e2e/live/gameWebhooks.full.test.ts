/** Tests the webhooks of a match of every game, from its facts to the requests that a receiver gets. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, it } from "@effect/vitest"
import { apexEventNames } from "@matchpoint/apex/contract/webhookEvents"
import type { EventLog } from "@matchpoint/bus/EventLog"
import { Rejections } from "@matchpoint/bus/Rejections"
import { codEventNames } from "@matchpoint/cod/contract/webhookEvents"
import { genericEventNames } from "@matchpoint/contracts/webhook/webhookEvents"
import { termsOf } from "@matchpoint/domain/accounts"
import type { GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { superviseMatch } from "@matchpoint/service-match/MatchSupervisor"
import { WebhookOutbox } from "@matchpoint/service-match/webhooks/WebhookOutbox"
import { WebhookSender } from "@matchpoint/service-webhooks/WebhookSender"
import { WebhookSenderConfig } from "@matchpoint/service-webhooks/WebhookSenderConfig"
import { WebhookWorker } from "@matchpoint/service-webhooks/WebhookWorker"
import { Accounts } from "@matchpoint/store/keys/Accounts"
import { WebhookSubscriptions } from "@matchpoint/store/webhooks/WebhookSubscriptions"
import { tennisEventNames } from "@matchpoint/tennis/contract/webhookEvents"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { eventually } from "@matchpoint/testing/realTime"
import { HostResolver } from "@matchpoint/webhooks/HostResolver"
import { WebhookSecrets } from "@matchpoint/webhooks/SecretBox"
import { Effect, Layer, Redacted } from "effect"
import { feedEvents, type ReportedGame, reportedGames } from "../../fixtures/reportedGames.ts"
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

const ownNames = { apex: apexEventNames, cod: codEventNames, tennis: tennisEventNames } as const

/** Returns the names and changes of the events that a whole match causes, in order. */
const expectedOf = ({ eventsOf, liveGame }: ReportedGame, id: MatchId) => {
  let before: GameState | undefined
  return eventsOf(id).flatMap((event) => {
    const { state: after } = liveGame.rules.fold(before, event)
    if (after === undefined) throw new Error("no match")
    const events = liveGame.webhookEvents?.({ before, after, event, repaired: undefined }) ?? []
    before = after
    return events.map(({ name }) => [name, after.seq])
  })
}

for (const { isMissing, layer, name: logName } of testLogs) {
  for (const game of reportedGames) {
    it.live.skipIf(isMissing)(
      `webhooks of a match of ${game.name} arrive once and in order: ${logName}`,
      () =>
        Effect.gen(function* () {
          const { bodies, url } = yield* receiver
          const { accountId } = yield* Effect.flatMap(Accounts, (accounts) => accounts.create("customer", termsOf("pro")))
          const subscriptionId = "00000000-0000-4000-b000-000000000001"
          const secret = testBox.seal(subscriptionId, Redacted.make("whsec_for_tests_only"))
          const filters = { games: [], matchIds: [], teamIds: [], playerIds: [], maxPerSecond: null }
          const names = [...ownNames[game.name], ...genericEventNames]
          const subscription = { subscriptionId, url, description: "", ...filters, events: names, secret, idempotency: undefined }
          yield* (yield* WebhookSubscriptions).create(accountId, subscription, 1)
          const id = game.matchId(9)
          yield* feedEvents(game.eventsOf(id))
          yield* Effect.forkScoped(superviseMatch(game.liveGame, id))
          const expected = expectedOf(game, id)
          assert.deepStrictEqual([expected[0]?.[0], expected.at(-1)?.[0]], [`${game.name}.match.started`, "match.ended"])
          yield* eventually(Effect.sync(() => bodies.length >= expected.length))
          const received = bodies.map((body) => JSON.parse(body) as { readonly event: string; readonly data: { readonly seq: number } })
          assert.deepStrictEqual(
            received.map(({ data, event }) => [event, data.seq]),
            expected,
          )
          assert.strictEqual(new Set(bodies).size, expected.length)
        }).pipe(Effect.scoped, Effect.provide(services(layer))),
      60_000,
    )
  }
}
