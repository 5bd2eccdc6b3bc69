/**
 * What a game must bring so that facts of its matches are taken in: how a match is registered, what a fact is, and how facts are judged
 * before they go to FEED. Each game has one value of this type in its own folder; the intake knows no game. All of it is pure. Members
 * are methods, so that a game's own types are assignable to the generic ones.
 *
 * What a game imports is an `ImportSection`, a value of its own: a server that takes in facts does not load its importers.
 */
import type { Fact } from "@matchpoint/contracts/http/feed/FactsApi"
import type { GameEvent, GameRules, GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import type { MatchRegistration } from "@matchpoint/store/live/Matches"
import type { Result, Schema } from "effect"

/** Something in a request that is neither a fact nor known to be uninteresting. */
export interface FactProblem {
  /** One of the rejection codes of the match's game. */
  readonly code: string
  readonly message: string
  /** What was sent, as far as it helps to find the place. */
  readonly raw: string
  /** Line or element of the body, from 1; absent if the body is one piece. */
  readonly line?: number
}

/** What the intake knows of a match when it opens a session. */
export interface MatchHistory<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  /** The match before `facts`, from its checkpoint. Undefined: the facts begin the match. */
  readonly state: State | undefined
  /** What FEED has retained, in order. `isFolded`: `state` has the fact already. */
  readonly facts: ReadonlyArray<{ readonly event: Event; readonly isFolded: boolean }>
  /** False: facts are missing in between. What is sent is not judged by the state but left to the match's actor. */
  readonly isWhole: boolean
}

/** A fact in FEED. `isOwn`: this session sent it. */
export interface FeedRecord<Event extends GameEvent = GameEvent> {
  readonly event: Event
  readonly isOwn: boolean
}

/** What a request carries. Facts are a submission in every game; a game may have more kinds, for its own endpoints. */
export interface FeedSubmission {
  readonly _tag: string
}
export interface FactsSubmission extends FeedSubmission {
  readonly _tag: "Facts"
  readonly facts: ReadonlyArray<Fact>
}

/** Where a feed says its match is. Rounds count from 1. */
export interface ShownRound {
  /** Null: it does not name the map. */
  readonly mapName: string | null
  readonly round: number
}

/** What became of a submission. */
export interface TakenIn<Session = object, Event extends GameEvent = GameEvent> {
  /** The feed that sent it. */
  readonly source: "main" | "backup"
  /** Where that feed is; null: it has not said. */
  readonly shown: ShownRound | null
  /** Names that the feed shows and that are of no side of the match, each with the team it is taken for. */
  readonly unresolvedNames: ReadonlyArray<{ readonly name: string; readonly teamId: string }>
  readonly next: Session
  /** New facts, in order, to be appended to FEED. */
  readonly events: ReadonlyArray<Event>
  readonly problems: ReadonlyArray<FactProblem>
  /** Facts that were sent before: recorded as refused, and to the sender no more than ignored. */
  readonly repeats: ReadonlyArray<FactProblem>
  readonly ignored: number
}

/** A match that is to be registered. */
export interface Opening<Event extends GameEvent = GameEvent> {
  readonly match: Omit<MatchRegistration, "config">
  /** Kept in the register with the match. */
  readonly config: { readonly [key: string]: Schema.Json }
  /** The match's first event. Its number is known only when it is registered. */
  created(matchId: MatchId): Event
}

export interface GameFeed<
  State extends GameState = GameState,
  Event extends GameEvent = GameEvent,
  Session extends object = object,
  Submission extends FeedSubmission = FeedSubmission,
  Registration = unknown,
> {
  readonly rules: GameRules<State, Event>
  /** A record of FEED. Fails with what is wrong with it. */
  decodeEvent(data: Uint8Array): Result.Result<Event, unknown>
  /** A registration as it was sent. Fails with the schema's account of what is wrong. */
  decodeRegistration(content: unknown): Result.Result<Registration, unknown>
  /** Fails if parts of the registration contradict each other. `now`: epoch milliseconds. */
  opening(registration: Registration, now: number): Result.Result<Opening<Event>, string>
  /** Facts as they were sent, without their match. Fails with the schema's account of what is wrong. */
  decodeFacts(content: unknown): Result.Result<ReadonlyArray<Fact>, unknown>
  /** A fact as an event of the match. Fails with what is wrong with it. */
  eventOf(fact: Fact, matchId: MatchId, receivedAt: number): Result.Result<Event, unknown>
  /** A session of a match. Undefined: this history does not begin one. */
  open(history: MatchHistory<State, Event>): Session | undefined
  /** The session after FEED has been read again. `records`: all that FEED has since `before`, those of `now` included. */
  reread(before: Session, now: Session, records: ReadonlyArray<FeedRecord<Event>>): Session
  /** The match as the session has it. */
  stateOf(session: Session): State
  /** What a submission adds. The same submissions in the same order give the same events. */
  takeIn(session: Session, submission: Submission, receivedAt: number): TakenIn<Session, Event>
}
