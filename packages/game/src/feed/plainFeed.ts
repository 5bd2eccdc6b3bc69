/**
 * `GameFeed` of a game whose senders submit complete facts, so that nothing needs to be derived. The session is only the
 * match state, and the game's rules check each fact. A game that also reads the format of a source, such as logs or
 * posts, provides its own `GameFeed`.
 */
import { Facts } from "@matchpoint/contracts/http/feed/FactsApi"
import { strictBody } from "@matchpoint/contracts/http/strictBody"
import type { GameEvent, GameState } from "@matchpoint/domain/game/GameRules"
import { Result, Schema } from "effect"
import { applyFacts } from "./applyFacts.ts"
import type { FactsSubmission, GameFeed } from "./GameFeed.ts"

interface PlainSession<State> {
  readonly state: State
  readonly isWhole: boolean
}

export interface PlainGame<State extends GameState, Event extends GameEvent, Registration>
  extends Pick<GameFeed<State, Event, PlainSession<State>, FactsSubmission, Registration>, "rules" | "decodeEvent" | "opening"> {
  readonly registration: Schema.Decoder<Registration>
  /** Fails with the reason, also for an unknown field. */
  readonly readEvent: (event: unknown) => Result.Result<Event, unknown>
  /** Types that senders must not submit: those that create a match, and those that only the actor of the match appends. */
  readonly ownTypes: ReadonlySet<string>
  /** Rejection codes of repeated events, which are not errors of the sender. */
  readonly known: ReadonlySet<string>
}

const decodeFacts = Schema.decodeUnknownResult(Facts, strictBody)

export const plainFeed = <State extends GameState, Event extends GameEvent, Registration>(
  game: PlainGame<State, Event, Registration>,
): GameFeed<State, Event, PlainSession<State>, FactsSubmission, Registration> => {
  const { decodeEvent, known, opening, ownTypes, readEvent, registration, rules } = game
  const applied = (session: PlainSession<State>, event: Event): PlainSession<State> => ({
    ...session,
    state: rules.fold(session.state, event).state ?? session.state,
  })
  const feed: GameFeed<State, Event, PlainSession<State>, FactsSubmission, Registration> = {
    rules,
    decodeEvent,
    opening,
    decodeRegistration: Schema.decodeUnknownResult(registration, { ...strictBody, errors: "all" }),
    decodeFacts,
    eventOf: (fact, matchId, receivedAt) =>
      ownTypes.has(fact.type) ? Result.fail(`${fact.type} cannot be sent`) : readEvent({ source: "main", ...fact, matchId, receivedAt }),
    stateOf: ({ state }) => state,
    open: ({ facts, isComplete: isWhole, state }) => {
      const last = facts.reduce<State | undefined>(
        (known, { event, isFolded }) => (isFolded ? known : rules.fold(known, event).state),
        state,
      )
      return last === undefined ? undefined : { state: last, isWhole }
    },
    reread: (before, now, records) =>
      records.every(({ isOwn }) => isOwn) ? now : records.reduce((session, { event }) => applied(session, event), before),
    applySubmission: (session, { facts }, receivedAt) =>
      applyFacts(session, facts, {
        eventOf: (fact) => feed.eventOf(fact, session.state.matchId, receivedAt),
        verdictOn: ({ isWhole, state }, event) => {
          const step = rules.fold(state, event)
          return step._tag === "Accepted" || !isWhole || rules.expectedRejections.has(step.rejection.code) ? undefined : step.rejection
        },
        apply: applied,
        known,
      }),
  }
  return feed
}
