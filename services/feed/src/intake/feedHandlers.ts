/** The endpoints of the intake: who asks, what the body holds, and the receipt. Everything a match needs is in its session. */
import { Rejections } from "@matchpoint/bus/Rejections"
import { MAX_RAW_BYTES } from "@matchpoint/contracts/bus/feed"
import { body, InternalError, MatchNotFound, ServiceUnavailable, ValidationError } from "@matchpoint/contracts/http/errors"
import { End, Facts, FeedApi, MAX_TOLD_PROBLEMS, Quotes, type Receipt, Registration } from "@matchpoint/contracts/http/FeedApi"
import { MatchId } from "@matchpoint/domain/ids"
import { Clock, Effect, Option, Redacted, Result, Schema } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { fingerprint } from "../cs2/adapters/fingerprint.ts"
import { withoutToken } from "../cs2/adapters/gameState/GameStateAdapter.ts"
import { decodeGameState } from "../cs2/adapters/gameState/payload.ts"
import { eventOfFact, type Submission } from "../cs2/intake/MatchIntake.ts"
import { MatchRegistrar } from "../cs2/intake/MatchRegistrar.ts"
import { FeedAppender } from "../FeedAppender.ts"
import { FeedConfig } from "../FeedConfig.ts"
import { FeedToken, tokensOf } from "./FeedToken.ts"
import { MatchSessions, type UnknownMatch } from "./MatchSessions.ts"
import { decodeWith, fitting, intakeUrl, parseJson, readBody } from "./requestBody.ts"

const decodeMatchId = Schema.decodeUnknownOption(MatchId)
const decodeRegistration = decodeWith(Registration)
const decodeFacts = decodeWith(Facts)
const decodeEnd = decodeWith(End)
const decodeQuotes = decodeWith(Quotes)
const decodeAuth = Schema.decodeUnknownOption(Schema.Struct({ auth: Schema.Struct({ token: Schema.String }) }))

export const FeedHandlers = HttpApiBuilder.group(
  FeedApi,
  "feed",
  Effect.fn(function* (handlers) {
    const config = yield* FeedConfig
    const token = yield* FeedToken
    const registrar = yield* MatchRegistrar
    const sessions = yield* MatchSessions
    const rejections = yield* Rejections
    const appender = yield* FeedAppender

    const reject = Effect.fnUntraced(function* (matchId: string | null, code: "malformed" | "unknown_match", message: string, raw: string) {
      const receivedAt = Math.floor(yield* Clock.currentTimeMillis)
      const id = `intake:${code}:${fingerprint(`${matchId}${message}${raw}`)}`
      const kept = raw.slice(0, MAX_RAW_BYTES)
      yield* rejections.record(id, { matchId, factId: null, type: null, code, message, receivedAt, raw: kept })
    })

    /** What a body should be, or a 400 that is recorded. */
    const expect = <A>(matchId: string | null, raw: string, result: Result.Result<A, ValidationError>): Effect.Effect<A, ValidationError> =>
      Result.match(result, {
        onSuccess: Effect.succeed,
        onFailure: (error) => Effect.andThen(reject(matchId, "malformed", issueOf(error), raw), Effect.fail(error)),
      })

    const matchOf = (text: string, raw: string) =>
      Option.match(decodeMatchId(text), {
        onSome: Effect.succeed,
        onNone: () => unknownMatch(text, raw),
      })

    const unknownMatch = (text: string, raw: string) =>
      Effect.andThen(
        reject(text.slice(0, 200), "unknown_match", "no such match is registered for intake", raw),
        Effect.fail(new MatchNotFound(body("MATCH_NOT_FOUND", "no match is registered under this id; POST /feed/v1/matches first"))),
      )

    const submit = (matchId: MatchId, submission: Submission, raw: string) =>
      sessions.submit(matchId, submission).pipe(
        Effect.timeout(config.answerWithin),
        Effect.map(({ events, ignored, problems }) => receiptOf({ matchId, events, ignored, problems })),
        Effect.catchTags({
          UnknownMatch: (error: UnknownMatch) => unknownMatch(error.matchId, raw),
          SessionBusy: (error) => busy(error.message),
          TimeoutError: () => busy("the log does not take the facts in time"),
          LogError: (error) => (error.retryable ? failed("the log does not take facts", error) : broken(error)),
          StoreError: (error) => (error.isRetryable ? failed("the register does not answer", error) : broken(error)),
        }),
      )

    return handlers
      .handleRaw("register", ({ query, request }) =>
        Effect.gen(function* () {
          yield* token.check(tokensOf(request.headers, query))
          const text = yield* readBody(request)
          const registration = yield* expect(null, text, Result.flatMap(parseJson(text), decodeRegistration))
          const matchId = yield* registrar.register(registration).pipe(
            Effect.timeout(config.answerWithin),
            Effect.catchTags({
              InvalidRegistration: ({ message }) => expect(null, text, Result.fail(ValidationError.because(message))),
              TimeoutError: () => busy("the register does not answer in time"),
              LogError: (error) => (error.retryable ? failed("the log does not take facts", error) : broken(error)),
              StoreError: (error) => (error.isRetryable ? failed("the register does not answer", error) : broken(error)),
            }),
          )
          const url = `${intakeUrl(config.publicUrl, request)}/matches/${matchId}`
          const logUrl = `${url}/log?token=${encodeURIComponent(Redacted.value(config.token))}`
          return answer({ matchId, logUrl, gsiUrl: `${url}/gsi`, eventsUrl: `${url}/events` })
        }),
      )
      .handleRaw("log", ({ params, query, request }) =>
        Effect.gen(function* () {
          yield* token.check(tokensOf(request.headers, query))
          const text = yield* readBody(request)
          const matchId = yield* matchOf(params.matchId, text)
          return answer(yield* submit(matchId, { _tag: "Log", lines: text.split("\n"), source: query.source ?? "main" }, text))
        }),
      )
      .handleRaw("gameState", ({ params, query, request }) =>
        Effect.gen(function* () {
          const text = yield* readBody(request)
          const parsed = parseJson(text)
          const post = Result.getOrUndefined(parsed)
          const inBody = Option.map(decodeAuth(post), ({ auth }) => auth.token)
          yield* token.check([...tokensOf(request.headers, query), Option.getOrUndefined(inBody)])
          // From here on the token is left behind.
          const raw = Result.isFailure(parsed) ? text : withoutToken(post)
          const matchId = yield* matchOf(params.matchId, raw)
          yield* expect(
            matchId,
            raw,
            Result.flatMap(parsed, (value) => fitting(decodeGameState(value))),
          )
          return answer(yield* submit(matchId, { _tag: "GameState", post, source: query.source ?? "main" }, raw))
        }),
      )
      .handleRaw("events", ({ params, query, request }) =>
        Effect.gen(function* () {
          yield* token.check(tokensOf(request.headers, query))
          const text = yield* readBody(request)
          const matchId = yield* matchOf(params.matchId, text)
          const facts = yield* expect(matchId, text, Result.flatMap(parseJson(text), decodeFacts))
          for (const [index, fact] of facts.entries()) {
            const decoded = Result.mapError(eventOfFact(fact, matchId, fact.observedAt), (issue) =>
              ValidationError.because(`fact ${index + 1} of ${facts.length} does not fit the contract; none was taken`, {
                line: index + 1,
                issue: String(issue).slice(0, 2_000),
              }),
            )
            yield* expect(matchId, JSON.stringify(fact), decoded)
          }
          return answer(yield* submit(matchId, { _tag: "Facts", facts }, text))
        }),
      )
      .handleRaw("end", ({ params, query, request }) =>
        Effect.gen(function* () {
          yield* token.check(tokensOf(request.headers, query))
          const text = yield* readBody(request)
          const matchId = yield* matchOf(params.matchId, text)
          const end = yield* expect(matchId, text, Result.flatMap(parseJson(text), decodeEnd))
          return answer(yield* submit(matchId, { _tag: "End", end }, text))
        }),
      )
      .handleRaw("odds", ({ query, request }) =>
        Effect.gen(function* () {
          yield* token.check(tokensOf(request.headers, query))
          const text = yield* readBody(request)
          const quotes = yield* expect(null, text, Result.flatMap(parseJson(text), decodeQuotes))
          const appended = yield* Effect.forEach(quotes, appender.quote).pipe(
            Effect.timeout(config.answerWithin),
            Effect.catchTags({
              TimeoutError: () => busy("the log does not take the quotes in time"),
              LogError: (error) => (error.retryable ? failed("the log does not take quotes", error) : broken(error)),
            }),
          )
          const ignored = appended.filter(({ duplicate }) => duplicate).length
          return answer({ accepted: appended.length - ignored, ignored })
        }),
      )
  }),
)

const answer = <A>(data: A) => ({ success: true as const, data, meta: {} })

const issueOf = ({ error }: ValidationError): string => {
  const { details, message } = error
  return typeof details === "object" && details !== null && "issue" in details ? `${message}: ${String(details.issue)}` : message
}

interface Taken {
  readonly matchId: MatchId
  readonly events: ReadonlyArray<unknown>
  readonly ignored: number
  readonly problems: ReadonlyArray<Receipt["problems"][number]>
}

const receiptOf = ({ events, ignored, matchId, problems }: Taken): Receipt => ({
  matchId,
  accepted: events.length,
  ignored,
  problemCount: problems.length,
  problems: problems
    .slice(0, MAX_TOLD_PROBLEMS)
    .map(({ code, line, message }) => ({ code, message, ...(line === undefined ? {} : { line }) })),
})

/** 503, to be tried again in a second. */
const busy = (message: string) =>
  Effect.andThen(
    HttpEffect.appendPreResponseHandler((_request: HttpServerRequest.HttpServerRequest, response) =>
      Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", "1")),
    ),
    Effect.fail(ServiceUnavailable.because(message)),
  )

const failed = (message: string, error: unknown) => Effect.andThen(Effect.logWarning(message, error), busy(message))

const broken = (error: unknown) => Effect.andThen(Effect.logError("facts could not be taken", error), Effect.fail(InternalError.hidden()))
