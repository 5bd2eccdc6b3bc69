/** Who may tell facts: whoever has the token. Comparing takes the same time whatever is sent. */
import { createHash, timingSafeEqual } from "node:crypto"
import { InvalidFeedToken } from "@matchpoint/contracts/http/errors"
import { FEED_TOKEN_HEADER } from "@matchpoint/contracts/http/feed/FactsApi"
import { Context, Effect, Layer, Redacted } from "effect"
import type { Headers } from "effect/http"
import { FeedConfig } from "../FeedConfig.ts"

export class FeedToken extends Context.Service<
  FeedToken,
  {
    /** The first of `candidates` that is there must be the token. */
    readonly check: (candidates: ReadonlyArray<string | undefined>) => Effect.Effect<void, InvalidFeedToken>
  }
>()("@matchpoint/service-feed/intake/FeedToken") {
  static readonly layer = Layer.effect(
    FeedToken,
    Effect.gen(function* () {
      const { token } = yield* FeedConfig
      const expected = digest(Redacted.value(token))
      return FeedToken.of({
        check: (candidates) =>
          Effect.suspend(() => {
            const given = candidates.find((candidate) => candidate !== undefined)
            if (given === undefined)
              return Effect.fail(InvalidFeedToken.because(`no feed token: send it as ${FEED_TOKEN_HEADER} or as ?token=`))
            return timingSafeEqual(digest(given), expected)
              ? Effect.void
              : Effect.fail(InvalidFeedToken.because("this is not the feed token"))
          }),
      })
    }),
  )
}

/** Tokens a request can carry outside its body. */
export const tokensOf = (headers: Headers.Headers, query: { readonly token?: string | undefined }): ReadonlyArray<string | undefined> => {
  const bearer = /^Bearer (.+)$/i.exec(headers["authorization"] ?? "")?.[1]
  return [headers[FEED_TOKEN_HEADER], bearer, query.token]
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()
