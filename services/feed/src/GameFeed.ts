/**
 * What a game must provide so that the intake accepts facts of its matches: how a match is registered, what a fact is,
 * and how facts are checked before they go to FEED. Each game has one value of this type in its own folder; the intake
 * knows no specific game. Everything here is pure. Members are methods, so that a game's own types are assignable to
 * the generic ones.
 *
 * A game's importers are a separate value, `ImportSection`, so that a server with an intake does not load them.
 */
import type { Fact } from "@matchpoint/contracts/http/feed/FactsApi"
import type { GameEvent, GameRules, GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import type { MatchRegistration } from "@matchpoint/store/live/Matches"
import type { Result, Schema } from "effect"

/** Part of a request that is neither a fact nor known to be irrelevant. */
export interface FactProblem {
  /** One of the rejection codes of the match's game. */
  readonly code: string
  readonly message: string
  /** Excerpt of the request that helps to find the problem. */
  readonly raw: string
  /** Line or element of the body, from 1. Absent if the body is one piece. */
  readonly line?: number
}

/** Known history of a match when the intake opens a session. */
export interface MatchHistory<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  /** State from the match's checkpoint. Undefined if the facts start at the beginning of the match. */
  readonly state: State | undefined
  /** Facts that FEED still has, in order. `isFolded` is true if `state` already contains the fact. */
  readonly facts: ReadonlyArray<{ readonly event: Event; readonly isFolded: boolean }>
  /**
   * False if facts are missing between `state` and `facts`. The session then does not check new facts against the
   * state; the match's actor does.
   */
  readonly isWhole: boolean
}

/** A fact in FEED. `isOwn` is true if this session appended it. */
export interface FeedRecord<Event extends GameEvent = GameEvent> {
  readonly event: Event
  readonly isOwn: boolean
}

/** Content of a request. Every game accepts a list of facts; a game may add kinds for its own endpoints. */
export interface FeedSubmission {
  readonly _tag: string
}
export interface FactsSubmission extends FeedSubmission {
  readonly _tag: "Facts"
  readonly facts: ReadonlyArray<Fact>
}

/** Position of the match according to a feed. Rounds count from 1. */
export interface ShownRound {
  /** Map name, or `null` if the feed does not name the map. */
  readonly mapName: string | null
  readonly round: number
}

/** Result of a submission. */
export interface TakenIn<Session = object, Event extends GameEvent = GameEvent> {
  /** Feed that sent the submission. */
  readonly source: "main" | "backup"
  /** Position of the match according to that feed, or `null` if it has not reported one. */
  readonly shown: ShownRound | null
  /** Names in the feed that belong to neither team of the match, each with the team that it is assumed to mean. */
  readonly unresolvedNames: ReadonlyArray<{ readonly name: string; readonly teamId: string }>
  readonly next: Session
  /** New facts in order, to be appended to FEED. */
  readonly events: ReadonlyArray<Event>
  readonly problems: ReadonlyArray<FactProblem>
  /** Facts that were sent before. They are recorded as rejected but reported to the sender as ignored. */
  readonly repeats: ReadonlyArray<FactProblem>
  readonly ignored: number
}

/** A match to be registered. */
export interface Opening<Event extends GameEvent = GameEvent> {
  readonly match: Omit<MatchRegistration, "config">
  /** Stored in the register with the match. */
  readonly config: { readonly [key: string]: Schema.Json }
  /** Returns the match's first event. The match number is known only after registration. */
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
  /** Decodes a record of FEED. Fails with the reason if it is malformed. */
  decodeEvent(data: Uint8Array): Result.Result<Event, unknown>
  /** Decodes the body of a registration. Fails with the schema issue. */
  decodeRegistration(content: unknown): Result.Result<Registration, unknown>
  /**
   * Prepares a match from a registration. Fails if parts of the registration contradict each other. `now` is in epoch
   * milliseconds.
   */
  opening(registration: Registration, now: number): Result.Result<Opening<Event>, string>
  /** Decodes a body of facts, which do not name their match. Fails with the schema issue. */
  decodeFacts(content: unknown): Result.Result<ReadonlyArray<Fact>, unknown>
  /** Converts a fact to an event of the match. Fails with the reason if it is invalid. */
  eventOf(fact: Fact, matchId: MatchId, receivedAt: number): Result.Result<Event, unknown>
  /** Opens a session. Returns undefined if the history does not contain the start of the match. */
  open(history: MatchHistory<State, Event>): Session | undefined
  /**
   * Returns the session after FEED was read again. `records` contains everything in FEED since `before`, including the
   * records that led to `now`.
   */
  reread(before: Session, now: Session, records: ReadonlyArray<FeedRecord<Event>>): Session
  /** Returns the match state of a session. */
  stateOf(session: Session): State
  /** Returns the events that a submission adds. The same submissions in the same order give the same events. */
  takeIn(session: Session, submission: Submission, receivedAt: number): TakenIn<Session, Event>
}
