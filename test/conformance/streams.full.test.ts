/**
 * Checks the live channels against their contract while every recorded match is played: each plan on a WebSocket (v2)
 * and on an SSE stream (v1), every message decoded by its schema, deltas applied and their hashes checked, and low
 * plans delayed.
 */
import { assert, it } from "@effect/vitest"
import { decodeServerMessage } from "@matchpoint/cs2/contract/serverMessages"
import { type Plan, planTerms } from "@matchpoint/domain/plans"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { Effect, Layer, Redacted, Result } from "effect"
import { inject } from "vitest"
import { Ear, isType, openSocket, openStream } from "../fixtures/clients/liveClients.ts"
import { generousTerms } from "../fixtures/metering/metering.ts"
import { announce, feed, memoryStack, Stack } from "../fixtures/stack.ts"
import { keyOf, plans } from "./reads.ts"
import { played, unwatched } from "./recordings.ts"

const DELAY_MS = 1_000
/** Facts of each match per step, so that clients can keep up. */
const PORTION = 60

const Settings = Layer.effect(
  GatewayConfig,
  Effect.map(GatewayConfig, (defaults) => ({ ...defaults, delaySeconds: DELAY_MS / 1_000 })),
)

const Keys = Layer.effectDiscard(
  Effect.gen(function* () {
    const keys = yield* KeyRegister
    yield* Effect.forEach(plans, (plan) =>
      keys.put({ secret: Redacted.make(keyOf(plan)), terms: generousTerms(plan), label: "conformance" }),
    )
  }),
)

const matches = played(inject("dataDirectory"))

it.layer(Keys.pipe(Layer.provideMerge(memoryStack), Layer.provide([Settings, unwatched])), { timeout: 60_000, excludeTestServices: true })(
  "live channels, played from recorded files",
  (it) => {
    it.effect(
      "send only messages of the contract, report every change, and delay low plans",
      () =>
        Effect.gen(function* () {
          const { url, wsUrl } = yield* Stack
          const faults: Array<string> = []
          let checked = 0
          const earOf = (plan: Plan, channel: string) =>
            new Ear({ conflated: channel === "stream" }, (text) => {
              const now = Date.now()
              const message = decodeServerMessage(text)
              checked += 1
              if (Result.isFailure(message)) {
                faults.push(`${plan} ${channel}: ${text.slice(0, 200)} ${String(message.failure).slice(0, 300)}`)
                return
              }
              const { success } = message
              const isYoung = "publishedAt" in success && now - Date.parse(success.publishedAt) < DELAY_MS
              if (planTerms[plan].delaySeconds > 0 && isYoung)
                faults.push(`${plan} ${channel}: ${success.type} ${success.seq} is too recent`)
            })
          yield* Effect.forEach(matches, ({ id }) => announce(id), { discard: true })
          const ears: Array<Ear> = []
          for (const plan of plans) {
            const query = `apiKey=${keyOf(plan)}&slow=catchup`
            const socket = yield* openSocket("ws", `${wsUrl}/cs2/live/ws?${query}&shape=v2`, earOf(plan, "socket"))
            socket.send({ action: "subscribe", rooms: ["all"] })
            const stream = yield* openStream("eventsource", `${url}/cs2/live/stream?${query}&maxRateMs=100`, earOf(plan, "stream"))
            ears.push(socket.ear, stream.ear)
          }
          for (const ear of ears) yield* ear.until(isType("caught_up"))
          const longest = Math.max(...matches.map(({ events }) => events.length))
          for (let from = 0; from < longest; from += PORTION) {
            yield* Effect.forEach(matches, ({ events }) => feed(events.slice(from, from + PORTION)), { discard: true })
            yield* Effect.sleep("5 millis")
          }
          for (const { id, points } of matches) {
            const last = points.at(-1)?.seq ?? 0
            for (const ear of ears) yield* ear.reaches(id, last)
          }
          for (const { transcript } of ears) faults.push(...transcript.problems)
          assert.deepStrictEqual(faults.slice(0, 10), [])
          for (const { transcript } of ears.filter((_, index) => index % 2 === 0)) {
            assert.deepStrictEqual(transcript.missing, [])
            assert.isAbove(transcript.hashesChecked, 0)
          }
          assert.isAbove(checked, 1_000)
        }),
      60_000,
    )
  },
)
