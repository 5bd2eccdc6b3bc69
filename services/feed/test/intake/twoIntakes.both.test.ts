/**
 * Registrations at two feed processes on one database and one log. A registration that is sent to both at once, or again
 * after a crash, is one match with one token. On PostgreSQL, each process has its own connections.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { Rejections } from "@matchpoint/bus/Rejections"
import { DIRECTORY, directorySubject, FEED, feedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { FEED_TOKEN_HEADER } from "@matchpoint/contracts/http/feed/FactsApi"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import { MatchId } from "@matchpoint/domain/ids"
import { FeedConfig } from "@matchpoint/game/feed/FeedConfig"
import { Migrations } from "@matchpoint/games/Migrations"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { FeedTokens } from "@matchpoint/store/keys/FeedTokens"
import { Checkpoints } from "@matchpoint/store/live/Checkpoints"
import { Matches } from "@matchpoint/store/live/Matches"
import { type AnyDatabase, inRun } from "@matchpoint/testing/bothRuns"
import { embeddedMemory, temporaryDatabase } from "@matchpoint/testing/databases"
import { Context, Effect, Layer, Option, Redacted, Schema, Stream } from "effect"
import { HttpRouter } from "effect/http"
import { inject } from "vitest"
import { intakeRoutes } from "../../src/intakeRoutes.ts"
import { failureIn, registration } from "./intakeRequests.ts"
import { type Answer, feedToken, post } from "./intakeServer.ts"

const databaseUrl = inject("databaseUrl")
const isFull = inject("full")

/** The database as each of the two processes reaches it. PGlite has one connection, which both use. */
const twoDatabases = Effect.gen(function* () {
  if (!isFull) {
    const shared = Layer.succeedContext(yield* Layer.build(embeddedMemory))
    return [shared, shared] as const
  }
  const url = yield* temporaryDatabase(databaseUrl ?? "")
  const pool = () => Postgres.layer({ url, maxConnections: 4 })
  return [pool(), pool()] as const
})

type Step = "append" | "announce" | "token"

/** Starts a feed process. Requests end before the step `crash.before`, as if the process crashed there. */
const intakeOn = Effect.fnUntraced(function* (database: AnyDatabase, log: EventLog["Service"]) {
  const crash: { before: Step | undefined } = { before: undefined }
  const unless = <A, E, R>(step: Step, work: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => (crash.before === step ? Effect.die(new Error(`the process ends before ${step}`)) : work))
  const ownLog = EventLog.of({
    ...log,
    append: (subject, id, data) => unless(subject.startsWith("feed.") ? "append" : "announce", log.append(subject, id, data)),
  })
  const ownTokens = Layer.effect(
    FeedTokens,
    Effect.map(FeedTokens, (tokens) => FeedTokens.of({ ...tokens, ensure: (...row) => unless("token", tokens.ensure(...row)) })),
  ).pipe(Layer.provide(FeedTokens.layer))
  const server = HttpRouter.serve(intakeRoutes(), { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provideMerge(NodeHttpServer.layerTest),
    Layer.provide(Rejections.layer),
    Layer.provideMerge(Layer.succeed(EventLog, ownLog)),
    Layer.provideMerge(Layer.mergeAll(Matches.layer, Checkpoints.layer, ownTokens)),
    Layer.provide(Migrations.layer),
    Layer.provide(database),
    Layer.provide(FeedConfig.layer({ token: Redacted.make(feedToken) })),
  )
  const context = yield* Layer.build(Layer.fresh(server))
  const register = (content: object, key?: string) =>
    Effect.provideContext(
      post("/matches", content, { [FEED_TOKEN_HEADER]: feedToken, ...(key === undefined ? {} : { "idempotency-key": key }) }),
      context,
    )
  return { crash, register, matches: Context.get(context, Matches), tokens: Context.get(context, FeedTokens) }
})

const twoIntakes = Effect.gen(function* () {
  const log = Context.get(yield* Layer.build(EventLogMemory.layer({ streams })), EventLog)
  const [one, other] = yield* twoDatabases
  const first = yield* intakeOn(one, log)
  return { first, second: yield* intakeOn(other, log), log }
})

type Intakes = Effect.Success<typeof twoIntakes>

const decode = Schema.decodeUnknownEffect(Schema.Struct({ data: Schema.Struct({ matchId: MatchId, feedToken: Schema.String }) }))
const registeredIn = Effect.fnUntraced(function* ({ body, status }: Answer) {
  assert.strictEqual(status, 200, JSON.stringify(body))
  return (yield* decode(body)).data
})

/** Asserts that the match is announced, and has its first fact once and one token. */
const expectOnce = Effect.fnUntraced(function* ({ first, log }: Intakes, matchId: MatchId) {
  assert.lengthOf(yield* Stream.runCollect(log.read(FEED, feedSubject(matchId), { _tag: "First" })), 1, matchId)
  assert.isTrue(Option.isSome(yield* log.last(DIRECTORY, directorySubject(matchId))), `${matchId} is announced`)
  const { rows } = yield* first.tokens.list({ limit: 1_000, offset: 0 })
  assert.lengthOf(
    rows.filter((row) => row.matchId === matchId),
    1,
    matchId,
  )
})

const ROUNDS = inRun(5, 30)

/** Content and key of a registration of a round, as each process gets it. */
const identities: ReadonlyArray<readonly [string, (round: number, place: number) => readonly [object, string | undefined]]> = [
  ["key", (round) => [registration, `key-${round}`]],
  ["external id", (round) => [{ ...registration, externalId: `id-${round}` }, undefined]],
  ["key and external id", (round) => [{ ...registration, externalId: `both-${round}` }, `both-${round}`]],
  ["external id and different keys", (round, place) => [{ ...registration, externalId: `keys-${round}` }, `${place}-${round}`]],
]

describe.skipIf(isFull && databaseUrl === null)("registrations at two processes", () => {
  it.live.each(identities)(
    "with the same %s are one match and one token, however they arrive",
    ([, identity]) =>
      Effect.gen(function* () {
        const intakes = yield* twoIntakes
        const { first, second } = intakes
        for (let round = 1; round <= ROUNDS; round += 1) {
          const answers = yield* Effect.forEach(
            [first, second, first, second, second, first],
            (intake, place) => intake.register(...identity(round, place)),
            { concurrency: "unbounded" },
          )
          const all = yield* Effect.forEach(answers, registeredIn)
          const [one = assert.fail("no answer")] = all
          for (const each of all) assert.deepStrictEqual(each, one)
          yield* expectOnce(intakes, one.matchId)
        }
        assert.lengthOf(yield* second.matches.listActive(CS2), ROUNDS)
      }).pipe(Effect.scoped),
    60_000,
  )

  it.live(
    "with the same key and different contents are one match, and a conflict that names it",
    () =>
      Effect.gen(function* () {
        const { first, second } = yield* twoIntakes
        for (let round = 1; round <= ROUNDS; round += 1) {
          const answers = yield* Effect.all(
            [first.register(registration, `key-${round}`), second.register({ ...registration, bestOf: 3 }, `key-${round}`)],
            { concurrency: "unbounded" },
          )
          const [won, lost] = [...answers].sort((one, other) => one.status - other.status)
          assert(won !== undefined && lost !== undefined)
          const { matchId } = yield* registeredIn(won)
          assert.include((yield* failureIn(lost, 409, "CONFLICT")).message, matchId)
        }
        assert.lengthOf(yield* first.matches.listActive(CS2), ROUNDS)
      }).pipe(Effect.scoped),
    60_000,
  )

  it.live.each(["append", "announce", "token"] as const)(
    "are completed by the other process after a crash before %s",
    (step) =>
      Effect.gen(function* () {
        const intakes = yield* twoIntakes
        const { first, second } = intakes
        first.crash.before = step
        const content = { ...registration, externalId: step }
        assert.strictEqual((yield* first.register(content, "key")).status, 500)
        const answers = yield* Effect.all([second.register(content, "key"), second.register(content)], { concurrency: "unbounded" })
        const [one, other] = yield* Effect.forEach(answers, registeredIn)
        assert.deepStrictEqual(one, other)
        yield* expectOnce(intakes, (one ?? assert.fail("no answer")).matchId)
        first.crash.before = undefined
        assert.deepStrictEqual(yield* registeredIn(yield* first.register(content, "key")), one)
        assert.lengthOf(yield* first.matches.listActive(CS2), 1)
      }).pipe(Effect.scoped),
    60_000,
  )
})
