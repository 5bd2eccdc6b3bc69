/**
 * Hostile customers, through the whole path: the management API, the worker, and the sender with the policy of a
 * production server. No connection to an internal address is attempted.
 */
import { assert, it } from "@effect/vitest"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect } from "effect"
import { create, deliveringStack, tried } from "../../fixtures/webhooks/deliveringStack.ts"
import { canary, RECEIVER_ADDRESS, receiver } from "../../fixtures/webhooks/hostileReceivers.ts"
import { assertError, manage, type Names, newKey, PUBLIC, webhookOf } from "../../fixtures/webhooks/webhookStack.ts"

/** URLs that customers must not register. `PORT` is the port of the canary. */
const hostileUrls: ReadonlyArray<string> = [
  "http://receiver.test:PORT/",
  "https://127.0.0.1:PORT/",
  "https://127.1:PORT/",
  "https://2130706433:PORT/",
  "https://0x7f000001:PORT/",
  "https://0177.0.0.1:PORT/",
  "https://①②⑦.⓪.⓪.①:PORT/",
  "https://127。0。0。1:PORT/",
  "https://%31%32%37.0.0.1:PORT/",
  "https://0:PORT/",
  "https://[::1]:PORT/",
  "https://[::]:PORT/",
  "https://[::ffff:127.0.0.1]:PORT/",
  "https://[::ffff:7f00:1]:PORT/",
  "https://[::127.0.0.1]:PORT/",
  "https://[64:ff9b::7f00:1]:PORT/",
  "https://[2002:7f00:1::]:PORT/",
  "https://[fe80::1%25lo]:PORT/",
  "https://localhost:PORT/",
  "https://LOCALHOST.:PORT/",
  "https://a.localhost:PORT/",
  "https://ⓛocalhost:PORT/",
  "https://metadata.google.internal/computeMetadata/v1/",
  "https://169.254.169.254/latest/meta-data/",
  "https://[fd00:ec2::254]/latest/meta-data/",
  "https://10.0.0.1/",
  "https://192.168.0.1/",
  "https://172.16.0.1/",
  "https://100.64.0.1/",
  "https://224.0.0.1/",
  "https://255.255.255.255/",
  "https://printer.local/",
  "https://database/",
  "https://user:password@receiver.test/",
  "https://receiver.test@127.0.0.1:PORT/",
  "https://receiver.test\\@127.0.0.1:PORT/",
  "https://receiver.test:PORT/#@127.0.0.1/",
  "https:127.0.0.1:PORT/",
  "https:///127.0.0.1:PORT/",
  "https://receiver.test/\r\nhost: internal",
  "https://receiver.test/\u0000",
  "https://receiver.test:22/",
  "https://receiver.test:5432/",
  "https://receiver.test:6379/",
  "ftp://receiver.test/",
  "file:///etc/passwd",
  "gopher://127.0.0.1:PORT/_",
  "data:text/plain,a",
  "javascript:alert(1)",
  // Names, with the addresses below.
  "https://private.test/",
  "https://loopback.test:PORT/",
  "https://mapped.test:PORT/",
  "https://mixed.test:PORT/",
  "https://metadata.test/",
  "https://unspecified.test:PORT/",
  "https://empty.test/",
  "https://unknown.test/",
]

const names: Names = new Map([
  ["receiver.test", [RECEIVER_ADDRESS]],
  ["private.test", ["10.20.30.40"]],
  ["loopback.test", ["127.0.0.1"]],
  ["mapped.test", ["::ffff:127.0.0.1"]],
  ["mixed.test", [PUBLIC, "127.0.0.1"]],
  ["metadata.test", ["169.254.169.254"]],
  ["unspecified.test", ["0.0.0.0"]],
  ["empty.test", []],
])

/** Parts of the URLs and of the addresses above that a message must not contain. */
const revealing = /\d+\.\d+\.\d+|::|\.test|localhost|internal|metadata|passwd|ENOTFOUND|ECONNREFUSED/

onDatabaseOfRun((database, layer) =>
  it.layer(deliveringStack(layer, names), { timeout: 60_000, excludeTestServices: true })(`webhooks on ${database}`, (it) => {
    it.effect("cannot be registered for internal addresses, in any spelling, and the error reveals nothing", () =>
      Effect.gen(function* () {
        const internal = yield* canary
        const key = yield* newKey()
        const { id, url } = yield* create(key, "https://receiver.test/")
        for (const template of hostileUrls) {
          const hostile = template.replace("PORT", String(internal.port))
          for (const [method, path] of [
            ["POST", ""],
            ["PATCH", `/${id}`],
          ] as const) {
            const body = { url: hostile, ...(method === "POST" ? { events: ["match.updated"] } : {}) }
            const { details, message } = assertError(yield* manage(key, method, path, { body }), "VALIDATION_ERROR", hostile)
            assert.deepStrictEqual(details, { field: "url" }, hostile)
            assert.notMatch(message, revealing, hostile)
          }
        }
        assert.strictEqual(webhookOf(yield* manage(key, "GET", `/${id}`)).data.url, url)
        assert.strictEqual(internal.connections(), 0)
      }),
    )

    it.effect.each(["127.0.0.1", "::ffff:127.0.0.1", "0.0.0.0", "10.0.0.1", "169.254.169.254"])(
      "do not reach %s if the name had a public address at registration",
      (address) =>
        Effect.gen(function* () {
          const internal = yield* canary
          names.set("rebind.test", [PUBLIC])
          const { attempt, delivery, id, key } = yield* tried(`https://rebind.test:${internal.port}/`, () =>
            names.set("rebind.test", [address]),
          )
          assert.deepInclude(attempt, { status: null, response: null, error: "The host does not have a public address." })
          assert.strictEqual(delivery.status, "pending")
          const { warning } = webhookOf(yield* manage(key, "GET", `/${id}`)).data
          assert.deepInclude(warning, { failed_attempts: 1, last_error: "The host does not have a public address." })
          assert.strictEqual(internal.connections(), 0)
        }),
    )

    it.effect("do not follow redirects to internal addresses", () =>
      Effect.gen(function* () {
        const internal = yield* canary
        for (const [status, location] of [
          [301, `https://127.0.0.1:${internal.port}/`],
          [302, `http://127.0.0.1:${internal.port}/`],
          [307, `//localhost:${internal.port}/`],
          [308, `https://loopback.test:${internal.port}/`],
        ] as const) {
          const redirecting = yield* receiver((socket) =>
            socket.write(`HTTP/1.1 ${status} Moved\r\nlocation: ${location}\r\nrefresh: 0;url=${location}\r\ncontent-length: 0\r\n\r\n`),
          )
          const { attempt, delivery } = yield* tried(redirecting.url)
          assert.deepInclude(attempt, { status, error: null })
          assert.strictEqual(delivery.status, "pending")
          assert.lengthOf(redirecting.received, 1)
        }
        assert.strictEqual(internal.connections(), 0)
      }),
    )
  }),
)
