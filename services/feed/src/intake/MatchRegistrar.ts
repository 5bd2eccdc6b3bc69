/**
 * Opens matches for facts: a row in the register, the first fact in FEED, the announcement. The row holds the first fact, so that a
 * registration that was cut short is completed when facts arrive for it.
 */
import { EventLog, type LogError } from "@matchpoint/bus/EventLog"
import { FeedWriter, withinLogWait } from "@matchpoint/bus/FeedWriter"
import { encodeEvent } from "@matchpoint/contracts/bus/feed"
import { FEED } from "@matchpoint/contracts/bus/subjects"
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import { type MatchId, matchIdOf } from "@matchpoint/domain/ids"
import { Matches } from "@matchpoint/store/live/Matches"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Clock, Context, Effect, Layer, Option, Result, Schema } from "effect"
import type { GameFeed } from "../GameFeed.ts"

/** A registration whose parts contradict each other. */
export class InvalidRegistration extends Schema.TaggedError<InvalidRegistration>()("InvalidRegistration", { message: Schema.String }) {}

/** What the register keeps for us: the first fact, besides what the game keeps there. */
const IntakeConfig = Schema.Struct({ feed: Schema.Literal("intake"), created: Schema.Record(Schema.String, Schema.Json) })
const decodeConfig = Schema.decodeUnknownOption(IntakeConfig)
const jsonOf = Schema.decodeSync(Schema.fromJsonString(Schema.Json))

const text = new TextDecoder()
const utf8 = new TextEncoder()

export class MatchRegistrar extends Context.Service<
  MatchRegistrar,
  {
    /** `registration`: as the game's feed has decoded it. */
    readonly register: (feed: GameFeed, registration: unknown) => Effect.Effect<MatchId, InvalidRegistration | StoreError | LogError>
    /** A registered match's first fact. None: the match is not registered for intake. */
    readonly firstFact: (feed: GameFeed, match: MatchId) => Effect.Effect<Option.Option<GameEvent>, StoreError>
    /** Appends a match's first fact, and announces the match. */
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

      const register = Effect.fn("MatchRegistrar.register")(function* (feed: GameFeed, registration: unknown) {
        const opening = feed.opening(registration, Math.floor(yield* Clock.currentTimeMillis))
        if (Result.isFailure(opening)) return yield* new InvalidRegistration({ message: opening.failure })
        const { config, created, match } = opening.success
        const { game } = feed.rules
        // A log that is away leaves no row behind: its sender would register the match again.
        yield* withinLogWait(log.bounds(FEED))
        // The number is only known once the row is there, and the row says everything else.
        const draft = jsonOf(text.decode(encodeEvent(created(matchIdOf(game, 1)))))
        const registered = yield* matches.register(game, { ...match, config: { ...config, feed: "intake", created: draft } })
        yield* begin(created(registered))
        return registered
      }, Effect.uninterruptible)

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
