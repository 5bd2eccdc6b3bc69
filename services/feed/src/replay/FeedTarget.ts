/** Client for the intake of a running server, with retries and messages for the user. */
import { randomUUID } from "node:crypto"
import { type Fact, MAX_FEED_EVENTS, type Receipt } from "@matchpoint/contracts/http/feed/FactsApi"
import { type GameName, gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import { FeedApi } from "@matchpoint/games/api/FeedApi"
import { Context, Effect, Layer, type Redacted, Schedule, Schema } from "effect"
import { HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"

export interface TargetSettings {
  readonly url: string
  readonly token: Redacted.Redacted<string>
}

export class TargetError extends Schema.TaggedError<TargetError>()("TargetError", {
  operation: Schema.Literals(["register", "send"]),
  message: Schema.String,
  cause: Schema.Defect(),
}) {}

/** Events per request: few enough for a quick response and far below the limit of the intake. */
export const BATCH = Math.min(500, MAX_FEED_EVENTS)

export class FeedTarget extends Context.Service<
  FeedTarget,
  {
    /** `registration` is in the format of the match's game. */
    readonly register: (game: GameName, registration: Schema.Json) => Effect.Effect<MatchId, TargetError>
    /** Sends events in order, at most `BATCH` per request. */
    readonly send: (match: MatchId, facts: ReadonlyArray<Fact>) => Effect.Effect<ReadonlyArray<Receipt>, TargetError>
  }
>()("@matchpoint/service-feed/replay/FeedTarget") {
  static readonly layer = ({ token, url }: TargetSettings): Layer.Layer<FeedTarget, never, HttpClient.HttpClient> =>
    Layer.effect(
      FeedTarget,
      Effect.gen(function* () {
        const api = yield* HttpApiClient.make(FeedApi, {
          baseUrl: url.replace(/\/+$/, ""),
          transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(token)),
        })

        const withRetries = <A, E>(operation: TargetError["operation"], request: Effect.Effect<A, E>) =>
          request.pipe(
            Effect.timeout("30 seconds"),
            Effect.retry({ schedule: Schedule.spaced("1 second"), times: 10, while: isBusy }),
            Effect.mapError((cause) => new TargetError({ operation, message: failureText(cause, url), cause })),
          )

        const batch = (match: MatchId, payload: ReadonlyArray<Fact>) =>
          Effect.map(
            withRetries("send", api.facts.events({ params: { game: gameOfMatch(match), matchId: match }, query: {}, payload })),
            ({ data }) => data,
          )

        return FeedTarget.of({
          register: Effect.fnUntraced(function* (game, payload) {
            // A registration that is sent again because its answer was lost is the same match.
            const headers = { "idempotency-key": yield* Effect.sync(() => randomUUID()) }
            const { data } = yield* withRetries("register", api.facts.register({ params: { game }, query: {}, headers, payload }))
            return data.matchId
          }),
          send: Effect.fnUntraced(function* (match, facts) {
            const receipts: Array<Receipt> = []
            for (let from = 0; from < facts.length; from += BATCH) receipts.push(yield* batch(match, facts.slice(from, from + BATCH)))
            return receipts
          }),
        })
      }),
    )
}

const Refusal = Schema.Struct({
  error: Schema.Struct({ code: Schema.String, message: Schema.String, details: Schema.optionalKey(Schema.Unknown) }),
})
const isRefusal = Schema.is(Refusal)

const isBusy = (cause: unknown): boolean => isRefusal(cause) && cause.error.code === "SERVICE_UNAVAILABLE"

const failureText = (cause: unknown, url: string): string => {
  if (isRefusal(cause)) {
    const { code, details, message } = cause.error
    if (code === "INVALID_FEED_TOKEN") return `${url} rejects this feed token; pass the server's token with --token`
    if (code === "NOT_FOUND") return `${url} does not accept matches of this game: ${message}`
    return `${url} rejects the request: ${message}${details === undefined ? "" : `\n${JSON.stringify(details)}`}`
  }
  if (HttpClientError.isHttpClientError(cause)) {
    if (cause.response === undefined) return `no server responds at ${url}; start one with \`npm start\`, or pass another URL with --url`
    return `${url} responds with ${cause.response.status} and is not a Matchpoint server with an intake`
  }
  return `${url} sent an unexpected response: ${cause instanceof Error ? cause.message : String(cause)}`
}
