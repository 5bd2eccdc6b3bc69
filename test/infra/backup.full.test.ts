/**
 * Follows the backup procedure of docs/operators/operations.md: runs its commands on a real PostgreSQL while matches are live, restores
 * the dump into a new database, and starts a server on it, with the log as it was and with an empty log.
 */
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { type LiveSnapshot, type LiveUpdate, UPDATE } from "@matchpoint/cs2/contract/frames"
import type { ServerMessage } from "@matchpoint/cs2/contract/serverMessages"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { createDatabase } from "@matchpoint/testing/createDatabase"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { codeBlocks } from "../documents/codeBlocks.ts"
import { readPage } from "../documents/pages.ts"
import { followSocket } from "../fixtures/clients/followers.ts"
import { startNats } from "../fixtures/natsServer.ts"
import { Standalone } from "../fixtures/Standalone.ts"
import { runProgram } from "./programs.ts"

const databaseUrl = inject("databaseUrl") ?? ""
const natsServer = inject("natsServer") ?? ""
const isPossible = databaseUrl !== "" && natsServer !== "" && inject("pgDump") !== null

const ADMIN_TOKEN = "token-of-the-backup-test"
const PAGE = "docs/operators/operations.md"

/** The commands of the block that starts with this text. */
const blockOf = (start: string): string =>
  codeBlocks(PAGE, readPage(PAGE)).find(({ text }) => text.startsWith(start))?.text ??
  assert.fail(`${PAGE} has no block that starts with ${start}`)

const runBlock = (start: string, folder: string, env: Readonly<Record<string, string>>): void => {
  const { code, output } = runProgram("bash", ["-e", "-c", blockOf(start)], { cwd: folder, env })
  assert.strictEqual(code, 0, output)
}

const KeyCreated = Schema.Struct({ data: Schema.Struct({ secret: Schema.String }) })

/** Creates an API key and returns its secret. */
const createKey = Effect.fnUntraced(function* (url: string) {
  const answer = yield* Effect.promise(async () => {
    const response = await fetch(`${url}/admin/v1/keys`, {
      method: "POST",
      headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
      body: JSON.stringify({ plan: "enterprise", label: "backup" }),
    })
    return response.text()
  })
  return (yield* Schema.decodeEffect(Schema.fromJsonString(KeyCreated))(answer)).data.secret
})

type Frame = LiveUpdate | LiveSnapshot
const isFrame = (message: ServerMessage): message is Frame => message.type === UPDATE || message.type === "cs2.live.snapshot"

const follow = Effect.fnUntraced(function* (url: string, key: string) {
  const follower = yield* followSocket(`${url.replace("http", "ws")}/api/v1/cs2/live/ws`, { "x-api-key": key })
  follower.send({ action: "subscribe", rooms: ["all"] })
  return follower
})

/** Starts a server, which stops with the scope. */
const startServer = Effect.fnUntraced(function* (env: { readonly DATABASE_URL: string; readonly NATS_URL: string }) {
  const settings = { ...env, MATCHPOINT_ADMIN_TOKEN: ADMIN_TOKEN }
  return Context.get(yield* Layer.build(Standalone.layer({ matches: 1, speed: 10, env: settings })), Standalone)
})

/** Number of rows and a hash of their content, of each table. */
const contentOf = Effect.fnUntraced(function* (url: string) {
  const context = yield* Layer.build(Postgres.layer({ url: Redacted.make(url), maxConnections: 1 }))
  const sql = Context.get(context, SqlClient.SqlClient)
  const tables = yield* sql<{ readonly name: string }>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`
  return yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      sql.unsafe(`SELECT count(*)::text AS rows, md5(string_agg(t::text, '|' ORDER BY t::text)) AS hash FROM ${name} t`),
      (found) => ({ name, ...found[0] }),
    ),
  )
})

/** Addresses of the server's own database, of the database in use and of a new one that the restore creates. */
const addresses = (source: string, target: string) => {
  const restored = new URL(source)
  restored.pathname = `/${target}`
  return { MAINTENANCE_URL: databaseUrl, DATABASE_URL: source, RESTORED_NAME: target, RESTORED_URL: restored.href }
}

/** Restores a dump into a new database, which is dropped with the scope. Returns its address. */
const restore = Effect.fnUntraced(function* (folder: string, source: string, name: string) {
  const env = addresses(source, name)
  yield* Effect.acquireRelease(
    Effect.sync(() => runBlock("createdb", folder, env)),
    () => Effect.sync(() => runProgram("dropdb", ["--force", `--maintenance-db=${databaseUrl}`, name])),
  )
  return env.RESTORED_URL
})

describe.skipIf(!isPossible)("the backup procedure of docs/operators/operations.md", () => {
  it.live(
    "restores keys and live matches: without a gap if the log is there, in a new epoch if it is lost",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryDirectory
        const source = Redacted.value(yield* createDatabase(databaseUrl, null))
        const suffix = new URL(source).pathname.slice(-8)
        const natsUrl = yield* startNats(natsServer, join(folder, "nats"))

        // A dump while a match is live. The match goes on for some time after it.
        const { key, last } = yield* Effect.scoped(
          Effect.gen(function* () {
            const { url } = yield* startServer({ DATABASE_URL: source, NATS_URL: natsUrl })
            const created = yield* createKey(url)
            const follower = yield* follow(url, created)
            const early = yield* follower.until((message): message is Frame => isFrame(message) && message.seq > 20)
            // Checkpoints are saved every five seconds.
            yield* Effect.sleep("6 seconds")
            runBlock("pg_dump", folder, addresses(source, ""))
            const newest = Math.max(...follower.messages.filter(isFrame).map(({ seq }) => seq))
            const late = yield* follower.until(
              (message): message is Frame => isFrame(message) && message.matchId === early.matchId && message.seq > newest + 20,
            )
            return { key: created, last: late }
          }),
        )

        const withLog = yield* restore(folder, source, `matchpoint_restored_${suffix}`)
        const withoutLog = yield* restore(folder, source, `matchpoint_lost_${suffix}`)
        const [one, two] = [yield* contentOf(withLog), yield* contentOf(withoutLog)]
        assert.deepStrictEqual(one, two)
        assert.isAbove(one.length, 30)

        yield* Effect.scoped(
          Effect.gen(function* () {
            const { url } = yield* startServer({ DATABASE_URL: withLog, NATS_URL: natsUrl })
            const follower = yield* follow(url, key)
            const next = yield* follower.until((message): message is Frame => isFrame(message) && message.matchId === last.matchId)
            assert.strictEqual(next.epoch, last.epoch)
            assert.isAtLeast(next.seq, last.seq)
            yield* follower.until((message): message is Frame => isFrame(message) && message.seq > next.seq + 5)
            const seqs = follower.messages.flatMap((message) => (isFrame(message) && message.matchId === last.matchId ? [message.seq] : []))
            assert.deepStrictEqual(
              seqs,
              seqs.map((_, index) => next.seq + index),
            )
          }),
        )

        const emptyNats = yield* startNats(natsServer, join(folder, "empty"))
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { output, url } = yield* startServer({ DATABASE_URL: withoutLog, NATS_URL: emptyNats })
            const follower = yield* follow(url, key)
            const next = yield* follower.until((message): message is Frame => isFrame(message) && message.matchId === last.matchId)
            assert.isAbove(next.epoch, last.epoch, yield* output)
          }),
        )
      }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer)),
    180_000,
  )

  it.live("copies every row of a database at rest", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory
      const source = Redacted.value(yield* createDatabase(databaseUrl, inject("postgresTemplate")))
      runBlock("pg_dump", folder, addresses(source, ""))
      const restored = yield* restore(folder, source, `matchpoint_rest_${new URL(source).pathname.slice(-8)}`)
      assert.deepStrictEqual(yield* contentOf(restored), yield* contentOf(source))
    }).pipe(Effect.scoped),
  )
})
