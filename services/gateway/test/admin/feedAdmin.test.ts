/** Feed tokens and parked writes over the admin API. */
import { assert, it } from "@effect/vitest"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import { FeedTokenId } from "@matchpoint/domain/feedTokens"
import { matchIdOf } from "@matchpoint/domain/ids"
import { AuditLog } from "@matchpoint/store/keys/AuditLog"
import { FeedTokens } from "@matchpoint/store/keys/FeedTokens"
import { Matches } from "@matchpoint/store/live/Matches"
import { ParkedMatches } from "@matchpoint/store/live/ParkedMatches"
import { StoreError } from "@matchpoint/store/StoreError"
import { Effect, Option, Redacted } from "effect"
import { AdminServer, adminServer, TOKEN } from "./adminServer.ts"

const registration = { bestOf: 1, team1: { id: "1", name: "North" }, team2: { id: "2", name: "South" }, config: {} }
const query = {}

/** Posts content that the contract's client would not send. Returns status and body. */
const posted = Effect.fnUntraced(function* (path: string, content: unknown) {
  const { url } = yield* AdminServer
  return yield* Effect.promise(async () => {
    const headers = { "x-admin-token": TOKEN, "content-type": "application/json" }
    const answer = await fetch(`${url}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(content),
      signal: AbortSignal.timeout(10_000),
    })
    return { status: answer.status, text: await answer.text() }
  })
})

it.layer(adminServer(), { excludeTestServices: true, timeout: "120 seconds" })("admin API of feeds", (it) => {
  it.effect("creates a token for a registered match, shows its secret once, lists it and revokes it once, and logs each change", () =>
    Effect.gen(function* () {
      const { api } = yield* AdminServer
      const tokens = yield* FeedTokens
      const matchId = yield* (yield* Matches).register(CS2, registration)
      const { data: made } = yield* api.createFeedToken({ payload: { label: "relay", matchId, source: "backup" } })
      assert.deepStrictEqual(yield* tokens.verify(Redacted.make(made.secret)), Option.some({ matchId, source: "backup" }))
      const { data: rows, meta } = yield* api.feedTokens({ query })
      assert.deepStrictEqual(
        [meta.total, rows.map(({ label, status, tokenId }) => [tokenId, label, status])],
        [1, [[made.tokenId, "relay", "active"]]],
      )
      assert.notInclude(JSON.stringify(rows), made.secret)
      const { data: revoked } = yield* api.revokeFeedToken({ params: { tokenId: made.tokenId } })
      assert.strictEqual(revoked.status, "revoked")
      assert.isTrue(Option.isNone(yield* tokens.verify(Redacted.make(made.secret))))
      const again = yield* Effect.flip(api.revokeFeedToken({ params: { tokenId: made.tokenId } }))
      assert.include(JSON.stringify(again), "CONFLICT")
      const nothing = FeedTokenId.make("00000000-0000-4000-8000-000000000000")
      assert.include(JSON.stringify(yield* Effect.flip(api.revokeFeedToken({ params: { tokenId: nothing } }))), "NOT_FOUND")

      const { rows: story } = yield* (yield* AuditLog).list({ limit: 10, offset: 0 })
      assert.deepStrictEqual(
        story.map(({ accountId, action, keyId }) => [action, accountId, keyId]),
        [
          ["feed_token.revoke", null, null],
          ["feed_token.create", null, null],
        ],
      )
      assert.notInclude(JSON.stringify(story), made.secret)
    }),
  )

  it.effect.each([
    [{ label: "x" }, 400, "set matchId, source"],
    [{ label: "x", matchId: "cs2-match-999999" }, 404, "register it first"],
    [{ label: "x", matchId: "elsewhere" }, 400, "matchId"],
    [{ label: "x", source: "other" }, 400, "source"],
    [{ label: "x\0y", source: "main" }, 400, "cannot be stored"],
    [{ label: "\ud800", source: "main" }, 400, "cannot be stored"],
  ] as const)("rejects %j", ([content, status, said]) =>
    Effect.gen(function* () {
      const answer = yield* posted("/feed-tokens", content)
      assert.strictEqual(answer.status, status, answer.text)
      assert.include(answer.text, said)
    }),
  )

  it.effect.each([
    ["/accounts", { name: "A\0B", plan: "pro" }],
    ["/keys", { plan: "pro", label: "A\udc00B" }],
  ] as const)("%s rejects a name that cannot be stored", ([path, content]) =>
    Effect.gen(function* () {
      const answer = yield* posted(path, content)
      assert.strictEqual(answer.status, 400, answer.text)
      assert.include(answer.text, "cannot be stored")
    }),
  )

  it.effect("lists a parked write and requests another attempt", () =>
    Effect.gen(function* () {
      const { api } = yield* AdminServer
      const parked = yield* ParkedMatches
      const matchId = matchIdOf(CS2, 7)
      const nothing = yield* Effect.flip(api.retryParked({ params: { matchId } }))
      assert.include(JSON.stringify(nothing), "NOT_FOUND")
      yield* parked.park(matchId, "archive", new StoreError({ operation: "ArchiveWriter.match", cause: new Error("refused") }))
      const { data: before } = yield* api.parked({ query })
      assert.deepInclude(before[0], { matchId, work: "archive", operation: "ArchiveWriter.match", attempts: 1, retryRequestedAt: null })
      const { data: asked } = yield* api.retryParked({ params: { matchId } })
      assert.isNotNull(asked[0]?.retryRequestedAt)
      assert.deepStrictEqual(yield* parked.due("archive"), [matchId])
      const { rows: story } = yield* (yield* AuditLog).list({ limit: 1, offset: 0 })
      assert.deepInclude(story[0], { action: "match.retry", details: { matchId, works: ["archive"] } })
    }),
  )
})
