/**
 * Tests a game that no generic code knows, from its facts to customers, beside a CS2 match: both channels in both
 * shapes, resuming, the delay of low plans, replay, and the room of all games.
 */
import { assert, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { encodeEvent } from "@matchpoint/contracts/bus/feed"
import { feedMessageId, feedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { cs2Live } from "@matchpoint/cs2/contract/cs2Live"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { matchId as cs2Match } from "@matchpoint/cs2/rules/ids"
import type { Plan } from "@matchpoint/domain/plans"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Clock, Effect, Layer, Redacted, Schedule } from "effect"
import { rawSocket, rawStream } from "../../conformance/rawClients.ts"
import { type PingPongEvent, pingPongLive, pingPongLiveGame, pingPongMatch } from "../../fixtures/clients/pingPong.ts"
import { generousMetering, generousTerms } from "../../fixtures/metering/metering.ts"
import { simulatedEvents } from "../../fixtures/simulated.ts"
import { announce, feed, Stack, stack } from "../../fixtures/stack.ts"

const DELAY_SECONDS = 1

const Settings = Layer.effect(
  GatewayConfig,
  Effect.map(GatewayConfig, (defaults) => ({ ...defaults, delaySeconds: DELAY_SECONDS })),
)

const keyOf = (plan: Plan) => `mp_new_game_${plan}`
const Keys = Layer.effectDiscard(
  Effect.gen(function* () {
    const keys = yield* KeyRegister
    for (const plan of ["pro", "free"] as const) {
      yield* keys.put({ secret: Redacted.make(keyOf(plan)), terms: generousTerms(plan), label: "new game" })
    }
  }),
)

const games = { run: [cs2LiveGame, pingPongLiveGame], served: [cs2Live, pingPongLive] }
const Server = Keys.pipe(
  Layer.provideMerge(stack(EventLogMemory.layer({ streams }), embeddedMemory, generousMetering, games)),
  Layer.provide(Settings),
)

interface Message {
  readonly type: string
  readonly matchId?: string
  readonly epoch?: number
  readonly seq?: number
  readonly base?: number
  readonly publishedAt?: string
  readonly hash?: string
  readonly patch?: JsonObject
  readonly events?: ReadonlyArray<unknown>
  readonly event?: unknown
  readonly data?: JsonObject
  readonly room?: string
  readonly verdict?: string
  readonly code?: string
}

/** Collects the messages of a client and waits for more. */
class Listener {
  readonly messages: Array<Message & { readonly at: number }> = []
  readonly take = (text: string): void => void this.messages.push({ ...(JSON.parse(text) as Message), at: Date.now() })
  readonly takeEvent = (event: string): void => this.take(/^data: (.*)$/m.exec(event)?.[1] ?? "{}")

  readonly until = (what: string, holds: (message: Message) => boolean) =>
    Effect.suspend(() => (this.messages.some(holds) ? Effect.void : Effect.fail(what))).pipe(
      Effect.retry(Schedule.spaced("5 millis")),
      Effect.timeoutOrElse({
        duration: "5 seconds",
        orElse: () => Effect.die(new Error(`did not receive ${what}: ${JSON.stringify(this.messages).slice(0, 2_000)}`)),
      }),
    )

  ofType(...types: ReadonlyArray<string>) {
    return this.messages.filter(({ type }) => types.includes(type))
  }
}

const appendFacts = Effect.fnUntraced(function* (events: ReadonlyArray<PingPongEvent>) {
  const log = yield* EventLog
  for (const event of events) yield* log.append(feedSubject(event.matchId), feedMessageId(event.matchId, event.id), encodeEvent(event))
})

const follow = Effect.fnUntraced(function* (path: string, query: string, plan: Plan = "pro") {
  const { url, wsUrl } = yield* Stack
  const listener = new Listener()
  // A replay has its own pace and no such parameter.
  const pace = path.endsWith("/replay") ? "" : "flush=immediate&"
  const parameters = `apiKey=${keyOf(plan)}&${pace}${query}`
  if (path.endsWith("/ws")) {
    const socket = yield* rawSocket(`${wsUrl}${path}?${parameters}`, listener.take)
    return { listener, send: socket.send }
  }
  yield* rawStream(`${url}${path}?${parameters}`, listener.takeEvent)
  return { listener, send: () => {} }
})

const seqs = (messages: ReadonlyArray<Message>) => messages.map(({ seq }) => seq)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

it.live(
  "serves a game defined in one file on every channel, and on no channel of another game",
  () =>
    Effect.gen(function* () {
      const match = pingPongMatch(7, (yield* Clock.currentTimeMillis) - 60_000)
      const id = match[0]?.matchId ?? assert.fail("no match")
      const whole = yield* follow("/pingpong/live/ws", "shape=v1")
      const deltas = yield* follow("/pingpong/live/ws", "shape=v2")
      const events = yield* follow("/pingpong/live/stream", "shape=v2")
      const late = yield* follow("/pingpong/live/ws", "shape=v1", "free")
      const everything = yield* follow("/live/ws", "shape=v2")
      const everyEvent = yield* follow("/live/stream", "shape=v1")
      const ofGame = yield* follow("/live/ws", "shape=v2")
      const cs2Only = yield* follow("/cs2/live/ws", "shape=v2")
      for (const { send } of [whole, deltas, late, everything, cs2Only]) send({ action: "subscribe", rooms: ["all"] })
      ofGame.send({ action: "subscribe", rooms: ["all:pingpong"] })
      for (const { listener } of [whole, deltas, late, everything, ofGame, cs2Only]) {
        yield* listener.until("subscribed", ({ type }) => type === "subscribed")
      }

      const cs2 = cs2Match(9_001)
      yield* announce(cs2)
      yield* feed(simulatedEvents(5, cs2).slice(0, 30))
      yield* announce(id)
      yield* appendFacts(match)
      for (const { listener } of [whole, deltas, events, late, everything, everyEvent, ofGame]) {
        yield* listener.until("the end", ({ matchId, seq }) => matchId === id && seq === 21)
      }

      // Updates are whole documents, with nulls that shape v2 omits, and name their change.
      const updates = whole.listener.ofType("pingpong.live.update")
      assert.deepStrictEqual(seqs(updates), range(1, 21))
      assert.deepInclude(updates[1], { event: { eventId: "1-2", type: "Point", to: "home" } })
      assert.deepInclude(updates[1]?.data, { status: "live", endedAt: null, home: { name: "Ito", points: 1 } })
      assert.deepInclude(updates[20]?.data, { status: "completed", home: { name: "Ito", points: 11 }, away: { name: "Boll", points: 9 } })

      // Deltas yield the same documents.
      for (const { listener } of [deltas, events, ofGame]) {
        const changes = listener.ofType("pingpong.live.delta")
        assert.deepStrictEqual(seqs(changes), range(1, 21))
        let document: JsonObject = {}
        for (const { patch } of changes) document = applyPatch(document, patch ?? {})
        assert.deepInclude(document, { status: "completed", away: { name: "Boll", points: 9 } })
      }

      // The channel of all games has both matches; the channel of CS2 has none of this game.
      const matchesOn = ({ listener }: typeof everything) => new Set(listener.messages.flatMap(({ matchId }) => matchId ?? []))
      assert.deepStrictEqual(matchesOn(everything), new Set([id, cs2]))
      assert.deepStrictEqual(matchesOn(everyEvent), new Set([id, cs2]))
      assert.deepStrictEqual(matchesOn(ofGame), new Set([id]))
      assert.deepStrictEqual(matchesOn(cs2Only), new Set([cs2]))
      cs2Only.send({ action: "subscribe", rooms: [`match:${id}`] })
      yield* cs2Only.listener.until("a refusal", ({ code }) => code === "MATCH_NOT_FOUND")

      // A low plan receives the same updates, none of them before the delay.
      const delayed = late.listener.ofType("pingpong.live.update")
      assert.deepStrictEqual(seqs(delayed), range(1, 21))
      for (const { at, publishedAt } of delayed) assert.isAtLeast(at - Date.parse(publishedAt ?? ""), DELAY_SECONDS * 1_000)

      // A returning client resumes after its cursor. A new client starts with the document.
      const back = yield* follow("/live/ws", "shape=v2")
      back.send({ action: "subscribe", rooms: [`match:${id}`], resume: { [`match:${id}`]: { epoch: 1, seq: 15 } } })
      yield* back.listener.until("the rest", ({ seq }) => seq === 21)
      assert.deepInclude(back.listener.ofType("resumed")[0], { verdict: "recovered" })
      assert.deepStrictEqual(seqs(back.listener.ofType("pingpong.live.delta")), range(16, 21))
      const newcomer = yield* follow("/pingpong/live/ws", `shape=v2&matchId=${id}`)
      yield* newcomer.listener.until("a snapshot", ({ type }) => type === "pingpong.live.snapshot")
      const [snapshot] = newcomer.listener.ofType("pingpong.live.snapshot")
      assert.strictEqual(snapshot?.hash, stateHash(snapshot?.data ?? {}))

      // The replay reads the log as fast as possible.
      const again = yield* follow(`/pingpong/live/${id}/replay`, "speed=0&shape=v1")
      yield* again.listener.until("the end of the replay", ({ type }) => type === "replay_ended")
      assert.deepStrictEqual(seqs(again.listener.ofType("pingpong.live.update")), range(1, 21))
    }).pipe(Effect.scoped, Effect.provide(Server)),
  60_000,
)
