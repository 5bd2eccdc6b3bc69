/** A fake connection to NATS that implements only what reading uses. The test plays the server. */
import { headers, type Msg } from "@nats-io/transport-node"
import { Effect } from "effect"
import { LogError } from "../src/EventLog.ts"
import type { NatsConnectionService } from "../src/nats/NatsConnectionService.ts"

export interface ScriptedServer {
  /** First and last sequence of the stream, as its leader reports them. Default: the leader does not answer. */
  readonly bounds?: { readonly first: number; readonly last: number }
  /** Sequence of the newest record that matches the filter, as the leader reports it. */
  readonly newest?: number
  /** Number of questions for the newest record that get no answer. Default 0. */
  readonly lostQuestions?: number
  /** Called when a consumer was created and has got a request. */
  readonly onRequest?: (consumer: number) => void
}

export const scripted = ({ bounds, lostQuestions = 0, newest = 0, onRequest }: ScriptedServer = {}) => {
  let deliver: (message: Msg) => void = () => {}
  let failInfo: (error: unknown) => void = () => {}
  let inbox = ""
  let consumers = 0
  let delivered = 0
  let questions = 0
  const info =
    bounds === undefined
      ? () => new Promise((_, reject) => (failInfo = reject))
      : async () => ({ state: { messages: bounds.last - bounds.first + 1, first_seq: bounds.first, last_seq: bounds.last } })
  const link = {
    up: { isOpen: () => false },
    dropListeners: new Set<() => void>(),
    client: { apiPrefix: "$JS.API" },
    connection: {
      subscribe: (subject: string, { callback }: { callback: (error: null, message: Msg) => void }) => {
        inbox = subject
        deliver = (message) => callback(null, message)
        return { unsubscribe: () => {} }
      },
      // Answers arrive later, as over a socket.
      publish: () => void setImmediate(() => onRequest?.(consumers)),
    },
    consumers: {
      add: async () => {
        consumers += 1
        delivered = 0
        return { name: `c${consumers}` }
      },
    },
    manager: {
      streams: {
        info,
        getMessage: () => {
          questions += 1
          return questions <= lostQuestions ? new Promise(() => {}) : Promise.resolve(newest === 0 ? null : { seq: newest })
        },
      },
    },
    ask: (operation: LogError["operation"], target: string, request: () => Promise<unknown>) =>
      Effect.tryPromise({
        try: request,
        catch: (cause) => new LogError({ operation, target, reason: "Unavailable", retryable: true, detail: "no answer", cause }),
      }),
  } as unknown as NatsConnectionService
  const status = (code: number, values: Readonly<Record<string, string>>): void => {
    const made = headers(code, `${code}`)
    for (const [name, value] of Object.entries(values)) made.set(name, value)
    deliver({ subject: inbox, headers: made } as Msg)
  }
  return {
    link,
    consumers: () => consumers,
    record: (sequence: number): void => {
      delivered += 1
      deliver({
        subject: "feed.1",
        reply: `$JS.ACK.S.c.1.${sequence}.${delivered}.1700000000000000000.0`,
        data: new Uint8Array(0),
      } as Msg)
    },
    heartbeat: (looked: number, sent: number): void =>
      status(100, { "Nats-Last-Stream": String(looked), "Nats-Last-Consumer": String(sent) }),
    noMore: (): void => status(404, {}),
    failInfo: () => failInfo(new Error("no answer")),
  }
}
