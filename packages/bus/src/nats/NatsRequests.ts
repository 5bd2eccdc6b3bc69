/**
 * Requests with one answer each, for the hot path. The NATS client creates several promises and an error with a stack
 * trace per request, which cost more than the rest of it.
 */
import { createInbox, errors, type Msg, type MsgHdrs, type NatsConnection } from "@nats-io/transport-node"
import { Effect } from "effect"
import type { LogError } from "../EventLog.ts"

export interface NatsRequest {
  readonly subject: string
  readonly data: Uint8Array
  readonly headers: MsgHdrs
  readonly timeoutMs: number
  readonly failed: (cause: unknown) => LogError
}

interface Pending {
  readonly subject: string
  readonly answer: (message: Msg) => void
  readonly fail: (cause: unknown) => void
}

type Resume = (answer: Effect.Effect<Msg, LogError>) => void

export class NatsRequests {
  readonly #connection: NatsConnection
  readonly #inbox = `${createInbox()}.`
  readonly #pending = new Map<string, Pending>()
  #count = 0

  constructor(connection: NatsConnection) {
    this.#connection = connection
    connection.subscribe(`${this.#inbox}*`, {
      callback: (error, message) => {
        if (error !== null) this.fail(error)
        else this.#received(message)
      },
    })
  }

  /** Fails if no answer arrives in time. */
  send(request: NatsRequest): Effect.Effect<Msg, LogError> {
    return Effect.callback<Msg, LogError>((resume) => {
      const end = this.#begin(request, resume)
      return Effect.sync(end)
    })
  }

  #begin({ data, failed, headers, subject, timeoutMs }: NatsRequest, resume: Resume): () => void {
    const reply = `${this.#inbox}${(this.#count++).toString(36)}`
    const end = (): void => {
      clearTimeout(timer)
      this.#pending.delete(reply)
    }
    const fail = (cause: unknown): void => {
      end()
      resume(Effect.fail(failed(cause)))
    }
    const timer = setTimeout(() => fail(new errors.TimeoutError()), timeoutMs)
    const answer = (message: Msg): void => {
      end()
      resume(Effect.succeed(message))
    }
    this.#pending.set(reply, { subject, answer, fail })
    try {
      this.#connection.publish(subject, data, { reply, headers })
    } catch (cause) {
      fail(cause)
    }
    return end
  }

  /** All requests in progress, or only those to one subject. */
  fail(cause: unknown, subject?: string): void {
    for (const pending of [...this.#pending.values()]) {
      if (subject === undefined || pending.subject === subject) pending.fail(cause)
    }
  }

  #received(message: Msg): void {
    const pending = this.#pending.get(message.subject)
    if (pending === undefined) return
    const isUnanswered = message.data.length === 0 && message.headers?.code === 503
    if (isUnanswered) pending.fail(new errors.NoRespondersError(pending.subject))
    else pending.answer(message)
  }
}
