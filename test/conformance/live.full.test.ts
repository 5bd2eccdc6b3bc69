/**
 * Checks the live section against its contract and the specification while every recorded match is played: all
 * endpoints, both shapes, every plan, at several points. Delayed plans must get past states, and later exactly what the
 * other plans got.
 */
import { assert, it } from "@effect/vitest"
import { InvalidApiKey, MatchNotFound, ValidationError } from "@matchpoint/contracts/http/errors"
import { type Plan, planTerms } from "@matchpoint/domain/plans"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { Effect, Layer, Redacted, Schedule, Schema } from "effect"
import { inject } from "vitest"
import { generousTerms } from "../fixtures/metering/metering.ts"
import { announce, feed, memoryStack, Stack } from "../fixtures/stack.ts"
import { backupFaults } from "./backup.ts"
import { FrameBook } from "./frameBook.ts"
import { type Answer, type Ask, ask, cursorOf, faultsOf, keyOf, liveReads, matchReads, metaOf, plans } from "./reads.ts"
import { backupMatch, type Played, played, shares, unwatched } from "./recordings.ts"

const DELAY_SECONDS = 1.2

const ShortDelay = Layer.effect(
  GatewayConfig,
  Effect.map(GatewayConfig, (defaults) => ({ ...defaults, delaySeconds: DELAY_SECONDS })),
)

const Keys = Layer.effectDiscard(
  Effect.gen(function* () {
    const keys = yield* KeyRegister
    yield* Effect.forEach(plans, (plan) =>
      keys.put({ secret: Redacted.make(keyOf(plan)), terms: generousTerms(plan), label: "conformance" }),
    )
  }),
)

const isDelayed = (plan: Plan) => planTerms[plan].delaySeconds > 0
const shapes = ["v1", "v2"] as const
const matches = played(inject("dataDirectory"))
const nameOf = new Map<string, string>(matches.map(({ id, name }) => [id, name]))

const everyRead = (plan: Plan, of: ReadonlyArray<Played>): ReadonlyArray<Ask> =>
  shapes.flatMap((shape) => [
    { read: "list" as const, shape, plan, matchId: null },
    ...of.flatMap(({ id }) =>
      // A page of whole snapshots takes a megabyte, so a few rows per match suffice.
      matchReads.map((read) => ({ read, shape, plan, matchId: id, ...(read === "snapshots" ? { query: "limit=4" } : {}) })),
    ),
  ])

const nameOfAnswer = (answer: Answer) => (answer.matchId === null ? "all" : (nameOf.get(answer.matchId) ?? answer.matchId))

/** Checks that a delayed response contains nothing published less than the delay before. */
const leaksOf = (book: FrameBook, answer: Answer): ReadonlyArray<string> => {
  if (answer.status !== 200) return []
  const leaks: Array<string> = []
  const checkAge = (matchId: string, seq: number, what: string) => {
    const frame = book.frame(matchId, seq)
    if (frame === undefined) leaks.push(`${what} belongs to an unknown frame ${matchId} ${seq}`)
    else if (answer.at - frame.at < DELAY_SECONDS * 1_000) leaks.push(`${what} is ${answer.at - frame.at} ms old (seq ${seq})`)
  }
  const body: { readonly data: never } = JSON.parse(answer.text)
  const cursor = cursorOf(answer)
  if (answer.matchId !== null && cursor !== undefined) checkAge(answer.matchId, cursor.seq, "the response")
  if (answer.matchId !== null && cursor !== undefined && answer.read === "events") {
    const { events }: { readonly events: ReadonlyArray<{ readonly eventId: string }> } = body.data
    for (const { eventId } of events) {
      const seq = book.seqOfEvent(answer.matchId, eventId)
      if (seq === undefined || seq > cursor.seq) leaks.push(`event ${eventId} of seq ${seq} in a response of seq ${cursor.seq}`)
    }
  }
  if (answer.matchId !== null && answer.read === "snapshots") {
    const rows: ReadonlyArray<{ readonly capturedAt?: string; readonly publishedAt?: string }> = body.data
    for (const { capturedAt, publishedAt } of rows) {
      const age = answer.at - Date.parse(capturedAt ?? publishedAt ?? "")
      if (!(age >= DELAY_SECONDS * 1_000)) leaks.push(`a snapshot is ${age} ms old`)
    }
  }
  if (answer.read === "list" && answer.shape === "v2") {
    for (const [matchId, { seq }] of Object.entries<{ readonly seq: number }>(body.data)) checkAge(matchId, seq, "a row")
  }
  if (answer.read === "state" && answer.shape === "v2" && answer.matchId !== null && cursor !== undefined) {
    const frame = book.frame(answer.matchId, cursor.seq)
    if (frame !== undefined && metaOf(body)["hash"] !== book.hashOf(frame)) leaks.push("the state differs from that of its frame")
  }
  return leaks.map((leak) => `${nameOfAnswer(answer)} ${answer.plan} ${answer.read} ${answer.shape}: ${leak}`)
}

const answers = Effect.fnUntraced(function* (asks: ReadonlyArray<Ask>) {
  const { url } = yield* Stack
  return yield* Effect.forEach(asks, (one) => ask(url, one), { concurrency: 12 })
})

/** Waits until this plan sees every match up to the current point. */
const arrived = Effect.fnUntraced(function* (plan: Plan, point: number) {
  const { url } = yield* Stack
  yield* Effect.forEach(
    matches,
    ({ id, points }) =>
      ask(url, { read: "rounds", shape: "v1", plan, matchId: id, method: "HEAD" }).pipe(
        Effect.filterOrFail((answer) => cursorOf(answer)?.seq === points[point]?.seq),
        Effect.retry(Schedule.spaced("20 millis")),
        Effect.timeout("15 seconds"),
      ),
    { concurrency: 4, discard: true },
  )
})

it.layer(Keys.pipe(Layer.provideMerge(memoryStack), Layer.provide([ShortDelay, unwatched])), {
  timeout: 60_000,
  excludeTestServices: true,
})("live section, played from recorded files", (it) => {
  const book = new FrameBook()

  it.effect(
    "matches contract and specification at every point and plan, and delays low plans",
    () =>
      Effect.gen(function* () {
        yield* Effect.forEach(matches, ({ id }) => announce(id), { discard: true })
        const faults: Array<string> = []
        let behind = 0
        for (const [point] of shares.entries()) {
          const from = point - 1
          yield* Effect.forEach(matches, ({ events, points }) => feed(events.slice(points[from]?.facts ?? 0, points[point]?.facts)), {
            discard: true,
          })
          yield* arrived("pro", point)
          // Pro reads everything. Each other plan reads one shape now and the other one at the next point.
          const half = (plan: Plan) =>
            everyRead(plan, matches).filter(({ shape }) => shape === shapes[(point + plans.indexOf(plan)) % shapes.length])
          const young = yield* answers(plans.filter(isDelayed).flatMap(half))
          const now = yield* answers(everyRead("pro", matches))
          yield* arrived("free", point)
          const later = yield* answers(plans.filter((plan) => plan !== "pro").flatMap(half))
          yield* book.refresh

          for (const answer of young)
            faults.push(...(answer.status === 404 ? [] : faultsOf(answer, nameOfAnswer(answer))), ...leaksOf(book, answer))
          const newest = new Map(now.map((answer) => [answer.matchId, cursorOf(answer)?.seq ?? 0]))
          behind += young.filter((answer) => (cursorOf(answer)?.seq ?? 0) < (newest.get(answer.matchId) ?? 0)).length
          for (const answer of now) {
            faults.push(...faultsOf(answer, nameOfAnswer(answer)))
            if (point > 0 && answer.matchId === backupMatch) faults.push(...backupFaults(answer, shares[point] ?? 0))
          }
          const first = new Map(now.map((answer) => [`${answer.read} ${answer.shape} ${answer.matchId}`, answer]))
          for (const answer of later) {
            if (isDelayed(answer.plan)) faults.push(...leaksOf(book, answer))
            if (answer.read === "socket") faults.push(...faultsOf(answer, nameOfAnswer(answer)))
            else if (answer.text !== first.get(`${answer.read} ${answer.shape} ${answer.matchId}`)?.text) {
              faults.push(`${nameOfAnswer(answer)} ${answer.plan} ${answer.read} ${answer.shape}: differs from the response to plan pro`)
            }
          }
          assert.deepStrictEqual([...new Set(faults)].slice(0, 20), [], `at ${shares[point]}`)
        }
        assert.isAbove(behind, 0, "low plans were never behind")
        assert.isAbove(book.size, matches.reduce((sum, { points }) => sum + (points.at(-1)?.seq ?? 0), 0) - 1)
      }),
    120_000,
  )

  it.effect("filters snapshots by the feed that was in use", () =>
    Effect.gen(function* () {
      const { url } = yield* Stack
      for (const source of ["live", "live_backup"]) {
        const query = `source=${source}&limit=50`
        const { text } = yield* ask(url, { read: "snapshots", shape: "v1", plan: "pro", matchId: backupMatch, query })
        const { data, meta }: { readonly data: ReadonlyArray<{ readonly source: string }>; readonly meta: { readonly total: number } } =
          JSON.parse(text)
        assert.isAbove(meta.total, 100)
        assert.isTrue(data.every((row) => row.source === source))
      }
    }),
  )

  const errors = [
    ["shape=v9", 400],
    ["limit=0", 400],
    ["page=x", 400],
    ["from=yesterday", 400],
    ["to=2026-02-30T25:00:00Z", 400],
    ["from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", 400],
    ["source=vrs", 400],
  ] as const
  for (const [query, status] of errors) {
    it.effect(`rejects snapshots?${query} with ${status} and the contract's error`, () =>
      Effect.gen(function* () {
        const { url } = yield* Stack
        const answer = yield* ask(url, { read: "snapshots", shape: "v1", plan: "pro", matchId: matches[0]?.id ?? null, query })
        assert.strictEqual(answer.status, status, answer.text)
        assert.instanceOf(yield* Schema.decodeUnknownEffect(ValidationError)(JSON.parse(answer.text)), ValidationError)
      }),
    )
  }

  it.effect("returns the contract's errors for unknown keys, unknown matches and invalid ids, in both shapes", () =>
    Effect.gen(function* () {
      const { url } = yield* Stack
      for (const read of liveReads) {
        for (const shape of shapes) {
          const stranger = yield* ask(url, {
            read,
            shape,
            plan: "pro",
            matchId: read === "list" ? null : (matches[0]?.id ?? null),
            headers: { "x-api-key": "mp_nobody" },
          })
          assert.strictEqual(stranger.status, 401)
          assert.instanceOf(yield* Schema.decodeUnknownEffect(InvalidApiKey)(JSON.parse(stranger.text)), InvalidApiKey)
          if (read === "list") continue
          const missing = yield* ask(url, { read, shape, plan: "free", matchId: "cs2-match-77777" })
          assert.strictEqual(missing.status, 404)
          assert.instanceOf(yield* Schema.decodeUnknownEffect(MatchNotFound)(JSON.parse(missing.text)), MatchNotFound)
          const malformed = yield* ask(url, { read, shape, plan: "free", matchId: "match-1" })
          assert.strictEqual(malformed.status, 400)
          assert.instanceOf(yield* Schema.decodeUnknownEffect(ValidationError)(JSON.parse(malformed.text)), ValidationError)
        }
      }
    }),
  )

  it.effect("responds 304 without a body to a current entity tag, on every read", () =>
    Effect.gen(function* () {
      const { url } = yield* Stack
      for (const read of liveReads) {
        const tags = new Set<string | null>()
        for (const plan of ["free", "pro"] as const) {
          for (const shape of shapes) {
            const one = { read, shape, plan, matchId: read === "list" ? null : (matches[0]?.id ?? null) }
            const etag = (yield* ask(url, one)).headers.get("etag")
            tags.add(etag)
            const again = yield* ask(url, { ...one, headers: { "if-none-match": `"x", W/${etag}` } })
            // The form of the tag in the request, by which a cache finds its entry.
            assert.deepStrictEqual([again.status, again.text, again.headers.get("etag")], [304, "", `W/${etag}`])
            assert.include(again.headers.get("vary"), "Accept")
            const other = yield* ask(url, { ...one, headers: { "if-none-match": '"0.0-v1"' } })
            assert.strictEqual(other.status, 200)
            const head = yield* ask(url, { ...one, method: "HEAD" })
            assert.deepStrictEqual([head.status, head.text, head.headers.get("etag")], [200, "", etag])
          }
        }
        assert.strictEqual(tags.size, 4, `${read}: each combination of tier and shape has its own tag`)
      }
    }),
  )
})
