/** Hostile receivers, through the whole path: the management API, the worker, and the sender. */
import { assert, it } from "@effect/vitest"
import { WebhookEvents } from "@matchpoint/store/webhooks/WebhookEvents"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { eventually } from "@matchpoint/testing/realTime"
import { Clock, Effect } from "effect"
import { ATTEMPT_TIMEOUT_MS, create, deliveringStack, tried } from "../../fixtures/webhooks/deliveringStack.ts"
import { answerOk, hostileAnswers, RECEIVER_ADDRESS, receiver } from "../../fixtures/webhooks/hostileReceivers.ts"
import { verifiers } from "../../fixtures/webhooks/verifiers.ts"
import { deliveriesOf, eventOf, manage, newKey, webhookOf } from "../../fixtures/webhooks/webhookStack.ts"

/** Less than an attempt that the receiver does not answer. Two busy cores need 1.3 to 2.3 seconds, mostly for TLS. */
const HEALTHY_WITHIN_MS = 4_000

const seqs = [1, 2, 3, 4, 5]
const names = new Map([["receiver.test", [RECEIVER_ADDRESS]]])

onDatabaseOfRun((database, layer) =>
  it.layer(deliveringStack(layer, names), { timeout: 60_000, excludeTestServices: true })(`hostile receivers on ${database}`, (it) => {
    it.effect("store responses without control characters, and at most 1,024 characters of them", () =>
      Effect.gen(function* () {
        const nasty = Buffer.concat([
          Buffer.from("a\u0000b\u001b[31mc\u202ed\u2066e\u0007\r\n\tf"),
          Buffer.of(0xff, 0xc0, 0xed, 0xa0, 0x80),
          Buffer.from("'); DROP TABLE webhook_deliveries; --"),
        ])
        const answers: ReadonlyArray<readonly [body: Buffer, headers: string, expected: RegExp]> = [
          [nasty, "", /^ab\[31mcde f\ufffd+'\); DROP TABLE webhook_deliveries; --$/],
          [Buffer.alloc(50_000), "", /^$/],
          [Buffer.from("\u{1f600}".repeat(20_000)), "", /^(\u{1f600}){512}$/u],
          [Buffer.from("x".repeat(1_000_000)), "", /^x{1024}$/],
          [nasty, "content-encoding: gzip\r\n", /^$/],
        ]
        for (const [body, headers, expected] of answers) {
          const answering = yield* receiver((socket) => {
            socket.write(`HTTP/1.1 500 \u001b[2J\r\n${headers}content-length: ${body.length}\r\nretry-after: 99999999999\r\n\r\n`)
            socket.write(body)
          })
          const { attempt, delivery } = yield* tried(answering.url)
          assert.strictEqual(attempt.status, 500)
          assert.match(attempt.response ?? "", expected)
          const wait = Date.parse(delivery.next_attempt_at ?? "") - Date.parse(attempt.at)
          assert.isAtMost(wait, 86_400_000 + ATTEMPT_TIMEOUT_MS + 1_000)
        }
      }),
    )

    it.effect("delay only their own deliveries", () =>
      Effect.gen(function* () {
        const hostile = yield* Effect.forEach(Object.entries(hostileAnswers), ([name, { answer, ...expected }]) =>
          Effect.gen(function* () {
            const key = yield* newKey()
            const { id } = yield* create(key, (yield* receiver(answer)).url, "match.updated")
            return { name, key, id, ...expected }
          }),
        )
        const healthy = yield* receiver(answerOk)
        const key = yield* newKey()
        const { id, secret } = yield* create(key, healthy.url, "match.updated")
        const matches = Array.from({ length: 10 }, (_, at) => `cs2-match-${8_000 + at}`)
        const events = matches.flatMap((lane) => seqs.map((seq) => eventOf(lane, seq)))
        const writtenAt = yield* Clock.currentTimeMillis
        yield* Effect.flatMap(WebhookEvents, ({ write }) => write(events))
        yield* eventually(Effect.sync(() => healthy.received.length >= events.length))
        const tookMs = Math.max(...healthy.received.map(({ at }) => at)) - writtenAt
        assert.isAtMost(tookMs, HEALTHY_WITHIN_MS)

        // Every event arrives once, in the order of its match, with a valid signature.
        const arrived = healthy.received.map(({ headers }) => headers["x-svc-event-id"])
        assert.sameMembers(
          arrived,
          events.map(({ eventId }) => eventId),
        )
        for (const lane of matches) {
          const ofLane = arrived.filter((eventId) => eventId?.startsWith(`evt_${lane}.`))
          assert.deepStrictEqual(
            ofLane,
            seqs.map((seq) => eventOf(lane, seq).eventId),
          )
        }
        const deliveries = healthy.received.map(({ body, headers }) => ({ body, headers, secret }))
        for (const { name, verify } of verifiers) {
          assert.isTrue(
            (yield* Effect.promise(() => verify(deliveries))).every((isValid) => isValid),
            name,
          )
        }

        for (const one of hostile) {
          const rows = Effect.map(manage(one.key, "GET", `/${one.id}/deliveries?limit=100`), (answer) => deliveriesOf(answer).data)
          yield* eventually(Effect.map(rows, (all) => all.some(({ attempts }) => attempts.length > 0)))
          const ended = (yield* rows).flatMap(({ attempts }) => attempts)
          for (const { error, status } of ended) {
            assert.strictEqual(status, one.status, one.name)
            if (one.error === null) assert.isNull(error, one.name)
            else assert.match(error ?? "", one.error, one.name)
          }
          assert.isTrue(
            (yield* rows).every(({ status }) => status === "pending"),
            one.name,
          )
          assert.isNotNull(webhookOf(yield* manage(one.key, "GET", `/${one.id}`)).data.warning, one.name)
        }
        // The deliveries to the healthy receiver are recorded, too.
        yield* eventually(Effect.map(manage(key, "GET", `/${id}`), (answer) => webhookOf(answer).data.pending === 0))
        assert.isNull(webhookOf(yield* manage(key, "GET", `/${id}`)).data.warning)
      }),
    )
  }),
)
