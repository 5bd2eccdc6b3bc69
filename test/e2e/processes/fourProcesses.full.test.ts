/**
 * Tests the services as processes of their own on PostgreSQL and NATS: a match is registered and fed over the feed
 * process, a customer follows it on the gateway, and a receiver gets its webhooks.
 */
import { writeFile } from "node:fs/promises"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { freePort } from "@matchpoint/testing/freePorts"
import { eventually } from "@matchpoint/testing/realTime"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Clock, Effect, Fiber, Redacted, Schedule } from "effect"
import { inject } from "vitest"
import WebSocket from "ws"
import { factsOf } from "../../fixtures/gameChannels.ts"
import { ownNats } from "../../fixtures/outages.ts"
import { cert, key } from "../../fixtures/processes/certificate.ts"
import { type ServiceProcess, serviceProcess } from "../../fixtures/processes/serviceProcess.ts"
import { tennisEvents, tennisMatch } from "../../fixtures/tennis/simulatedTennis.ts"

const databaseUrl = inject("databaseUrl")

const ADMIN_TOKEN = "an-admin-token-of-this-test"
const FEED_TOKEN = "a-feed-token-of-this-test"
const WEBHOOK_KEY = "a-webhook-key-of-this-test"

/** Longest accepted time from SIGTERM to the end of a process, in milliseconds. */
const ENDS_WITHIN_MS = 5_000

const send = Effect.fnUntraced(function* (url: string, headers: Readonly<Record<string, string>>, body: unknown) {
  return yield* Effect.promise(async () => {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    })
    const text = await answer.text()
    assert.isTrue(answer.ok, `${url} answered ${answer.status}: ${text}`)
    return JSON.parse(text).data
  })
})

/** Receives webhooks over TLS. Returns the names of the events in the order of their arrival. */
const receiver = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly names: ReadonlyArray<string>; readonly close: () => void }>((resume) => {
    const names: Array<string> = []
    const server = createServer({ cert, key }, (request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk) => chunks.push(chunk))
      request.on("end", () => {
        names.push(JSON.parse(Buffer.concat(chunks).toString()).event)
        response.writeHead(204).end()
      })
    }).listen(0, "127.0.0.1", () => {
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
      resume(
        Effect.succeed({
          url,
          names,
          close: () => {
            server.close()
            server.closeAllConnections()
          },
        }),
      )
    })
  }),
  ({ close }) => Effect.sync(close),
)

/** Follows all tennis matches. Returns the received frames. */
const follow = (gateway: ServiceProcess, apiKey: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly frames: ReadonlyArray<Frame>; readonly socket: WebSocket }>((resume) => {
      const frames: Array<Frame> = []
      const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/api/v1/tennis/live/ws?shape=v2`, {
        headers: { "x-api-key": apiKey },
      })
      socket.on("open", () => socket.send(JSON.stringify({ action: "subscribe", rooms: ["all"] })))
      socket.on("message", (data) => {
        const frame = JSON.parse(String(data)) as Frame
        frames.push(frame)
        if (frame.type === "subscribed") resume(Effect.succeed({ frames, socket }))
      })
      socket.on("error", (error) => resume(Effect.die(error)))
    }),
    ({ socket }) => Effect.sync(() => socket.terminate()),
  )

interface Frame {
  readonly type: string
  readonly matchId?: string
  readonly seq?: number
}

/** The process reports that it is not ready, and why, and serves its routes nevertheless. */
const drains = Effect.fnUntraced(function* ({ adminUrl, url }: ServiceProcess) {
  const ready = Effect.promise(async () => {
    const answer = await fetch(`${adminUrl}/health/ready`, { signal: AbortSignal.timeout(2_000) })
    return { status: answer.status, body: await answer.json() }
  })
  const { body } = yield* ready.pipe(Effect.repeat({ until: ({ status }) => status === 503, schedule: Schedule.spaced("20 millis") }))
  assert.deepStrictEqual(body, { status: "failed", reasons: ["drain: the process is stopping"] })
  assert.include(yield* textOf(`${url}/health/live`), "ok")
})

const textOf = (url: string) => Effect.promise(async () => (await fetch(url, { signal: AbortSignal.timeout(5_000) })).text())

describe.skipIf(databaseUrl === null)("the services as processes", () => {
  it.live(
    "carry a match from the feed to sockets and webhooks, and end within 5 s",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const nats = yield* ownNats(join(directory, "nats"))
        const authority = join(directory, "authority.pem")
        yield* Effect.promise(async () => {
          await writeFile(authority, cert)
        })
        const database = Redacted.value(yield* temporaryDatabase(databaseUrl ?? ""))
        const clusterPort = yield* freePort
        const env = {
          DATABASE_URL: database,
          NATS_URL: nats.url,
          MATCHPOINT_WEBHOOK_KEY: WEBHOOK_KEY,
          MATCHPOINT_WEBHOOK_NETWORKS: "loopback",
        }
        const [match, feed, gateway, webhooks] = yield* Effect.all(
          [
            serviceProcess("match", { ...env, MATCHPOINT_CLUSTER_PORT: String(clusterPort) }),
            serviceProcess("feed", { ...env, MATCHPOINT_FEED_TOKEN: FEED_TOKEN }),
            serviceProcess("gateway", { ...env, MATCHPOINT_ADMIN_TOKEN: ADMIN_TOKEN }),
            serviceProcess("webhooks", { ...env, NODE_EXTRA_CA_CERTS: authority }),
          ],
          { concurrency: "unbounded" },
        )

        const created = yield* send(`${gateway.adminUrl}/admin/v1/keys`, { "x-admin-token": ADMIN_TOKEN }, { plan: "scale", label: "test" })
        const { names, url } = yield* receiver
        yield* send(`${gateway.url}/api/v1/webhooks`, { "x-api-key": created.secret }, { url, events: ["match.started", "match.ended"] })
        const { frames } = yield* follow(gateway, created.secret)

        const [first, ...rest] = tennisEvents(10, tennisMatch(1), (yield* Clock.currentTimeMillis) - 3 * 3_600_000)
        if (first?.type !== "MatchCreated") return assert.fail("no match")
        const { format, sides, tour, tournament } = first.payload
        const feedUrl = `${feed.url}/feed/v1/tennis/matches`
        const { matchId } = yield* send(feedUrl, { "x-feed-token": FEED_TOKEN }, { tour, tournament, format, sides })
        const facts = factsOf(rest)
        const receipt = yield* send(`${feedUrl}/${matchId}/events`, { "x-feed-token": FEED_TOKEN }, facts)
        assert.deepInclude(receipt, { accepted: facts.length, problemCount: 0 })

        const seqs = () => frames.flatMap(({ matchId: of, seq }) => (of === matchId && seq !== undefined ? [seq] : []))
        yield* eventually(Effect.sync(() => seqs().at(-1) === rest.length + 1))
        assert.deepStrictEqual(
          seqs(),
          Array.from({ length: rest.length + 1 }, (_, at) => at + 1),
        )
        yield* eventually(Effect.sync(() => names.length === 2))
        assert.deepStrictEqual(names, ["match.started", "match.ended"])

        const services = { match, feed, gateway, webhooks }
        for (const [name, { adminUrl }] of Object.entries(services)) {
          assert.include(yield* textOf(`${adminUrl}/health/live`), "ok", name)
          assert.include(yield* textOf(`${adminUrl}/health`), "the database answers", name)
          assert.include(yield* textOf(`${adminUrl}/metrics`), "matchpoint_build_info", name)
        }
        // Operators have a port of their own, so the main port serves neither metrics nor the admin API.
        for (const { url: main } of [gateway, feed]) assert.include(yield* textOf(`${main}/metrics`), "NOT_FOUND")

        for (const [name, service] of Object.entries(services)) {
          const stopping = yield* Effect.forkScoped(service.stop)
          if (name === "gateway" || name === "feed") yield* drains(service)
          const { code, ms, signal } = yield* Fiber.join(stopping)
          assert.strictEqual(signal, null, name)
          assert.include([0, 130], code, `${name}:\n${yield* service.output}`)
          assert.isBelow(ms, ENDS_WITHIN_MS, name)
          assert.notMatch(yield* service.output, /ERROR|FATAL/, name)
        }
      }),
    180_000,
  )
})
