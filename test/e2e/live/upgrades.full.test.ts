/**
 * Upgrades on NATS: the streams of an earlier version are on a server of the test, this version opens them, and a match in
 * play goes on in its epoch, in an actor of the test and in match processes. The data is in test/fixtures/upgrades.
 */
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import { cursorOfMessageId, feedMessageId, feedSubject, LIVE, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { encodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { gameName } from "@matchpoint/domain/ids"
import { natsLog } from "@matchpoint/process/servers/natsLog"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { type Checkpoint, Checkpoints } from "@matchpoint/store/live/Checkpoints"
import { Matches } from "@matchpoint/store/live/Matches"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { freePort } from "@matchpoint/testing/freePorts"
import { eventually } from "@matchpoint/testing/realTime"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Context, Effect, Layer, Option, Redacted, Stream } from "effect"
import { inject } from "vitest"
import { natsSettingsOf, startNats } from "../../fixtures/natsServer.ts"
import { serviceProcess } from "../../fixtures/processes/serviceProcess.ts"
import { checkpointOf, goesOn, matchInPlay, rest, STORED_FACTS, services, versions } from "../../fixtures/upgradedMatch.ts"
import { writeStreams } from "../../fixtures/upgradedNats.ts"

const program = inject("natsServer")
const databaseUrl = inject("databaseUrl")

const natsOf = Effect.fnUntraced(function* (version: string) {
  const url = yield* startNats(program ?? "", join(yield* temporaryDirectory, "nats"))
  yield* writeStreams(version, url)
  return url
})

describe.skipIf(program === null)("upgrade on NATS", () => {
  for (const version of versions) {
    for (const known of [checkpointOf(version), undefined]) {
      it.live(
        `${version}: the match goes on ${known === undefined ? "without its checkpoint" : "from its checkpoint"}`,
        () =>
          Effect.gen(function* () {
            const url = yield* natsOf(version)
            const saved: Array<Checkpoint> = []
            const layer = Layer.provideMerge(services(known, saved), natsLog(natsSettingsOf(url)))
            yield* goesOn(saved).pipe(Effect.scoped, Effect.provide(layer))
          }),
        60_000,
      )
    }
  }

  for (const version of versions) {
    it.live.skipIf(databaseUrl === null)(
      `${version}: match processes go on with the match, and the second one when the first has ended`,
      () =>
        Effect.gen(function* () {
          const url = yield* natsOf(version)
          const log = Context.get(yield* Layer.build(natsLog(natsSettingsOf(url))), EventLog)
          const database = yield* temporaryDatabase(databaseUrl ?? "")
          const store = Layer.mergeAll(Matches.layer, Checkpoints.layer).pipe(
            Layer.provide(Postgres.layer({ url: database, maxConnections: 2 })),
          )
          const stored = yield* Layer.build(store)
          yield* Effect.gen(function* () {
            const teams = { team1: { id: "cs2-team-3673133828", name: "North" }, team2: { id: "cs2-team-237448570", name: "South" } }
            assert.strictEqual(yield* (yield* Matches).register(gameName("cs2"), { bestOf: 1, ...teams, config: {} }), matchInPlay)
            assert.isTrue(yield* (yield* Checkpoints).save(checkpointOf(version)))
          }).pipe(Effect.provideContext(stored))

          const env = { DATABASE_URL: Redacted.value(database), NATS_URL: url, MATCHPOINT_WEBHOOK_KEY: "a-webhook-key-of-this-test" }
          const start = Effect.flatMap(freePort, (port) => serviceProcess("match", { ...env, MATCHPOINT_CLUSTER_PORT: String(port) }))
          const first = yield* start
          const cursors = Effect.map(Stream.runCollect(log.read(LIVE, liveSubject(matchInPlay), { _tag: "First" })), (records) =>
            records.flatMap(({ id }) => (id.includes(":keep:") ? [] : [cursorOfMessageId(id)])),
          )
          const append = (facts: typeof rest) =>
            Effect.forEach(facts, (event) =>
              log.append(feedSubject(matchInPlay), feedMessageId(matchInPlay, event.id), encodeFeedEvent(event)),
            )
          const reaches = (seq: number) => eventually(Effect.map(cursors, (all) => all.at(-1)?.seq === seq))

          yield* append(rest.slice(0, 5))
          yield* reaches(STORED_FACTS + 5)
          yield* start
          yield* first.stop
          yield* append(rest.slice(5))
          yield* reaches(STORED_FACTS + rest.length)
          assert.deepStrictEqual(
            (yield* cursors).map((cursor) => [cursor?.epoch, cursor?.seq]),
            Array.from({ length: STORED_FACTS + rest.length }, (_, index) => [1, index + 1]),
          )
          const saved = Effect.gen(function* () {
            const checkpoint = yield* (yield* Checkpoints).load(matchInPlay)
            return Option.exists(checkpoint, ({ epoch, seq }) => epoch === 1 && seq === STORED_FACTS + rest.length)
          }).pipe(Effect.provideContext(stored))
          yield* eventually(saved)
        }),
      180_000,
    )
  }
})
