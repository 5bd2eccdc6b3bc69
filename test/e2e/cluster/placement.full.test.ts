/**
 * Tests the distribution of matches over the members of a cluster, on PostgreSQL and NATS: each match has one owner, requests
 * of feeds reach it from anywhere, and matches move without a gap when members leave and join.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogNats from "@matchpoint/bus/EventLogNats"
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import { Rejections } from "@matchpoint/bus/Rejections"
import { clientLayer, memberLayer } from "@matchpoint/cluster/Cluster"
import { onceInCluster } from "@matchpoint/cluster/onceInCluster"
import { cursorOfMessageId, LIVE, liveSubject, PARTITIONS, streams } from "@matchpoint/contracts/bus/subjects"
import { FEED_ROOT, FEED_TOKEN_HEADER } from "@matchpoint/contracts/http/feed/FactsApi"
import { MatchId } from "@matchpoint/domain/ids"
import { FeedConfig } from "@matchpoint/game/feed/FeedConfig"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { Repositories } from "@matchpoint/games/Repositories"
import { forwardedIntake, forwardingRoutes } from "@matchpoint/service-feed/intakeRoutes"
import { PartitionHost } from "@matchpoint/service-match/placement/PartitionHost"
import { placementLayer } from "@matchpoint/service-match/placement/Placement"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { tennisLiveGame } from "@matchpoint/tennis/live/tennisLiveGame"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { freePort } from "@matchpoint/testing/freePorts"
import { Context, Effect, Exit, Layer, Redacted, Schedule, Schema, Scope, Stream } from "effect"
import { HttpBody, HttpClient, HttpClientRequest, HttpRouter } from "effect/http"
import { inject } from "vitest"
import { factsOf } from "../../fixtures/gameChannels.ts"
import { temporaryNamespace } from "../../fixtures/temporaryNamespace.ts"
import { tennisEvents, tennisMatch } from "../../fixtures/tennis/simulatedTennis.ts"

const TOKEN = "cluster-feed-token"
const MATCHES = 24

const Settings = Layer.effect(
  MatchConfig,
  Effect.map(MatchConfig, (defaults) => ({ ...defaults, lostRestartAfter: "100 millis" as const, restartAtMost: "1 second" as const })),
)

/** What a process of its own has: connections to the log and to the database. */
const connections = (natsUrl: string, namespace: string, databaseUrl: Redacted.Redacted<string>) =>
  Rejections.layer.pipe(
    Layer.provideMerge(EventLogNats.layer({ servers: natsUrl, namespace, streams })),
    Layer.provideMerge(Repositories.layerPostgres),
    Layer.provideMerge(Postgres.layer({ url: databaseUrl, maxConnections: 4 })),
  )

type Connections = ReturnType<typeof connections>

/** The job that runs once in the cluster: it counts how many of its runs are in progress, and how many ever were. */
class JobRuns {
  running = 0
  most = 0
  readonly layer = onceInCluster(
    "test",
    Layer.effectDiscard(
      Effect.acquireRelease(
        Effect.sync(() => {
          this.running += 1
          this.most = Math.max(this.most, this.running)
        }),
        () =>
          Effect.sync(() => {
            this.running -= 1
          }),
      ),
    ),
  )
}

const memberOf = (connected: Connections, port: number, job: JobRuns) =>
  Layer.mergeAll(placementLayer([tennisLiveGame]), forwardedIntake, job.layer).pipe(
    Layer.provide(memberLayer({ host: "127.0.0.1", port })),
    Layer.provide(MatchCheckpoints.layer),
    Layer.provide(FeedConfig.layer({ token: Redacted.make(TOKEN) })),
    Layer.provide(Settings),
    Layer.provide(connected),
    Layer.fresh,
  )

const intakeOf = (connected: Connections) =>
  HttpRouter.serve(forwardingRoutes(), { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provideMerge(NodeHttpServer.layerTest),
    Layer.provide(clientLayer({})),
    Layer.provide(FeedWriter.layer),
    Layer.provide(FeedConfig.layer({ token: Redacted.make(TOKEN) })),
    Layer.provideMerge(connected),
    Layer.fresh,
  )

const post = Effect.fnUntraced(function* (path: string, content: unknown) {
  const client = yield* HttpClient.HttpClient
  const body = HttpBody.jsonUnsafe(content)
  const response = yield* client.execute(HttpClientRequest.post(`${FEED_ROOT}${path}`, { headers: { [FEED_TOKEN_HEADER]: TOKEN }, body }))
  return { status: response.status, body: (yield* response.json) as { readonly data: { readonly [key: string]: unknown } } }
}, Effect.scoped)

const decodeId = Schema.decodeUnknownEffect(MatchId)

const registerMatch = Effect.fnUntraced(function* (n: number) {
  const [created, ...rest] = tennisEvents(n, tennisMatch(1000 + n))
  if (created?.type !== "MatchCreated") return yield* Effect.die("no match")
  const { format, sides, tour, tournament } = created.payload
  const { body, status } = yield* post("/tennis/matches", { tour, tournament, format, sides })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return { id: yield* decodeId(body.data["matchId"]), facts: factsOf(rest).slice(0, 60), sent: 0 }
})

type Playing = Effect.Success<ReturnType<typeof registerMatch>>

/** Sends the next facts of each match, as often as necessary. */
const play = Effect.fnUntraced(function* (matches: ReadonlyArray<Playing>, count: number) {
  yield* Effect.forEach(
    matches,
    (match) => {
      const facts = match.facts.slice(match.sent, match.sent + count)
      match.sent += facts.length
      return Effect.repeat(post(`/tennis/matches/${match.id}/events`, facts), {
        until: ({ status }) => status === 200,
        schedule: Schedule.spaced("100 millis"),
      })
    },
    { concurrency: 8, discard: true },
  )
})

/** Waits until LIVE has the newest state of each match, and checks that its sequence has no hole and no repetition. */
const checkLive = Effect.fnUntraced(function* (matches: ReadonlyArray<Playing>) {
  const log = yield* EventLog
  for (const { id, sent } of matches) {
    const records = yield* log.consume(LIVE, liveSubject(id), { _tag: "First" }).pipe(
      Stream.takeUntil((record) => cursorOfMessageId(record.id)?.seq === sent + 1),
      Stream.runCollect,
      Effect.timeout("15 seconds"),
    )
    const cursors = records.filter((record) => !record.id.includes(":keep:")).map((record) => cursorOfMessageId(record.id))
    assert.deepStrictEqual(
      cursors.map((cursor) => [cursor?.epoch, cursor?.seq]),
      Array.from({ length: sent + 1 }, (_, index) => [1, index + 1]),
      id,
    )
  }
})

const owned = (members: ReadonlyArray<PartitionHost["Service"]>) =>
  members.map(({ owns }) => Array.from({ length: PARTITIONS }, (_, partition) => owns(partition)).filter(Boolean).length)

const untilOwned = (members: ReadonlyArray<PartitionHost["Service"]>, isSo: (counts: ReadonlyArray<number>) => boolean) =>
  Effect.sync(() => owned(members)).pipe(
    Effect.repeat({ until: isSo, schedule: Schedule.spaced("50 millis") }),
    Effect.timeout("15 seconds"),
  )

const isEven = (counts: ReadonlyArray<number>) =>
  counts.reduce((sum, count) => sum + count, 0) === PARTITIONS && Math.max(...counts) - Math.min(...counts) <= 4

describe("a cluster of match processes", () => {
  const [natsUrl, databaseUrl] = [inject("natsUrl"), inject("databaseUrl")]
  if (natsUrl === null || databaseUrl === null) {
    it.skip("needs NATS and PostgreSQL: set NATS_URL and DATABASE_URL")
    return
  }

  it.live(
    "shares the matches evenly, and moves them without a gap when members leave and join",
    () =>
      Effect.gen(function* () {
        const namespace = yield* temporaryNamespace(natsUrl)
        const database = yield* temporaryDatabase(databaseUrl)
        const job = new JobRuns()
        const member = Effect.gen(function* () {
          const scope = yield* Scope.make()
          yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
          const built = yield* Layer.buildWithScope(memberOf(connections(natsUrl, namespace, database), yield* freePort, job), scope)
          return { host: Context.get(built, PartitionHost), leave: Scope.close(scope, Exit.void) }
        })
        const first = yield* member
        const second = yield* member
        yield* untilOwned([first.host, second.host], isEven)
        assert.strictEqual(job.running, 1)

        const test = Effect.gen(function* () {
          const matches = yield* Effect.forEach(
            Array.from({ length: MATCHES }, (_, n) => n + 1),
            registerMatch,
          )
          yield* play(matches, 20)
          yield* checkLive(matches)

          // One member leaves while facts arrive.
          yield* Effect.all([play(matches, 20), first.leave], { concurrency: "unbounded" })
          yield* checkLive(matches)
          assert.deepStrictEqual(owned([first.host, second.host]), [0, PARTITIONS])
          assert.strictEqual(job.running, 1)

          // Another one joins while facts arrive.
          const [third] = yield* Effect.all([member, play(matches, 10)], { concurrency: "unbounded" })
          yield* untilOwned([second.host, third.host], isEven)
          yield* play(matches, 10)
          yield* checkLive(matches)
          assert.deepStrictEqual([job.running, job.most], [1, 1])
        })
        yield* test.pipe(Effect.provide(intakeOf(connections(natsUrl, namespace, database))))
      }).pipe(Effect.scoped),
    120_000,
  )
})
