/** Handlers of the intake endpoints that all games share. */
import { NotFound } from "@matchpoint/contracts/http/errors"
import { FactsApi } from "@matchpoint/contracts/http/feed/FactsApi"
import { FeedConfig } from "@matchpoint/game/feed/FeedConfig"
import { FeedToken, permit, requireFullAccess, tokensOf } from "@matchpoint/game/feed/intake/FeedToken"
import { Intake } from "@matchpoint/game/feed/intake/Intake"
import { answer, intakeUrl, MAX_REGISTRATION_BYTES, readBody } from "@matchpoint/game/feed/intake/requestBody"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { GameFeeds } from "../GameFeeds.ts"

export const FactsHandlers = HttpApiBuilder.group(
  FactsApi,
  "facts",
  Effect.fn(function* (handlers) {
    const config = yield* FeedConfig
    const feeds = yield* GameFeeds
    const token = yield* FeedToken
    const intake = yield* Intake

    return handlers
      .handleRaw("register", ({ headers, params, query, request }) =>
        Effect.gen(function* () {
          yield* requireFullAccess(yield* token.check(config.addressOf(request), tokensOf(request.headers, query)), "registering a match")
          const feed = feeds.of(params.game)
          if (feed === undefined) return yield* NotFound.of("this server does not accept matches of this game")
          const text = yield* readBody(request, undefined, MAX_REGISTRATION_BYTES)
          const { feedToken, matchId } = yield* intake.register(feed, text, headers["idempotency-key"])
          return answer({ matchId, eventsUrl: `${intakeUrl(config, request)}/${feed.rules.game}/matches/${matchId}/events`, feedToken })
        }),
      )
      .handleRaw("events", ({ params, query, request }) =>
        Effect.gen(function* () {
          const grant = yield* token.check(config.addressOf(request), tokensOf(request.headers, query))
          yield* permit(grant, params.matchId, undefined)
          const text = yield* readBody(request, params.matchId)
          const matchId = yield* intake.matchOf(params.game, params.matchId, text)
          return answer(yield* intake.submitFacts(matchId, text, grant))
        }),
      )
  }),
)
