/**
 * Request handling that all games share: decodes and validates the body, submits its content to the session of the
 * match, and reports the outcome. Rejected requests are recorded.
 */
import type {
  Conflict,
  FeedTokenScope,
  InternalError,
  MatchNotFound,
  ServiceUnavailable,
  ValidationError,
} from "@matchpoint/contracts/http/errors"
import type { FeedReport, Receipt, Rejected } from "@matchpoint/contracts/http/feed/FactsApi"
import type { GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import { Context, type Effect, type Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { FeedSubmission, GameFeed } from "../GameFeed.ts"
import type { FeedGrant } from "./FeedToken.ts"

/** Requires the current request, because it may set response headers. */
export type Answer<A, E> = Effect.Effect<A, E, HttpServerRequest.HttpServerRequest>

/** A match, and the token that may send its facts and those of no other match. */
export interface Registration {
  readonly matchId: MatchId
  readonly feedToken: string
}

/** State of a match, with reports on what each of its feeds has sent to this process. */
export interface MatchReport {
  readonly state: GameState
  readonly feeds: ReadonlyArray<FeedReport>
  /** Rejections, newest first. */
  readonly rejected: ReadonlyArray<Rejected>
}

type Refused = ValidationError | ServiceUnavailable | InternalError

export class Intake extends Context.Service<
  Intake,
  {
    /** If decoding failed, records the rejection and fails with 400. `raw` is the body without its token. */
    readonly expect: <A>(
      matchId: string | null,
      raw: string,
      result: Result.Result<A, ValidationError>,
    ) => Effect.Effect<A, ValidationError>
    /** If it is not the id of a match of `game`, records the rejection and fails with 404. */
    readonly matchOf: (game: string, text: string, raw: string) => Effect.Effect<MatchId, MatchNotFound>
    /**
     * Returns the match of an earlier registration with the same key or external id, or fails with 409 if that one has
     * other content. `text` is the JSON text of the registration, `key` the client's `Idempotency-Key`.
     */
    readonly register: (feed: GameFeed, text: string, key: string | undefined) => Answer<Registration, Refused | Conflict>
    /** The submission is decoded when the turn of the match comes. It must be of a type that the match's game accepts. */
    readonly submit: (matchId: MatchId, submission: () => FeedSubmission, raw: string) => Answer<Receipt, Refused | MatchNotFound>
    readonly look: (matchId: MatchId) => Answer<MatchReport, Refused | MatchNotFound>
    /** `text` is JSON. If any fact is invalid or has a source that the token does not permit, all are rejected. */
    readonly submitFacts: (matchId: MatchId, text: string, grant: FeedGrant) => Answer<Receipt, Refused | MatchNotFound | FeedTokenScope>
  }
>()("@matchpoint/game/feed/intake/Intake") {}
