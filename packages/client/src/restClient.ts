/** The REST API, derived from the contract: address, key, timeout, and retries of reads. */
import { API_KEY_HEADER } from "@matchpoint/contracts/http/Authentication"
import { API_ROOT, MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { type Cause, Effect, Predicate, Redacted, Schedule } from "effect"
import { HttpClient, type HttpClientError, HttpClientRequest, HttpClientResponse } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { type ClientOptions, defaults } from "./ClientOptions.ts"
import { retryAfterMs } from "./transport/refusal.ts"

export type RestClient = HttpApiClient.ForApi<typeof MatchpointApi, Cause.TimeoutError>

const isRead = (method: string): boolean => method === "GET" || method === "HEAD"

/** The service's own address: no slash, and no API path, at its end. */
export const originOf = (baseUrl: string): string => baseUrl.replace(/\/+$/, "").replace(new RegExp(`${API_ROOT}$`), "")

/** Sends the key with every request. */
export const withKey = (client: HttpClient.HttpClient, apiKey: Redacted.Redacted<string>): HttpClient.HttpClient =>
  HttpClient.mapRequest(client, HttpClientRequest.setHeader(API_KEY_HEADER, Redacted.value(apiKey)))

/**
 * Each attempt has its time. A read that failed on the network, or was answered 408, 429 or 5xx, is tried again: twice as long after
 * each time, by chance a little off, and not before the server's `Retry-After`. Where that is far off, as when the month's requests are
 * used up, the answer is given at once.
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
      Schedule.while(({ input }) => !isFarOff(input)),
    ),
  })
  return HttpClient.transform(timed, (once, request) => (isRead(request.method) ? retrying.execute(request) : once))
}

type Outcome = HttpClientResponse.HttpClientResponse | HttpClientError.HttpClientError | Cause.TimeoutError

const isResponse = (outcome: Outcome): outcome is HttpClientResponse.HttpClientResponse =>
  Predicate.hasProperty(outcome, HttpClientResponse.TypeId)

const isFarOff = (outcome: Outcome): boolean =>
  isResponse(outcome) && (retryAfterMs(outcome.headers["retry-after"]) ?? 0) > defaults.longestRetryAfterMs

export const restClient = (options: ClientOptions, client: HttpClient.HttpClient): Effect.Effect<RestClient> =>
  HttpApiClient.makeWith(MatchpointApi, {
    baseUrl: originOf(options.baseUrl),
    httpClient: patient(client, { retries: options.retries ?? defaults.retries, timeoutMs: options.timeoutMs ?? defaults.timeoutMs }),
  })
