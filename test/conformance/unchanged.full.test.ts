/**
 * Checks that customers receive exactly the bytes that they received when `digests.json` was written, while every
 * recorded match is played: REST at four points, WebSocket and SSE in both shapes, every plan, snapshots in the middle
 * of a match, and resuming from a cursor.
 */
import { assert, it } from "@effect/vitest"
import { foldAll } from "@matchpoint/cs2/rules/live/fold"
import { type Plan, planTerms } from "@matchpoint/domain/plans"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { inject } from "vitest"
import { generousTerms } from "../fixtures/metering/metering.ts"
import { announce, feed, memoryStack, Stack } from "../fixtures/stack.ts"
import { Digests } from "./digests.ts"
import { rawSocket, rawStream } from "./rawClients.ts"
import { ask, keyOf, matchReads, plans } from "./reads.ts"
import { played, shares, unwatched } from "./recordings.ts"

const DELAY_SECONDS = 1
/** Facts of each match per step. After each step the test waits for the clients. */
const PORTION = 40

const Settings = Layer.effect(
  GatewayConfig,
  Effect.map(GatewayConfig, (defaults) => ({
    ...defaults,
    delaySeconds: DELAY_SECONDS,
    // Enough for the portions of all matches together: slow clients are not tested here.
    maxBackpressureBytes: 64 * 1024 * 1024,
  })),
)

const Keys = Layer.effectDiscard(
  Effect.gen(function* () {
    const keys = yield* KeyRegister
    yield* Effect.forEach(plans, (plan) =>
      keys.put({ secret: Redacted.make(keyOf(plan)), terms: generousTerms(plan), label: "conformance" }),
    )
  }),
)

const shapes = ["v1", "v2"] as const
const matches = played(inject("dataDirectory"))
const nameOf = new Map<string, string>(matches.map(({ id, name }) => [id, name]))
const isDelayed = (plan: Plan) => planTerms[plan].delaySeconds > 0

/**
 * A client that follows `all`. The first messages of a plan's clients differ, but its frames must be the same as any
 * other plan's.
 */
interface Follower {
  readonly plan: Plan
  /** Newest seq by match. */
  readonly seqs: Map<string, number>
}

const headOf = /"matchId":"([^"]+)","epoch":\d+,"seq":(\d+)/

it.layer(Keys.pipe(Layer.provideMerge(memoryStack), Layer.provide([Settings, unwatched])), { timeout: 60_000, excludeTestServices: true })(
  "responses and messages to customers",
  (it) => {
    it.effect(
      "are unchanged byte for byte, for every recording, point, plan, channel and shape",
      () =>
        Effect.gen(function* () {
          const { url, wsUrl } = yield* Stack
          const digests = new Digests()
          const followers: Array<Follower> = []

          const follow = Effect.fnUntraced(function* (plan: Plan, channel: "socket" | "stream", shape: "v1" | "v2") {
            const follower: Follower = { plan, seqs: new Map() }
            followers.push(follower)
            const onText = (text: string) => {
              const [, matchId, seq] = headOf.exec(text) ?? []
              // Each match separately, because the order between matches differs from run to run.
              if (matchId === undefined || seq === undefined || text.includes('"type":"heartbeat"') || text.includes('"caught_up"')) return
              digests.take(nameOf.get(matchId) ?? "", `${channel} ${shape}`, plan, text)
              follower.seqs.set(matchId, Number(seq))
            }
            const query = `apiKey=${keyOf(plan)}&shape=${shape}&slow=catchup&flush=immediate`
            if (channel === "stream") return yield* rawStream(`${url}/cs2/live/stream?${query}`, onText)
            const socket = yield* rawSocket(`${wsUrl}/cs2/live/ws?${query}`, onText)
            socket.send({ action: "subscribe", rooms: ["all"] })
          })

          for (const [index, plan] of plans.entries()) {
            // One plan of each tier takes both shapes. The others alternate, one shape per channel.
            for (const shape of plan === "free" || plan === "pro" ? shapes : shapes.slice(index % 2, (index % 2) + 1)) {
              yield* follow(plan, "socket", shape)
              yield* follow(plan, "stream", shape === "v1" ? "v2" : "v1")
            }
          }

          const arrive = (at: ReadonlyMap<string, number>, isIncluded: (plan: Plan) => boolean) =>
            Effect.suspend(() => {
              const behind = followers.find(({ plan, seqs }) => isIncluded(plan) && [...at].some(([id, seq]) => (seqs.get(id) ?? 0) < seq))
              return behind === undefined ? Effect.void : Effect.fail(behind)
            }).pipe(Effect.retry(Schedule.spaced("3 millis")), Effect.timeout("20 seconds"))

          /** Joins in the middle of a match: records its snapshot, and the messages after a cursor. */
          const join = Effect.fnUntraced(function* (id: string, name: string, shape: "v1" | "v2", from: number | undefined) {
            let texts: Array<string> = []
            const socket = yield* rawSocket(`${wsUrl}/cs2/live/ws?apiKey=${keyOf("pro")}&shape=${shape}&slow=catchup`, (text) => {
              texts.push(text)
            })
            const room = `match:${id}`
            const resume = from === undefined ? {} : { resume: { [room]: { epoch: 0, seq: from } } }
            socket.send({ action: "subscribe", rooms: [room], ...resume })
            yield* Effect.suspend(() => (texts.some((text) => text.includes('"caught_up"')) ? Effect.void : Effect.fail("waiting"))).pipe(
              Effect.retry(Schedule.spaced("3 millis")),
              Effect.timeout("10 seconds"),
            )
            // The times of heartbeats differ from run to run.
            texts = texts.filter((text) => !text.includes('"type":"ready"') && !text.includes('"type":"heartbeat"'))
            for (const text of texts) digests.take(name, `joins ${from === undefined ? "now" : `after ${from}`} ${shape}`, "pro", text)
          }, Effect.scoped)

          yield* Effect.forEach(matches, ({ id }) => announce(id), { discard: true })
          const states = new Map<string, ReturnType<typeof foldAll>>()
          const published = new Map<string, number>()
          const publish = Effect.fnUntraced(function* (until: (length: number, point: number) => number, point: number) {
            for (let more = true; more; ) {
              more = false
              for (const { id, events, points } of matches) {
                const from = published.get(id) ?? 0
                const to = Math.min(from + PORTION, until(points[point]?.facts ?? 0, point))
                if (to <= from) continue
                const portion = events.slice(from, to)
                yield* feed(portion)
                states.set(id, foldAll(states.get(id), portion))
                published.set(id, to)
                more = true
              }
              const at = new Map([...states].map(([id, state]) => [id, state?.seq ?? 0]))
              yield* arrive(at, (plan) => !isDelayed(plan))
            }
          })

          for (const [point] of shares.entries()) {
            yield* publish((facts) => facts, point)
            yield* arrive(new Map([...states].map(([id, state]) => [id, state?.seq ?? 0])), () => true)
            const asks = matches.flatMap(({ id }) =>
              matchReads.flatMap((read) =>
                shapes.flatMap((shape) =>
                  plans
                    .filter((_, index) => plans[index] === "pro" || (index + point) % 2 === (shape === "v1" ? 0 : 1))
                    .map((plan) => ({ read, shape, plan, matchId: id, ...(read === "snapshots" ? { query: "limit=4" } : {}) })),
                ),
              ),
            )
            const answers = yield* Effect.forEach(asks, (one) => ask(url, one), { concurrency: 12 })
            for (const { matchId, plan, read, shape, status, text } of answers) {
              // The port differs from run to run.
              const response = `${status} ${text.replaceAll(new URL(url).host, "host")}`
              digests.take(nameOf.get(matchId ?? "") ?? "", `${read} ${shape} at ${shares[point]}`, plan, response)
            }
            for (const shape of shapes) {
              for (const { id, name } of matches) {
                const seq = states.get(id)?.seq ?? 0
                yield* join(id, name, shape, undefined)
                if (seq > 60) yield* join(id, name, shape, seq - 50)
                if (seq > 2) yield* join(id, name, shape, 2)
              }
              // One row per match. The matches on the page do not depend on the positions of the others.
              const { text } = yield* ask(url, { read: "list", shape, plan: "pro", matchId: null })
              const { data }: { readonly data: unknown } = JSON.parse(text)
              for (const row of Object.values(data as object)) {
                const written = JSON.stringify(row)
                const id = /cs2-match-\d+/.exec(written)?.[0] ?? ""
                digests.take(nameOf.get(id) ?? "", `list ${shape}`, "pro", written)
              }
            }
          }

          assert.deepStrictEqual(digests.differences().slice(0, 30), [], Digests.advice)
        }),
      180_000,
    )
  },
)
