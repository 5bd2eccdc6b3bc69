/** Requests of the intake: accepted content goes to the sessions of matches, refused content to REJECTED. */
import { hash } from "node:crypto"
import { Rejections } from "@matchpoint/bus/Rejections"
import { MAX_RAW_BYTES } from "@matchpoint/contracts/bus/feed"
import { body, Conflict, type FeedTokenScope, InternalError, MatchNotFound, ValidationError } from "@matchpoint/contracts/http/errors"
import type { Receipt } from "@matchpoint/contracts/http/feed/FactsApi"
import { MatchId } from "@matchpoint/domain/ids"
import { FeedConfig } from "@matchpoint/game/feed/FeedConfig"
import type { FactsSubmission, FeedSubmission, GameFeed } from "@matchpoint/game/feed/GameFeed"
import { type FeedGrant, permit } from "@matchpoint/game/feed/intake/FeedToken"
import { Intake, type Registration } from "@matchpoint/game/feed/intake/Intake"
import { busy, logFailed, storeFailed } from "@matchpoint/game/feed/intake/intakeFailures"
import { fitting, parseJson } from "@matchpoint/game/feed/intake/requestBody"
import { FeedTokens } from "@matchpoint/store/keys/FeedTokens"
import { Clock, Effect, Layer, Option, Predicate, Redacted, Result, Schema } from "effect"
import { GameFeeds } from "../GameFeeds.ts"
import { contentHash } from "./contentHash.ts"
import { MatchRegistrar, OtherRegistration } from "./MatchRegistrar.ts"
import { MatchSessions, type SessionError } from "./MatchSessions.ts"
import { matchToken } from "./matchToken.ts"

const decodeMatchId = Schema.decodeUnknownOption(MatchId)

export const IntakeLayer = Layer.effect(
  Intake,
  Effect.gen(function* () {
    const { answerWithin, token } = yield* FeedConfig
    const tokens = yield* FeedTokens
    const feeds = yield* GameFeeds
    const registrar = yield* MatchRegistrar
    const sessions = yield* MatchSessions
    const rejections = yield* Rejections

    const reject = Effect.fnUntraced(function* (matchId: string | null, code: "malformed" | "unknown_match", message: string, raw: string) {
      const receivedAt = Math.floor(yield* Clock.currentTimeMillis)
      // A fingerprint of a megabyte would take 50 ms, because it is not computed by native code.
      const id = `intake:${code}:${hash("sha256", `${matchId}${message}${raw}`, "base64url")}`
      const kept = raw.slice(0, MAX_RAW_BYTES)
      yield* rejections.record(id, { matchId, factId: null, type: null, code, message, receivedAt, raw: kept })
    })

    const expect = <A>(matchId: string | null, raw: string, result: Result.Result<A, ValidationError>): Effect.Effect<A, ValidationError> =>
      Result.match(result, {
        onSuccess: Effect.succeed,
        onFailure: (error) => Effect.andThen(reject(matchId, "malformed", issueOf(error), raw), Effect.fail(error)),
      })

    const unknownMatch = (text: string, raw: string) =>
      Effect.andThen(
        reject(text.slice(0, 200), "unknown_match", "the match is not registered for intake", raw),
        Effect.fail(new MatchNotFound(body("MATCH_NOT_FOUND", "no match is registered under this id; POST /feed/v1/matches first"))),
      )

    const matchOf = (game: string, text: string, raw: string) =>
      Option.match(decodeMatchId(text), {
        onSome: (matchId) => (feeds.ofMatch(matchId)?.rules.game === game ? Effect.succeed(matchId) : unknownMatch(text, raw)),
        onNone: () => unknownMatch(text, raw),
      })

    const register = Effect.fnUntraced(function* (feed: GameFeed, text: string, key: string | undefined) {
      const decoded = Result.flatMap(parseJson(text), (content) =>
        Result.map(fitting(feed.decodeRegistration(content)), (registration) => ({
          registration,
          identity: { key, hash: contentHash(content), externalId: externalIdIn(content) },
        })),
      )
      const { identity, registration } = yield* expect(null, text, decoded)
      const registered = Effect.gen(function* () {
        const { matchId, tokenSalt } = yield* registrar.register(feed, registration, identity)
        const feedToken = matchToken(token, matchId, tokenSalt)
        if (yield* tokens.ensure("registration", { matchId, source: null }, feedToken)) {
          const answer: Registration = { matchId, feedToken: Redacted.value(feedToken) }
          return answer
        }
        const remedy = `ask the operator for another one: npm run admin -- feed-tokens create --match ${matchId}`
        return yield* new OtherRegistration({ message: `${matchId} is registered, but its token was revoked; ${remedy}` })
      })
      return yield* registered.pipe(
        Effect.timeout(answerWithin),
        Effect.catchTags({
          InvalidRegistration: ({ message }) => expect(null, text, Result.fail(ValidationError.because(message))),
          OtherRegistration: ({ message }) => Effect.fail(Conflict.because(message)),
          TimeoutError: () => busy("the register did not respond in time"),
          LogError: logFailed("facts"),
          StoreError: storeFailed,
        }),
      )
    })

    const answered = <A>(matchId: MatchId, raw: string, answer: Effect.Effect<A, SessionError>) =>
      answer.pipe(
        Effect.timeout(answerWithin),
        Effect.catchTags({
          UnknownMatch: (error) => unknownMatch(error.matchId, raw),
          SessionBusy: (error) => busy(error.message),
          IntakeFailed: () => Effect.fail(InternalError.hidden()),
          TimeoutError: () => busy(`the log did not respond for ${matchId} in time`),
          LogError: logFailed("facts"),
          StoreError: storeFailed,
        }),
      )

    const submit = (matchId: MatchId, submission: () => FeedSubmission, raw: string) => {
      const work = Effect.suspend(() => sessions.submit(matchId, submission()))
      return answered(matchId, raw, sessions.inTurn(matchId, work))
    }

    const look = (matchId: MatchId) => answered(matchId, "", sessions.look(matchId))

    const decodeFacts = Effect.fnUntraced(function* (feed: GameFeed, matchId: MatchId, text: string, grant: FeedGrant) {
      const facts = yield* expect(
        matchId,
        text,
        Result.flatMap(parseJson(text), (content) => fitting(feed.decodeFacts(content))),
      )
      for (const [index, fact] of facts.entries()) {
        if (index % FACTS_PER_SLICE === FACTS_PER_SLICE - 1) yield* Effect.yieldNow
        yield* permit(grant, matchId, fact.source ?? "main")
        const decoded = Result.mapError(feed.eventOf(fact, matchId, fact.observedAt), (issue) =>
          ValidationError.because(`fact ${index + 1} of ${facts.length} does not match the contract; no fact was accepted`, {
            line: index + 1,
            issue: String(issue).slice(0, 2_000),
          }),
        )
        yield* expect(matchId, JSON.stringify(fact), decoded)
      }
      const submission: FactsSubmission = { _tag: "Facts", facts }
      return submission
    })

    const decodeAndSubmit = Effect.fnUntraced(function* (
      feed: GameFeed,
      matchId: MatchId,
      text: string,
      grant: FeedGrant,
    ): Effect.fn.Return<Result.Result<Receipt, ValidationError | FeedTokenScope>, SessionError> {
      const decoded = yield* Effect.result(decodeFacts(feed, matchId, text, grant))
      if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
      return Result.succeed(yield* sessions.submit(matchId, decoded.success))
    })

    const submitFacts = Effect.fnUntraced(function* (matchId: MatchId, text: string, grant: FeedGrant) {
      const feed = feeds.ofMatch(matchId)
      if (feed === undefined) return yield* unknownMatch(matchId, text)
      const work = decodeAndSubmit(feed, matchId, text, grant)
      return yield* Effect.fromResult(yield* answered(matchId, text, sessions.inTurn(matchId, work)))
    })

    return Intake.of({ expect, look, matchOf, register, submit, submitFacts })
  }),
)

/** Decoded without a pause. Each takes 10 to 20 us. */
const FACTS_PER_SLICE = 100

/** The game's schema has checked the id, or has no such field. */
const externalIdIn = (content: unknown): string | undefined =>
  Predicate.hasProperty(content, "externalId") && typeof content.externalId === "string" ? content.externalId : undefined

const issueOf = ({ error }: ValidationError): string => {
  const { details, message } = error
  return typeof details === "object" && details !== null && "issue" in details ? `${message}: ${String(details.issue)}` : message
}
