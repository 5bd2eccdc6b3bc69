/**
 * What a game must provide so that the intake (the HTTP service that receives facts, which are events reported by
 * feeds) accepts facts about its matches: how a match is registered, what a fact is, and how facts are checked before
 * they are appended to the FEED stream. Each game has one value of this type in its own folder; the intake contains no
 * code for a specific game. No function here has side effects. The members are methods, so that a value with a game's
 * own types is assignable to the generic type.
 *
 * A game's importers are a separate value, `ImportSection`, so that a server that only runs an intake does not load
 * them.
 */
import type { Fact, FeedLines } from "@matchpoint/contracts/http/feed/FactsApi"
import type { GameEvent, GameRules, GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import type { MatchRegistration } from "@matchpoint/store/live/Matches"
import type { Result, Schema } from "effect"
import type { Sliced } from "./slices.ts"

/**
 * Part of a request that could not be processed, because it is neither a valid fact (event reported by a feed) nor
 * known to be irrelevant.
 */
export interface FactProblem {
  /** Rejection code. Each game defines its own codes. */
  readonly code: string
  readonly message: string
  /** Excerpt of the request that shows the sender where the problem is. */
  readonly raw: string
  /**
   * Position of the affected line or list element in the request body, starting at 1. Absent if the body is not a list.
   */
  readonly line?: number
}

/**
 * Known history of a match. The intake uses it to create the match's session, which holds the state of the match in
 * memory and processes the submissions (decoded requests) for it.
 */
export interface MatchHistory<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  /**
   * Match state from the stored checkpoint of the match. Undefined if no checkpoint is needed, because `facts` starts
   * at the beginning of the match.
   */
  readonly state: State | undefined
  /**
   * Facts (reported events) of the match that the FEED stream still retains, in order. `isFolded` is true if `state`
   * already includes the fact.
   */
  readonly facts: ReadonlyArray<{ readonly event: Event; readonly isFolded: boolean }>
  /**
   * False if facts (reported events) between the checkpoint in `state` and the first element of `facts` are missing. In
   * that case new facts are appended without checking them against the state; the actor that processes the match checks
   * them later.
   */
  readonly isComplete: boolean
}

/** A fact (reported event) in the FEED stream. `isOwn` is true if this session appended it. */
export interface FeedRecord<Event extends GameEvent = GameEvent> {
  readonly event: Event
  readonly isOwn: boolean
}

/**
 * Decoded content of a request. Every game accepts a list of facts (reported events); a game may define further kinds
 * of content for its own endpoints.
 */
export interface FeedSubmission {
  readonly _tag: string
}
export interface FactsSubmission extends FeedSubmission {
  readonly _tag: "Facts"
  readonly facts: ReadonlyArray<Fact>
}
export const isFacts = (submission: FeedSubmission): submission is FactsSubmission => submission._tag === "Facts"

/** Current map and round of the match according to a feed. Rounds count from 1. */
export interface ReportedPosition {
  /** Map name, or `null` if the feed does not name the map. */
  readonly mapName: string | null
  readonly round: number
}

/** Result of applying a submission (the decoded content of a request) to the session of a match. */
export interface SubmissionResult<Session = object, Event extends GameEvent = GameEvent> {
  /** Feed that sent the submission. */
  readonly source: "main" | "backup"
  /** Current map and round according to that feed, or `null` if the feed has not reported them. */
  readonly shown: ReportedPosition | null
  /**
   * Team names in the feed that belong to neither registered team. Each name comes with the id of the team that it is
   * assumed to mean.
   */
  readonly unresolvedNames: ReadonlyArray<{ readonly name: string; readonly teamId: string }>
  readonly next: Session
  /** New events, in order, that the caller must append to the FEED stream. */
  readonly events: ReadonlyArray<Event>
  readonly problems: ReadonlyArray<FactProblem>
  /**
   * Facts (reported events) that were sent before. They are reported to the sender as ignored. Those with other content
   * than the stored fact are recorded as rejected.
   */
  readonly repeats: ReadonlyArray<FactProblem>
  readonly ignored: number
  /** Outcomes of the lines, if the submission consists of lines. */
  readonly lines?: FeedLines
}

/** Match that is about to be registered. */
export interface NewMatch<Event extends GameEvent = GameEvent> {
  readonly match: Omit<MatchRegistration, "config">
  /** Configuration that is stored with the match when it is registered. */
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
  /** Decodes a record of the FEED stream. Fails with the reason if the record is malformed. */
  decodeEvent(data: Uint8Array): Result.Result<Event, unknown>
  /** Decodes the request body of a registration. If the body is invalid, fails with the schema issue. */
  decodeRegistration(content: unknown): Result.Result<Registration, unknown>
  /**
   * Prepares a match from a registration. Fails if parts of the registration contradict each other. `now` is in epoch
   * milliseconds.
   */
  opening(registration: Registration, now: number): Result.Result<NewMatch<Event>, string>
  /**
   * Decodes a request body that contains facts (reported events). The facts themselves do not contain a match id. If
   * the body is invalid, fails with the schema issue.
   */
  decodeFacts(content: unknown): Result.Result<ReadonlyArray<Fact>, unknown>
  /** Converts a fact as sent by a feed to an event of the match. Fails with the reason if the fact is invalid. */
  eventOf(fact: Fact, matchId: MatchId, receivedAt: number): Result.Result<Event, unknown>
  /**
   * Creates the session of a match from its history. Returns undefined if the history does not contain the start of the
   * match.
   */
  open(history: MatchHistory<State, Event>): Session | undefined
  /**
   * Returns the session to use after new records of the FEED stream were read. `before` is the session at the previous
   * read, and `now` is the current session. `records` contains everything that was appended to the stream since
   * `before`, including the records that this session itself appended to reach `now`.
   */
  reread(before: Session, now: Session, records: ReadonlyArray<FeedRecord<Event>>): Session
  /** Returns the match state of a session. */
  stateOf(session: Session): State
  /**
   * Computes the events that a submission adds. The same submissions in the same order give the same events. It yields
   * after each fact or line, because a submission may have many.
   */
  applySubmission(session: Session, submission: Submission, receivedAt: number): Sliced<SubmissionResult<Session, Event>>
}
