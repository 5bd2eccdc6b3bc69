/**
 * Creates matches whose facts arrive through the intake: inserts a row, appends the first fact to FEED and announces
 * the match. The row also contains the first fact, so that the next facts can complete an interrupted registration.
 */
import { EventLog, type LogError } from "@matchpoint/bus/EventLog"
import { FeedWriter, withinLogWait } from "@matchpoint/bus/FeedWriter"
import { encodeEvent } from "@matchpoint/contracts/bus/feed"
import { FEED, feedSubject } from "@matchpoint/contracts/bus/subjects"
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import { type MatchId, matchIdOf } from "@matchpoint/domain/ids"
import type { GameFeed } from "@matchpoint/game/feed/GameFeed"
import { Matches, type RegistrationIdentity } from "@matchpoint/store/live/Matches"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Clock, Context, Effect, Layer, Option, Result, Schema } from "effect"

/** Parts of the registration contradict each other. */
export class InvalidRegistration extends Schema.TaggedError<InvalidRegistration>()("InvalidRegistration", { message: Schema.String }) {}

/** Another registration has the same key or external id and other content, or its token was revoked. */
export class OtherRegistration extends Schema.TaggedError<OtherRegistration>()("OtherRegistration", { message: Schema.String }) {}

/** A registered match, with the random number from which its token is derived. */
export interface OpenedMatch {
  readonly matchId: MatchId
  readonly tokenSalt: Uint8Array
}

/** Configuration in the row of a match: the first event in addition to the game's own data. */
const IntakeConfig = Schema.Struct({ feed: Schema.Literal("intake"), created: Schema.Record(Schema.String, Schema.Json) })
const decodeConfig = Schema.decodeUnknownOption(IntakeConfig)
const jsonOf = Schema.decodeSync(Schema.fromJsonString(Schema.Json))

const text = new TextDecoder()
const utf8 = new TextEncoder()

export class MatchRegistrar extends Context.Service<
  MatchRegistrar,
  {
    /**
     * Completes and returns the earlier registration if this one repeats it. `registration` was decoded by the game's
     * `GameFeed`.
     */
    readonly register: (
      feed: GameFeed,
      registration: unknown,
      identity: RegistrationIdentity,
    ) => Effect.Effect<OpenedMatch, InvalidRegistration | OtherRegistration | StoreError | LogError>
    /** None if the match is not registered or its events do not come through the intake. */
    readonly firstFact: (feed: GameFeed, match: MatchId) => Effect.Effect<Option.Option<GameEvent>, StoreError>
    readonly begin: (created: GameEvent) => Effect.Effect<void, LogError>
  }
>()("@matchpoint/service-feed/intake/MatchRegistrar") {
  static readonly layer = Layer.effect(
    MatchRegistrar,
    Effect.gen(function* () {
      const matches = yield* Matches
      const log = yield* EventLog
      const writer = yield* FeedWriter

      const begin = Effect.fnUntraced(function* (created: GameEvent) {
        yield* writer.append(created)
        yield* writer.announce(created.matchId)
      })

      const register = Effect.fn("MatchRegistrar.register")(function* (
        feed: GameFeed,
        registration: unknown,
        identity: RegistrationIdentity,
      ) {
        const opening = feed.opening(registration, Math.floor(yield* Clock.currentTimeMillis))
        if (Result.isFailure(opening)) return yield* new InvalidRegistration({ message: opening.failure })
        const { config, created, match } = opening.success
        const { game } = feed.rules
        // If a row were created while FEED is unavailable, the sender would retry and register the match a second time.
        yield* withinLogWait(log.bounds(FEED))
        // The row must contain the first event, which contains the match number, which is assigned only by the insert.
        // The stored event has 1 as a placeholder, which is replaced whenever the row is read.
        const draft = jsonOf(text.decode(encodeEvent(created(matchIdOf(game, 1)))))
        const stored = { ...match, config: { ...config, feed: "intake", created: draft } }
        const registered = yield* matches.registerOnce(game, stored, identity)
        const { matchId } = registered
        if (registered._tag === "OtherContent") {
          return yield* new OtherRegistration({
            message: `this Idempotency-Key or externalId belongs to ${matchId}, which was registered with other content`,
          })
        }
        if (registered._tag === "Registered") yield* begin(created(matchId))
        else yield* resume(feed, matchId)
        return { matchId, tokenSalt: registered.tokenSalt }
      }, Effect.uninterruptible)

      /** Completes a registration that was interrupted before the first event was appended, or before the match was announced. */
      const resume = Effect.fnUntraced(function* (feed: GameFeed, matchId: MatchId) {
        const row = Option.getOrUndefined(yield* matches.find(matchId))
        if (row?.status !== "scheduled" || (yield* writer.isAnnounced(matchId))) return
        if (Option.isSome(yield* withinLogWait(log.last(FEED, feedSubject(matchId))))) return yield* writer.announce(matchId)
        const created = Option.getOrUndefined(yield* firstFact(feed, matchId))
        if (created !== undefined) yield* begin(created)
      })

      const firstFact = Effect.fn("MatchRegistrar.firstFact")(function* (feed: GameFeed, match: MatchId) {
        const row = yield* matches.find(match)
        return Option.flatMap(
          Option.flatMap(row, ({ config }) => decodeConfig(config)),
          ({ created }) =>
            Option.filter(
              Result.getSuccess(feed.decodeEvent(utf8.encode(JSON.stringify({ ...created, matchId: match })))),
              (event) => feed.rules.fold(undefined, event)._tag === "Accepted",
            ),
        )
      })

      return MatchRegistrar.of({ register, firstFact, begin })
    }),
  )
}
