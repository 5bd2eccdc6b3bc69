/**
 * Opens matches for facts: a row in the register, the first fact in FEED, the announcement. The row holds the first fact, so that a
 * registration that was cut short is completed when facts arrive for it.
 */
import type { LogError } from "@matchpoint/bus/EventLog"
import type { Registration } from "@matchpoint/contracts/http/FeedApi"
import { CS2 } from "@matchpoint/domain/cs2/cs2Rules"
import { FeedEvent, type FeedEventOf } from "@matchpoint/domain/cs2/feedEvents"
import { matchId, type PlayerId, playerIdOfSteamId64 } from "@matchpoint/domain/cs2/ids"
import { competitiveRules } from "@matchpoint/domain/cs2/rules"
import type { MatchId } from "@matchpoint/domain/ids"
import { Matches } from "@matchpoint/store/Matches"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { FeedAppender } from "../../FeedAppender.ts"
import { createdEvent, type MatchCreated } from "../adapters/Recording.ts"
import { teamIdOfName } from "../adapters/teams.ts"

/** A registration whose parts contradict each other. */
export class InvalidRegistration extends Schema.TaggedError<InvalidRegistration>()("InvalidRegistration", { message: Schema.String }) {}

/** What the register keeps for us. */
const IntakeConfig = Schema.Struct({ feed: Schema.Literal("intake"), created: FeedEvent, startsAt: Schema.optionalKey(Schema.String) })
const decodeConfig = Schema.decodeUnknownOption(IntakeConfig)

export class MatchRegistrar extends Context.Service<
  MatchRegistrar,
  {
    readonly register: (registration: Registration) => Effect.Effect<MatchId, InvalidRegistration | StoreError | LogError>
    /** Tells a registered match's first fact again, should it be missing. None: the match is not registered for intake. */
    readonly create: (match: MatchId) => Effect.Effect<Option.Option<FeedEventOf<"MatchCreated">>, StoreError | LogError>
  }
>()("@matchpoint/service-feed/cs2/intake/MatchRegistrar") {
  static readonly layer = Layer.effect(
    MatchRegistrar,
    Effect.gen(function* () {
      const matches = yield* Matches
      const appender = yield* FeedAppender

      const register = Effect.fn("MatchRegistrar.register")(function* (registration: Registration) {
        const payload = yield* createdPayload(registration)
        const now = Math.floor(yield* Clock.currentTimeMillis)
        const [team1, team2] = payload.teams
        // The number is only known once the row is there, and the row says everything else.
        const draft = yield* encodeEvent(createdEvent(matchId(1), payload, now))
        const registered = yield* matches.register(CS2, {
          bestOf: payload.bestOf,
          team1: { id: team1.id, name: team1.name },
          team2: { id: team2.id, name: team2.name },
          config: { feed: "intake", created: draft, ...(registration.startsAt === undefined ? {} : { startsAt: registration.startsAt }) },
        })
        const created = createdEvent(registered, payload, now)
        yield* appender.append(created)
        yield* appender.announce(created.matchId)
        return created.matchId
      }, Effect.uninterruptible)

      const create = Effect.fn("MatchRegistrar.create")(function* (match: MatchId) {
        const row = yield* matches.find(match)
        const config = Option.flatMap(row, ({ config }) => decodeConfig(config))
        if (Option.isNone(config) || config.value.created.type !== "MatchCreated") return Option.none()
        const created = { ...config.value.created, matchId: match }
        yield* appender.append(created)
        yield* appender.announce(match)
        return Option.some(created)
      })

      return MatchRegistrar.of({ register, create })
    }),
  )
}

/** As JSON for the register; what could not be encoded was built wrongly here. */
const encodeEvent = (event: FeedEvent) => Effect.orDie(toJson(event))

const toJson = Schema.encodeEffect(Schema.toCodecJson(FeedEvent))

const createdPayload = Effect.fnUntraced(function* (registration: Registration) {
  const { bestOf, eventName, roster = [], rules } = registration
  const [one, two] = registration.teams
  const teams = [
    { ...one, id: one.id ?? teamIdOfName(one.name) },
    { ...two, id: two.id ?? teamIdOfName(two.name) },
  ] as const
  if (teams[0].id === teams[1].id) return yield* new InvalidRegistration({ message: "the two teams have the same id" })
  const players = new Set<PlayerId>()
  const entries: Array<NonNullable<MatchCreated["roster"]>[number]> = []
  for (const { name, nickname, playerId, steamId64, team } of roster) {
    const id = playerId ?? playerIdOfSteamId64(steamId64 ?? "")
    if (id === undefined) return yield* new InvalidRegistration({ message: `${steamId64} is no player's SteamID` })
    if (players.has(id)) return yield* new InvalidRegistration({ message: `${id} is on the roster twice` })
    players.add(id)
    entries.push({ playerId: id, teamId: teams[team - 1]?.id ?? teams[0].id, nickname, ...(name === undefined ? {} : { name }) })
  }
  const payload: MatchCreated = {
    bestOf,
    teams,
    rules: { ...competitiveRules, ...rules },
    ...(eventName === undefined ? {} : { eventName }),
    roster: entries,
  }
  return payload
})
