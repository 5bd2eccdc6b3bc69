/** The REST API as Effects, derived from the API contract. */
import { API_KEY_HEADER } from "@matchpoint/contracts/http/apiRoot"
import { MatchpointApi } from "@matchpoint/games/api/MatchpointApi"
import { type Cause, Effect, Predicate, Redacted, Schedule } from "effect"
import { HttpClient, type HttpClientError, HttpClientRequest, HttpClientResponse } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { type ConnectionOptions, defaults } from "../ClientOptions.ts"
import { originOf } from "../follow/channel.ts"
import { retryAfterMs } from "../follow/refusal.ts"

export type RestClient = HttpApiClient.ForApi<typeof MatchpointApi, Cause.TimeoutError>

const isRead = (method: string): boolean => method === "GET" || method === "HEAD"

export const withKey = (client: HttpClient.HttpClient, apiKey: Redacted.Redacted<string>): HttpClient.HttpClient =>
  HttpClient.mapRequest(client, HttpClientRequest.setHeader(API_KEY_HEADER, Redacted.value(apiKey)))

/**
 * Adds a timeout to each attempt, and retries reads after network errors and status 408, 429 and 5xx. The delay doubles
 * with each retry, has jitter, and is never shorter than `Retry-After`. If that exceeds 30 s, for example because the
 * monthly quota is used up, the response is returned without a retry.
 */
const patient = (
  client: HttpClient.HttpClient,
  { retries, timeoutMs }: { readonly retries: number; readonly timeoutMs: number },
): HttpClient.HttpClient.With<HttpClientError.HttpClientError | Cause.TimeoutError> => {
  const timed = HttpClient.transformResponse(client, Effect.timeout(timeoutMs))
  const retrying = HttpClient.retryTransient(timed, {
    times: retries,
    schedule: Schedule.jittered(Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("5 seconds")])).pipe(
      Schedule.setInputType<Outcome>(),
      Schedule.while(({ input }) => !isRetryTooLate(input)),
    ),
  })
  return HttpClient.transform(timed, (once, request) => (isRead(request.method) ? retrying.execute(request) : once))
}

type Outcome = HttpClientResponse.HttpClientResponse | HttpClientError.HttpClientError | Cause.TimeoutError

const isResponse = (outcome: Outcome): outcome is HttpClientResponse.HttpClientResponse =>
  Predicate.hasProperty(outcome, HttpClientResponse.TypeId)

const isRetryTooLate = (outcome: Outcome): boolean =>
  isResponse(outcome) && (retryAfterMs(outcome.headers["retry-after"]) ?? 0) > defaults.longestRetryAfterMs

export const restClient = (options: ConnectionOptions, client: HttpClient.HttpClient): Effect.Effect<RestClient> =>
  HttpApiClient.makeWith(MatchpointApi, {
    baseUrl: originOf(options.baseUrl),
    httpClient: patient(client, { retries: options.retries ?? defaults.retries, timeoutMs: options.timeoutMs ?? defaults.timeoutMs }),
  })
