/** Sends one HTTP request to a receiver and reports what happened. Does not sign, retry or record: the worker does. */
import { checkUrl, makeAddressPolicy } from "@matchpoint/webhooks/addressPolicy"
import { makeCheckedLookup } from "@matchpoint/webhooks/checkedLookup"
import { Context, Effect, Layer, Result } from "effect"
import { AgentRequest, type ReceivedResponse } from "./AgentRequest.ts"
import { makeCheckedAgent } from "./checkedAgent.ts"
import { excerptOf, retryAfterOf } from "./responseText.ts"
import { type FailureReason, requestFailure, SendFailure } from "./SendFailure.ts"
import { WebhookSenderConfig } from "./WebhookSenderConfig.ts"

export interface SendRequest {
  readonly url: string
  /** `host`, `user-agent` and `cookie` are ignored. Values must be valid in HTTP. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** The receiver sent response headers. A redirect is an answer like any other and is not followed. */
export interface Answered {
  readonly _tag: "Answered"
  readonly status: number
  /** Delay that the receiver asks for, 0 to 86,400. */
  readonly retryAfterSeconds: number | undefined
  /** Start of the body, at most 1,024 characters. Can be stored in PostgreSQL. */
  readonly excerpt: string
  readonly durationMs: number
}

/** No response headers arrived. */
export interface Failed {
  readonly _tag: "Failed"
  readonly reason: FailureReason
  /** Explanation for the customer, without addresses and internal names. */
  readonly message: string
  readonly durationMs: number
}

export type SendOutcome = Answered | Failed

const USER_AGENT = "Matchpoint-Webhooks/1"
const IGNORED_HEADERS = new Set(["host", "user-agent", "cookie"])

export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /**
     * A POST request. Never fails. An interruption closes the connection. Invalid headers are a defect. If the layer's
     * scope closes, the fiber is interrupted.
     */
    readonly send: (request: SendRequest) => Effect.Effect<SendOutcome>
  }
>()("@matchpoint/service-webhooks/WebhookSender") {
  static readonly layer = Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const settings = yield* WebhookSenderConfig
      const policy = yield* Effect.fromResult(makeAddressPolicy(settings))
      const lookup = yield* makeCheckedLookup(policy, settings.lookupTimeoutMs)
      const agent = yield* makeCheckedAgent(policy, lookup)

      const send = (request: SendRequest) =>
        Effect.clockWith((clock) => {
          const startedAt = clock.monotonicTimeNanosUnsafe()
          const durationMs = () => Math.round(Number(clock.monotonicTimeNanosUnsafe() - startedAt) / 1e6)
          const failed = ({ reason, message }: Pick<Failed, "reason" | "message">): Failed => ({
            _tag: "Failed",
            reason,
            message,
            durationMs: durationMs(),
          })
          const answered = (response: ReceivedResponse): Answered => ({
            _tag: "Answered",
            status: response.status,
            retryAfterSeconds: retryAfterOf(response.retryAfter, clock.currentTimeMillisUnsafe()),
            excerpt: excerptOf(response.bodyStart, response.contentEncoding),
            durationMs: durationMs(),
          })

          const checked = checkUrl(policy, request.url)
          if (Result.isFailure(checked)) {
            const { code, message } = checked.failure
            return Effect.succeed(failed({ reason: code === "address" || code === "host" ? "blocked_address" : "invalid_url", message }))
          }
          const { origin, pathname, search } = checked.success
          let dispatched: AgentRequest | undefined
          return Effect.callback<SendOutcome>((resume) => {
            const current = new AgentRequest(
              settings.maxBodyBytes,
              (response) => resume(Effect.succeed(answered(response))),
              (error) => {
                const failure = requestFailure(error)
                if (failure !== undefined) resume(Effect.succeed(failed(failure)))
                else resume(isInvalidArgument(error) ? Effect.die(error) : Effect.interrupt)
              },
            )
            dispatched = current
            agent.dispatch({ origin, path: pathname + search, method: "POST", headers: headersOf(request), body: request.body }, current)
            return Effect.sync(() => current.cancel())
          }).pipe(
            Effect.timeoutOrElse({
              duration: settings.attemptTimeoutMs,
              orElse: () =>
                Effect.sync(() =>
                  dispatched?.response === undefined ? failed(timeoutFailure(dispatched)) : answered(dispatched.response),
                ),
            }),
          )
        })

      return WebhookSender.of({ send })
    }),
  )
}

const headersOf = (request: SendRequest): Array<string> => {
  const headers = ["user-agent", USER_AGENT]
  for (const [name, value] of Object.entries(request.headers)) {
    if (!IGNORED_HEADERS.has(name.toLowerCase())) headers.push(name, value)
  }
  return headers
}

const isInvalidArgument = (error: Error): boolean => "code" in error && error.code === "UND_ERR_INVALID_ARG"

const timeoutFailure = (dispatched: AgentRequest | undefined): SendFailure =>
  new SendFailure({
    reason: "timeout",
    message: dispatched?.isStarted === true ? "No response arrived in time." : "The connection was not established in time.",
  })
