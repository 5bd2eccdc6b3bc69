/** Tests the settings of NATS on servers of the test: a password, TLS with a certificate, and several addresses. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import { HEALTH, healthSubject } from "@matchpoint/contracts/bus/subjects"
import { type NatsSettings, natsLog } from "@matchpoint/process/servers/natsLog"
import { freePort } from "@matchpoint/testing/freePorts"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Effect, Option } from "effect"
import { natsSettingsOf, startNats } from "../../fixtures/natsServer.ts"
import { cert, key } from "../../fixtures/processes/certificate.ts"

/** Starts a NATS server with further flags. Returns its port. */
const nats = Effect.fnUntraced(function* (directory: string, flags: ReadonlyArray<string>) {
  return new URL(yield* startNats("nats-server", join(directory, "nats"), flags)).port
})

/** Appends a record and returns the newest sequence. */
const append = (settings: Partial<NatsSettings> & Pick<NatsSettings, "natsUrl">) =>
  Effect.gen(function* () {
    const log = yield* EventLog
    yield* log.append(healthSubject, "a-record", new Uint8Array([1]))
    return (yield* log.bounds(HEALTH)).last
  }).pipe(Effect.provide(natsLog({ ...natsSettingsOf(), ...settings })))

describe("settings of NATS", () => {
  it.live("takes user and password from the address, and the server that answers from several", () =>
    Effect.gen(function* () {
      const port = yield* nats(yield* temporaryDirectory, ["--user", "me", "--pass", "1234"])
      const closed = yield* freePort
      assert.strictEqual(yield* append({ natsUrl: [`nats://127.0.0.1:${closed}`, `nats://me:1234@127.0.0.1:${port}`] }), 1)
      const denied = yield* Effect.flip(append({ natsUrl: [`nats://me:wrong@127.0.0.1:${port}`] }))
      assert.strictEqual(denied._tag, "LogError")
      assert.notInclude(denied.message, "wrong")
      const refused = yield* Effect.flip(append({ natsUrl: [`nats://127.0.0.1:${closed}`] }))
      for (const { message } of [denied, refused]) assert.match(message, /NATS does not accept .* NATS_URL/)
    }),
  )

  it.live("connects over TLS with a certificate, and names a file that cannot be read", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const [certFile, keyFile] = [join(directory, "cert.pem"), join(directory, "key.pem")]
      yield* Effect.promise(() => Promise.all([writeFile(certFile, cert), writeFile(keyFile, key)]))
      const port = yield* nats(directory, ["--tlsverify", "--tlscert", certFile, "--tlskey", keyFile, "--tlscacert", certFile])
      // The client of NATS checks the certificate for the name in the address, and knows no certificates of addresses.
      const natsUrl = [`tls://localhost:${port}`]
      const files = { natsCa: Option.some(certFile), natsCert: Option.some(certFile), natsKey: Option.some(keyFile) }
      assert.strictEqual(yield* append({ natsUrl, ...files }), 1)

      const untrusted = yield* Effect.flip(append({ natsUrl }))
      assert.strictEqual(untrusted._tag, "LogError")
      const half = yield* Effect.flip(append({ natsUrl, natsCert: Option.some(certFile) }))
      assert.strictEqual(half.message, "NATS_CERT and NATS_KEY must be set together")
      const missing = yield* Effect.flip(append({ natsUrl, natsCa: Option.some("/missing.pem") }))
      assert.strictEqual(missing.message, "NATS_CA: the file /missing.pem cannot be read (NotFound)")
    }),
  )
})
