/**
 * What a game must provide so that the intake accepts facts about its matches: how a match is registered, what a fact
 * is, and how facts are checked before they are appended to FEED. Each game has one value of this type in its own
 * folder; the intake contains no code for a specific game. Everything here is pure. The members are methods, so that a
 * value with a game's own types is assignable to the generic type.
 *
 * A game's importers are a separate value, `ImportSection`, so that a server that only runs an intake does not load
 * them.
 */
import type { Fact } from "@matchpoint/contracts/http/feed/FactsApi"
import type { GameEvent, GameRules, GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import type { MatchRegistration } from "@matchpoint/store/live/Matches"
import type { Result, Schema } from "effect"

/** Part of a request that could not be processed: it is neither a valid fact nor known to be irrelevant. */
export interface FactProblem {
  /** Rejection code, as defined by the game of the match. */
  readonly code: string
  readonly message: string
  /** Excerpt of the request that shows the sender where the problem is. */
  readonly raw: string
  /** Number of the line or list element in the request body, from 1. Absent if the body is not a list. */
  readonly line?: number
}

/** History of a match that is available when the intake opens a session for it. */
export interface MatchHistory<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  /**
   * Match state from the match's checkpoint. Undefined if no checkpoint is needed, because `facts` starts at the
   * beginning of the match.
   */
  readonly state: State | undefined
  /** Facts of the match that FEED still retains, in order. `isFolded` is true if `state` already includes the fact. */
  readonly facts: ReadonlyArray<{ readonly event: Event; readonly isFolded: boolean }>
  /**
   * False if facts between `state` and `facts` are missing. The session then appends new facts without checking them
   * against the state; the actor of the match checks them later.
   */
  readonly isComplete: boolean
}

/** A fact in FEED. `isOwn` is true if this session appended it. */
export interface FeedRecord<Event extends GameEvent = GameEvent> {
  readonly event: Event
  readonly isOwn: boolean
}

/**
 * Decoded content of a request. Every game accepts a list of facts; a game may define further kinds of content for its
 * own endpoints.
 */
export interface FeedSubmission {
  readonly _tag: string
}
export interface FactsSubmission extends FeedSubmission {
  readonly _tag: "Facts"
  readonly facts: ReadonlyArray<Fact>
}

/** Position of the match according to a feed. Rounds count from 1. */
export interface ReportedPosition {
  /** Map name, or `null` if the feed does not name the map. */
  readonly mapName: string | null
  readonly round: number
}

/** Result of applying a submission to a session. */
export interface SubmissionResult<Session = object, Event extends GameEvent = GameEvent> {
  /** Feed that sent the submission. */
  readonly source: "main" | "backup"
  /** Position of the match as reported by that feed, or `null` if the feed has not reported a position. */
  readonly shown: ReportedPosition | null
  /**
   * Team names in the feed that match neither registered team, each with the id of the team that it is assumed to mean.
   */
  readonly unresolvedNames: ReadonlyArray<{ readonly name: string; readonly teamId: string }>
  readonly next: Session
  /** New facts, in order, that the caller must append to FEED. */
  readonly events: ReadonlyArray<Event>
  readonly problems: ReadonlyArray<FactProblem>
  /** Facts that were sent before. They are recorded as rejected but reported to the sender as ignored. */
  readonly repeats: ReadonlyArray<FactProblem>
  readonly ignored: number
}

/** Match that is about to be registered. */
export interface NewMatch<Event extends GameEvent = GameEvent> {
  readonly match: Omit<MatchRegistration, "config">
  /** Configuration that is stored with the match in the register. */
  readonly config: { readonly [key: string]: Schema.Json }
  /** Returns the first event of the match. It is a function because the match id is assigned at registration. */
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
  opening(registration: Registration, now: number): Result.Result<NewMatch<Event>, string>
  /**
   * Decodes a request body that contains facts. The facts themselves do not contain a match id. Fails with the schema
   * issue.
   */
  decodeFacts(content: unknown): Result.Result<ReadonlyArray<Fact>, unknown>
  /** Converts a fact to an event of the match. Fails with the reason if it is invalid. */
  eventOf(fact: Fact, matchId: MatchId, receivedAt: number): Result.Result<Event, unknown>
  /** Opens a session. Returns undefined if the history does not contain the start of the match. */
  open(history: MatchHistory<State, Event>): Session | undefined
  /**
   * Returns the session to use after FEED was read again. `before` is the session at the previous read, `now` is the
   * current session, and `records` contains everything that was appended to FEED since `before`, including the records
   * that this session appended to reach `now`.
   */
  reread(before: Session, now: Session, records: ReadonlyArray<FeedRecord<Event>>): Session
  /** Returns the match state of a session. */
  stateOf(session: Session): State
  /** Returns the events that a submission adds. The same submissions in the same order give the same events. */
  applySubmission(session: Session, submission: Submission, receivedAt: number): SubmissionResult<Session, Event>
}
