/**
 * Handlers of the feed endpoints that exist only for CS2: those without a game in the path, and server logs, Game State
 * Integration, ending a match, and odds.
 */
import { MatchOver, ValidationError } from "@matchpoint/contracts/http/errors"
import type { Receipt as AnyReceipt } from "@matchpoint/contracts/http/feed/FactsApi"
import type { MatchId } from "@matchpoint/domain/ids"
import { FeedConfig } from "@matchpoint/game/feed/FeedConfig"
import { FeedToken, permit, requireFullAccess, tokensOf } from "@matchpoint/game/feed/intake/FeedToken"
import { Intake } from "@matchpoint/game/feed/intake/Intake"
import { busy, logFailed } from "@matchpoint/game/feed/intake/intakeFailures"
import {
  answer,
  decodeWith,
  fitting,
  hasMoreLinesThan,
  intakeUrl,
  MAX_REGISTRATION_BYTES,
  parseJson,
  readBody,
} from "@matchpoint/game/feed/intake/requestBody"
import { Clock, Effect, Option, Result, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Aliases, Cs2FeedApi, End, Quotes, type Receipt } from "../../contract/http/feed/Cs2FeedApi.ts"
import { CS2 } from "../../rules/live/cs2Rules.ts"
import { rejectionCodes } from "../../rules/live/decide.ts"
import type { MatchState } from "../../rules/live/state.ts"
import { withoutToken } from "../adapters/gameState/GameStateAdapter.ts"
import { decodeGameState } from "../adapters/gameState/payload.ts"
import { QuoteWriter } from "../odds/QuoteWriter.ts"
import { cs2Feed } from "./cs2Feed.ts"
import { feedState } from "./feedState.ts"
import type { Submission } from "./MatchIntake.ts"

const decodeAliases = decodeWith(Aliases)
const decodeEnd = decodeWith(End)
const decodeQuotes = decodeWith(Quotes)
const decodeAuth = Schema.decodeUnknownOption(Schema.Struct({ auth: Schema.Struct({ token: Schema.String }) }))

/**
 * Size of a body that must be read before its sender is authenticated, because the token is in the body. A Game State
 * Integration post with all data of ten players has less than 64 KB.
 */
const MAX_UNKNOWN_BODY_BYTES = 256 * 1024

/** A line has at least 28 characters. A post with more lines is no log, and its empty lines would cost a second. */
const MAX_LOG_LINES = 40_000

const isCode = Schema.is(Schema.Literals(rejectionCodes))

export const Cs2FeedHandlers = HttpApiBuilder.group(
  Cs2FeedApi,
  "feed",
  Effect.fn(function* (handlers) {
    const config = yield* FeedConfig
    const token = yield* FeedToken
    const intake = yield* Intake
    const quotes = yield* QuoteWriter

    const check = (request: HttpServerRequest.HttpServerRequest, query: { readonly token?: string | undefined }) =>
      token.check(config.addressOf(request), tokensOf(request.headers, query))

    const matchOf = (text: string, raw: string) => intake.matchOf(CS2, text, raw)

    const submit = (matchId: MatchId, submission: () => Submission, raw: string) =>
      Effect.map(intake.submit(matchId, submission, raw), cs2Receipt)

    return handlers
      .handleRaw("register", ({ headers, query, request }) =>
        Effect.gen(function* () {
          yield* requireFullAccess(yield* check(request, query), "registering a match")
          const text = yield* readBody(request, undefined, MAX_REGISTRATION_BYTES)
          const { feedToken, matchId } = yield* intake.register(cs2Feed, text, headers["idempotency-key"])
          const url = `${intakeUrl(config, request)}/matches/${matchId}`
          return answer({ matchId, logUrl: `${url}/log?token=${feedToken}`, gsiUrl: `${url}/gsi`, eventsUrl: `${url}/events`, feedToken })
        }),
      )
      .handleRaw("log", ({ params, query, request }) =>
        Effect.gen(function* () {
          yield* permit(yield* check(request, query), params.matchId, query.source ?? "main")
          const text = yield* readBody(request, params.matchId)
          const matchId = yield* matchOf(params.matchId, text)
          if (hasMoreLinesThan(MAX_LOG_LINES, text))
            return yield* intake.expect(matchId, text, Result.fail(ValidationError.because(`a post has at most ${MAX_LOG_LINES} lines`)))
          const source = query.source ?? "main"
          return answer(yield* submit(matchId, () => ({ _tag: "Log", lines: text.split("\n"), source }), text))
        }),
      )
      .handleRaw("gameState", ({ params, query, request }) =>
        Effect.gen(function* () {
          const source = query.source ?? "main"
          const address = config.addressOf(request)
          const outside = tokensOf(request.headers, query)
          const isOutside = outside.some((candidate) => candidate !== undefined)
          if (isOutside) yield* permit(yield* token.check(address, outside), params.matchId, source)
          else yield* token.checkAttemptLimit(address)
          // Without a token outside the body, the body must be a Game State Integration post with a token. Such posts
          // are small, so a lower size limit applies.
          const text = yield* isOutside ? readBody(request, params.matchId) : readBody(request, undefined, MAX_UNKNOWN_BODY_BYTES)
          const parsed = parseJson(text)
          const post = Result.getOrUndefined(parsed)
          if (!isOutside) {
            const inBody = Option.map(decodeAuth(post), ({ auth }) => auth.token)
            yield* permit(yield* token.check(address, [Option.getOrUndefined(inBody)]), params.matchId, source)
          }
          // The token must not be stored or logged with the text of the body.
          const raw = Result.isFailure(parsed) ? text : withoutToken(post)
          const matchId = yield* matchOf(params.matchId, raw)
          yield* intake.expect(
            matchId,
            raw,
            Result.flatMap(parsed, (value) => fitting(decodeGameState(value))),
          )
          return answer(yield* submit(matchId, () => ({ _tag: "GameState", post, source }), raw))
        }),
      )
      .handleRaw("events", ({ params, query, request }) =>
        Effect.gen(function* () {
          const grant = yield* check(request, query)
          yield* permit(grant, params.matchId, undefined)
          const text = yield* readBody(request, params.matchId)
          const matchId = yield* matchOf(params.matchId, text)
          return answer(cs2Receipt(yield* intake.submitFacts(matchId, text, grant)))
        }),
      )
      .handleRaw("state", ({ params, query, request }) =>
        Effect.gen(function* () {
          yield* permit(yield* check(request, query), params.matchId, undefined)
          const matchId = yield* matchOf(params.matchId, "")
          const { state, ...reports } = yield* intake.look(matchId)
          // The cast is safe, because `matchOf` returns ids of CS2 matches only.
          return answer(feedState(state as MatchState, reports, Math.floor(yield* Clock.currentTimeMillis)))
        }),
      )
      .handleRaw("aliases", ({ params, query, request }) =>
        Effect.gen(function* () {
          yield* permit(yield* check(request, query), params.matchId, undefined)
          const text = yield* readBody(request, params.matchId)
          const matchId = yield* matchOf(params.matchId, text)
          const aliases = yield* intake.expect(matchId, text, Result.flatMap(parseJson(text), decodeAliases))
          return answer(yield* submit(matchId, () => ({ _tag: "Aliases", aliases }), text))
        }),
      )
      .handleRaw("end", ({ params, query, request }) =>
        Effect.gen(function* () {
          yield* permit(yield* check(request, query), params.matchId, "main")
          const text = yield* readBody(request, params.matchId)
          const matchId = yield* matchOf(params.matchId, text)
          const end = yield* intake.expect(matchId, text, Result.flatMap(parseJson(text), decodeEnd))
          const receipt = yield* submit(matchId, () => ({ _tag: "End", end }), text)
          const over = receipt.problems.find(({ code }) => code === "match_over")
          return over === undefined ? answer(receipt) : yield* MatchOver.because(over.message)
        }),
      )
      .handleRaw("odds", ({ query, request }) =>
        Effect.gen(function* () {
          yield* requireFullAccess(yield* check(request, query), "sending odds")
          const text = yield* readBody(request)
          const quoted = yield* intake.expect(null, text, Result.flatMap(parseJson(text), decodeQuotes))
          const appended = yield* Effect.forEach(quoted, quotes.append).pipe(
            Effect.timeout(config.answerWithin),
            Effect.catchTags({ TimeoutError: () => busy("the log did not accept the quotes in time"), LogError: logFailed("quotes") }),
          )
          const ignored = appended.filter(({ duplicate }) => duplicate).length
          return answer({ accepted: appended.length - ignored, ignored })
        }),
      )
  }),
)

/** A problem code that CS2's API does not define is replaced with `malformed`. */
const cs2Receipt = ({ problems, ...rest }: AnyReceipt): Receipt => ({
  ...rest,
  problems: problems.map((problem) => ({ ...problem, code: isCode(problem.code) ? problem.code : "malformed" })),
})
