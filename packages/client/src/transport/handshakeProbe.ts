/** Why a WebSocket's handshake failed, asked over plain HTTP: the WebSocket of browsers tells nobody. */
import { PlanRequired, QuotaExceeded } from "@matchpoint/contracts/http/errors"
import { hasFeature } from "@matchpoint/domain/accounts"
import { AddOn, Plan } from "@matchpoint/domain/plans"
import { Clock, Effect, Schema } from "effect"
import { type HttpClient, HttpClientResponse } from "effect/http"
import { apiErrorOf, type Refusal, refusalOf } from "./refusal.ts"

/** Nothing in it: the server would have let us in, or is away. */
export type HandshakeProbe = Effect.Effect<Refusal>

/** What decides of the answer to `GET /usage`. */
const Account = Schema.Struct({
  data: Schema.Struct({
    plan: Plan,
    addOns: Schema.Array(AddOn),
    quota: Schema.Natural,
    remaining: Schema.Natural,
    period: Schema.Struct({ endsAt: Schema.String }),
  }),
})

const readAccount = HttpClientResponse.schemaBodyJson(Account)

/** `client` knows the address and the key. Costs nothing but one of the key's requests per second, and only after a handshake has failed. */
export const handshakeProbe = (client: HttpClient.HttpClient): HandshakeProbe =>
  client.get("/usage").pipe(
    Effect.flatMap((response) => {
      if (response.status < 400) return Effect.flatMap(readAccount(response), refusalOfAccount)
      // Of what is no business of the key's we only know that it went wrong.
      return isAboutUs(response.status) ? refusalOf(response) : Effect.succeed({})
    }),
    Effect.timeout("5 seconds"),
    Effect.orElseSucceed(() => ({})),
  )

const isAboutUs = (status: number): boolean => status === 401 || status === 403 || status === 429 || status >= 500

const refusalOfAccount = ({ data }: typeof Account.Type): Effect.Effect<Refusal> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    if (!hasFeature(data, "live-websockets")) return { status: 403, error: apiErrorOf(PlanRequired.of("live-websockets", data.plan)) }
    if (data.remaining > 0) return {}
    const resetsAt = Date.parse(data.period.endsAt)
    return {
      status: 429,
      retryAfterMs: Math.max(1_000, resetsAt - now),
      error: apiErrorOf(QuotaExceeded.of(data.plan, data.quota, resetsAt, now)),
    }
  })
