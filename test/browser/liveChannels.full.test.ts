/// <reference lib="dom" />
/**
 * Tests Chromium's own WebSocket and EventSource across gateway restarts: the page reconnects and receives every frame.
 */
import { assert, describe, it } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { matchRoom } from "@matchpoint/contracts/stream/rooms"
import { UPDATE } from "@matchpoint/cs2/contract/frames"
import { sseEvents } from "@matchpoint/cs2/contract/serverMessages"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { inject } from "vitest"
import { Ear, isType } from "../fixtures/clients/liveClients.ts"
import { liveRecords } from "../fixtures/clients/liveRecords.ts"
import { EdgeUnderTest, keyOf, play } from "../fixtures/edge.ts"
import { Browser, becomes } from "./fixtures/Browser.ts"

const chromium = inject("chromium")
const one = matchId(7_601)
const records = liveRecords(95, one, 120)

declare global {
  interface Window {
    received: { [channel: string]: Array<string> }
    connections: { [channel: string]: number }
  }
}

/** Client code as a page author would write it: twenty lines, without a library. Runs in the page. */
const followInPage = (page: Page, options: { wsUrl: string; sseUrl: string; room: string; shape: Shape; events: ReadonlyArray<string> }) =>
  Effect.promise(() =>
    page.evaluate(({ events, room, shape, sseUrl, wsUrl }) => {
      const channel = { socket: `socket ${shape}`, source: `source ${shape}` }
      window.received = { ...window.received, [channel.socket]: [], [channel.source]: [] }
      window.connections = { ...window.connections, [channel.socket]: 0, [channel.source]: 0 }
      const receive = (name: string, data: string) => window.received[name]?.push(data)
      const count = (name: string) => {
        window.connections[name] = (window.connections[name] ?? 0) + 1
      }
      let cursor: { epoch: number; seq: number } | undefined
      const connect = () => {
        const socket = new WebSocket(wsUrl)
        socket.onopen = () => {
          count(channel.socket)
          socket.send(JSON.stringify({ action: "subscribe", rooms: [room], shape, ...(cursor ? { resume: { [room]: cursor } } : {}) }))
        }
        socket.onmessage = ({ data }) => {
          const { epoch, seq } = JSON.parse(data)
          if (seq !== undefined) cursor = { epoch, seq }
          receive(channel.socket, data)
        }
        socket.onclose = () => setTimeout(connect, 100)
      }
      connect()
      const source = new EventSource(`${sseUrl}&shape=${shape}`)
      source.onopen = () => count(channel.source)
      for (const name of events) {
        source.addEventListener(name, (event) => {
          if (event instanceof MessageEvent) receive(channel.source, event.data)
        })
      }
    }, options),
  )

const channels = ["socket v1", "source v1", "socket v2", "source v2"]

const earsOf = async (page: Page): Promise<ReadonlyArray<Ear>> => {
  const received = await page.evaluate(() => window.received)
  return channels.map((channel) => {
    const ear = new Ear()
    for (const message of received[channel] ?? []) ear.receive(message)
    return ear
  })
}

const reach = (page: Page, seq: number) =>
  becomes(
    `all channels at ${seq}`,
    async () => (await earsOf(page)).map(({ transcript }) => transcript.track(one)?.seq ?? 0),
    (seqs) => seqs.every((at) => at >= seq),
  )

describe.skipIf(chromium === null)("Chromium's WebSocket and EventSource (needs CHROMIUM_PATH or /usr/bin/chromium)", () => {
  it.live(
    "receive every frame of a match exactly once across two restarts",
    () =>
      Effect.gen(function* () {
        const edge = yield* EdgeUnderTest
        yield* play(records.slice(0, 10))
        const { page } = yield* (yield* Browser).open(`${new URL(edge.url).origin}/openapi.json`)
        const query = `?apiKey=${keyOf("pro")}`
        const room = matchRoom(one)
        const events = Object.values(sseEvents)
        const wsUrl = `${edge.wsUrl}/cs2/live/ws${query}`
        const sseUrl = `${edge.url}/cs2/live/stream${query}&matchId=${one}`
        for (const shape of ["v1", "v2"] as const) yield* followInPage(page, { wsUrl, sseUrl, room, shape, events })
        yield* reach(page, 10)
        let played = 10
        const playNext = (count: number) => {
          const from = played
          played += count
          return play(records.slice(from, played))
        }
        for (let restart = 0; restart < 2; restart++) {
          yield* playNext(15)
          yield* edge.stop
          yield* playNext(15)
          yield* edge.start
          yield* playNext(15)
          yield* reach(page, played)
        }
        for (const [index, ear] of (yield* Effect.promise(() => earsOf(page))).entries()) {
          const channel = channels[index] ?? ""
          assert.deepStrictEqual(ear.transcript.problems, [], channel)
          assert.deepStrictEqual([ear.transcript.verdicts, ear.transcript.missing], [["recovered", "recovered"], []], channel)
          const seqs = ear.transcript.seqs.get(one) ?? []
          // Over SSE, shape v1 starts with an update. The other channels receive the same frame as a snapshot.
          const first = channel === "source v1" ? 10 : 11
          assert.deepStrictEqual(
            seqs,
            Array.from({ length: played - first + 1 }, (_, at) => first + at),
            channel,
          )
          assert.lengthOf(ear.messages.filter(isType("reconnect")), 2)
          if (channel.endsWith("v2")) assert.isEmpty(ear.messages.filter(isType(UPDATE)))
        }
        const connections = yield* Effect.promise(() => page.evaluate(() => window.connections))
        for (const channel of channels) assert.strictEqual(connections[channel], 3, channel)
      }).pipe(
        Effect.provide(
          Layer.merge(Browser.layer(chromium ?? ""), EdgeUnderTest.layer().pipe(Layer.provideMerge(EventLogMemory.layer({ streams })))),
        ),
      ),
    60_000,
  )
})
