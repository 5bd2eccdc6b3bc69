/**
 * Receivers in Node and Python verify the headers that the server signs with. They reject changed bodies, other secrets
 * and, with Standard Webhooks, old deliveries. The suites with Python are skipped if `python3` is not installed.
 */
import { newSecret, signatureHeaders } from "@matchpoint/webhooks/signatures"
import { afterAll, assert, describe, inject, it } from "vitest"
import { type Delivery, startPython, type Verifier, verifiers } from "../../fixtures/webhooks/verifiers.ts"

const pythonPath = inject("python")

const current = newSecret()
const previous = newSecret()
const id = "evt_cs2-match-1001.1.7.match.ended"
const body = `{"id":"${id}","event":"match.ended","created_at":"2026-11-24T10:00:00.000Z","data":{"winner":"Größe ☃","score":"2:1"}}`

const delivery = (ageSeconds = 0, secrets: readonly [string, ...ReadonlyArray<string>] = [current]): Delivery => ({
  headers: signatureHeaders({ id, timestampSeconds: Math.floor(Date.now() / 1_000) - ageSeconds, body, secrets }),
  body,
  secret: current,
})

const suite = (verifier: Verifier) => {
  const isTimeSigned = verifier.scheme === "standard"

  it("accepts deliveries, also up to 290 seconds old, and with names of headers in lower case", async () => {
    const fresh = delivery()
    const lower = Object.fromEntries(Object.entries(fresh.headers).map(([name, value]) => [name.toLowerCase(), value]))
    assert.deepStrictEqual(await verifier.verify([fresh, delivery(290), { ...fresh, headers: lower }]), [true, true, true])
  })

  it("accepts deliveries with the new and with the old secret during a rotation, and none with a third", async () => {
    const rotating = delivery(0, [current, previous])
    const secrets = [current, previous, newSecret()]
    assert.deepStrictEqual(await verifier.verify(secrets.map((secret) => ({ ...rotating, secret }))), [true, true, false])
  })

  it("rejects changed bodies", async () => {
    const { headers, secret } = delivery()
    const changed = [body.replace("2:1", "1:2"), `${body} `, body.replaceAll("ö", "o"), ""]
    assert.deepStrictEqual(
      await verifier.verify(changed.map((text) => ({ headers, body: text, secret }))),
      changed.map(() => false),
    )
  })

  it(isTimeSigned ? "rejects old and future deliveries" : "accepts an old delivery, because its time is not signed", async () => {
    assert.deepStrictEqual(await verifier.verify([delivery(600), delivery(-600)]), [!isTimeSigned, !isTimeSigned])
  })

  if (!isTimeSigned) return

  it("rejects an old delivery with a new timestamp or another id", async () => {
    const old = delivery(600)
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const renewed = { ...old, headers: { ...old.headers, "webhook-timestamp": timestamp } }
    const renamed = { ...delivery(), headers: { ...delivery().headers, "webhook-id": "evt_other" } }
    assert.deepStrictEqual(await verifier.verify([renewed, renamed]), [false, false])
  })
}

for (const verifier of verifiers) describe(`a receiver with ${verifier.name} (${verifier.scheme})`, () => suite(verifier))

describe.skipIf(pythonPath === null)("receivers in Python", () => {
  const python = pythonPath === null ? { verifiers: [], stop: () => {} } : startPython(pythonPath)
  afterAll(() => python.stop())
  for (const verifier of python.verifiers) describe(`a receiver with ${verifier.name} (${verifier.scheme})`, () => suite(verifier))
})
