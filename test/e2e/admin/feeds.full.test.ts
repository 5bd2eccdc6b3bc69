/**
 * Tests the feed commands of the admin command line with two servers on one PostgreSQL: match tokens and parked writes.
 * Also tests a server without a feed token.
 */
import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { AuditEntry } from "@matchpoint/contracts/http/admin/AdminApi"
import { CreatedFeedToken, FeedTokenRow, ParkedWrite } from "@matchpoint/contracts/http/admin/feedModels"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { Clock, Effect, Layer, Redacted, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Standalone } from "../../fixtures/Standalone.ts"
import { runAdmin } from "./adminCommand.ts"

const TOKEN = "an-admin-token-of-our-own"
const FEED_TOKEN = "the-feed-token-of-the-settings"

const admin = (url: string, ...args: ReadonlyArray<string>) => runAdmin([...args, "--url", url], { MATCHPOINT_ADMIN_TOKEN: TOKEN })

const runJson = Effect.fnUntraced(function* <S extends Schema.Decoder<unknown>>(url: string, schema: S, ...args: ReadonlyArray<string>) {
  const { code, stderr, stdout } = yield* admin(url, ...args, "--json")
  assert.strictEqual(code, 0, stderr)
  return yield* Effect.orDie(Schema.decodeEffect(Schema.fromJsonString(schema))(stdout))
})

const post = (url: string, path: string, token: string, content: unknown) =>
  Effect.promise(async () => {
    const answer = await fetch(`${url}/feed/v1${path}`, {
      method: "POST",
      headers: { "x-feed-token": token, "content-type": "application/json" },
      body: typeof content === "string" ? content : JSON.stringify(content),
      signal: AbortSignal.timeout(15_000),
    })
    const text = await answer.text()
    return { status: answer.status, code: /"code":"(\w+)"/.exec(text)?.[1], text }
  })

/** Returns the status line of the response to a request whose body is never sent. */
const statusWithoutBody = (url: string, path: string) =>
  Effect.promise(
    () =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(Number(new URL(url).port), "127.0.0.1", () =>
          socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\nx-feed-token: w\r\n\r\n`),
        )
        socket.setTimeout(8_000, () => reject(new Error("no response without the body")))
        socket.once("data", (data) => {
          socket.destroy()
          resolve(String(data).split("\r\n", 1)[0] ?? "")
        })
      }),
  )

const registered = Effect.fnUntraced(function* (url: string) {
  const { status, text } = yield* post(url, "/matches", FEED_TOKEN, { bestOf: 1, teams: [{ name: "North" }, { name: "South" }] })
  assert.strictEqual(status, 200, text)
  return /cs2-match-\d+/.exec(text)?.[0] ?? assert.fail("no match")
})

const databaseUrl = inject("databaseUrl")

const server = (database: Redacted.Redacted<string>, env: Record<string, string>) =>
  Effect.flatMap(
    Layer.build(Layer.fresh(Standalone.layer({ matches: 0, speed: 1, env: { DATABASE_URL: Redacted.value(database), ...env } }))),
    (context) => Effect.provide(Standalone, context),
  )

describe.skipIf(databaseUrl === null)("feeds of two servers on one PostgreSQL", () => {
  it.live(
    "creates, uses, lists and revokes a token for a match; parks, lists and retries a refused write",
    () =>
      Effect.gen(function* () {
        const database = yield* temporaryDatabase(databaseUrl ?? "")
        const env = { MATCHPOINT_ADMIN_TOKEN: TOKEN, MATCHPOINT_FEED_TOKEN: FEED_TOKEN }
        const first = yield* server(database, env)
        const second = yield* server(database, env)
        const [one, other] = [yield* registered(first.url), yield* registered(first.url)]

        const { secret, tokenId } = yield* runJson(first.url, CreatedFeedToken, "feed-tokens", "create", "--match", one, "--label", "relay")
        const log = (url: string, match: string) => post(url, `/matches/${match}/log`, secret, "")
        for (const { url } of [first, second]) {
          assert.strictEqual((yield* log(url, one)).status, 200)
          const elsewhere = yield* log(url, other)
          assert.deepInclude(elsewhere, { status: 403, code: "FEED_TOKEN_SCOPE" })
          assert.include(elsewhere.text, `for match ${one}, not for match ${other}`)
        }
        assert.include(yield* statusWithoutBody(first.url, `/feed/v1/matches/${one}/log`), " 401 ")
        const unknown = yield* admin(first.url, "feed-tokens", "create", "--match", "cs2-match-999999", "--label", "x")
        assert.deepStrictEqual([unknown.code, unknown.stderr.includes("is not registered")], [1, true])
        assert.strictEqual((yield* admin(first.url, "feed-tokens", "create", "--label", "x")).code, 1)

        assert.strictEqual((yield* admin(first.url, "feed-tokens", "revoke", tokenId)).code, 0)
        const revokedAt = yield* Clock.currentTimeMillis
        for (const { url } of [first, second]) {
          yield* log(url, one).pipe(Effect.repeat({ until: ({ status }) => status === 401, schedule: Schedule.spaced("250 millis") }))
        }
        assert.isAtMost((yield* Clock.currentTimeMillis) - revokedAt, 6_000)
        const rows = yield* runJson(first.url, Schema.Array(FeedTokenRow), "feed-tokens", "list")
        assert.deepStrictEqual(
          rows.map(({ label, matchId, status }) => [label, matchId as string, status]),
          [
            ["relay", one, "revoked"],
            ["registration", other, "active"],
            ["registration", one, "active"],
          ],
        )

        // Makes the database refuse a write.
        const sql = yield* Effect.flatMap(Layer.build(Postgres.layer({ url: database, maxConnections: 1 })), (context) =>
          Effect.provide(SqlClient.SqlClient, context),
        )
        yield* sql.unsafe(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'no such text' USING ERRCODE = '22P05'; END $$`)
        yield* sql.unsafe(
          `CREATE TRIGGER refuse BEFORE UPDATE ON matches FOR EACH ROW WHEN (NEW.status = 'cancelled') EXECUTE FUNCTION refuse()`,
        )
        const ended = yield* post(first.url, `/matches/${one}/end`, FEED_TOKEN, { reason: "cancelled" })
        assert.strictEqual(ended.status, 200, ended.text)
        const parked = runJson(first.url, Schema.Array(ParkedWrite), "parked", "list")
        const [write] = yield* parked.pipe(
          Effect.repeat({ until: (writes) => writes.length > 0, schedule: Schedule.spaced("1 second") }),
          Effect.timeout("100 seconds"),
        )
        assert.deepStrictEqual(
          [String(write?.matchId), write?.work, write?.sqlState, write?.retryRequestedAt],
          [one, "result", "22P05", null],
        )

        yield* sql.unsafe("DROP FUNCTION refuse CASCADE")
        assert.strictEqual((yield* admin(first.url, "parked", "retry", other)).code, 1)
        assert.strictEqual((yield* admin(first.url, "parked", "retry", one)).code, 0)
        yield* parked.pipe(
          Effect.repeat({ until: (writes) => writes.length === 0, schedule: Schedule.spaced("1 second") }),
          Effect.timeout("30 seconds"),
        )
        const [row] = yield* sql`SELECT status FROM matches WHERE match_number = ${Number(one.split("-").at(-1))}`
        assert.deepInclude(row, { status: "cancelled" })

        const auditLog = yield* runJson(first.url, Schema.Array(AuditEntry), "audit", "list")
        assert.deepStrictEqual(
          auditLog.map(({ action }) => action),
          ["match.retry", "feed_token.revoke", "feed_token.create"],
        )
        assert.deepInclude(auditLog[1]?.details, { tokenId, matchId: one, label: "relay" })
        assert.notInclude(JSON.stringify(auditLog), secret)
      }),
    240_000,
  )

  it.live(
    "prints at start that it has no feed token, and answers feed requests with the reason",
    () =>
      Effect.gen(function* () {
        const { output, url } = yield* server(yield* temporaryDatabase(databaseUrl ?? ""), {})
        const banner = yield* output.pipe(
          Effect.repeat({ until: (text) => text.includes("Ctrl-C"), schedule: Schedule.spaced("20 millis") }),
          Effect.timeout("20 seconds"),
        )
        assert.match(banner, /Feed +off; set MATCHPOINT_FEED_TOKEN to turn it on/)
        for (const path of ["/matches", "/matches/cs2-match-1001/log", "/pingpong/matches"]) {
          const answer = yield* post(url, path, "x", {})
          assert.deepInclude(answer, { status: 503, code: "SERVICE_UNAVAILABLE" }, path)
          assert.include(answer.text, "MATCHPOINT_FEED_TOKEN")
        }
      }),
    120_000,
  )
})
