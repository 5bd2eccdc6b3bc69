/**
 * What a game must provide so that the intake (the HTTP service that receives facts, which are events that feeds report)
 * accepts facts about its matches: how a match is registered, what a fact is, and how facts are checked before they are
 * appended to FEED. No function here has side effects. The members are methods, so that a value with a game's own types
 * is assignable to the generic type.
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

/** Part of a request that is neither a valid fact nor known to be irrelevant. */
export interface FactProblem {
  /** Each game defines its own codes. */
  readonly code: string
  readonly message: string
  /** Excerpt of the request that shows the sender where the problem is. */
  readonly raw: string
  /** Line or list element in the request body, from 1. Absent if the body is not a list. */
  readonly line?: number
}

/** Known history of a match. The session made of it holds the state in memory and processes the match's submissions. */
export interface MatchHistory<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  /** State of the stored checkpoint. Undefined if `facts` starts at the beginning of the match. */
  readonly state: State | undefined
  /** Facts that FEED still retains, in order. `isFolded` is true if `state` already includes the fact. */
  readonly facts: ReadonlyArray<{ readonly event: Event; readonly isFolded: boolean }>
  /**
   * False if facts between `state` and `facts` are missing. New facts are then checked only by the actor of the match.
   */
  readonly isComplete: boolean
}

/** `isOwn` is true if this session appended the fact. */
export interface FeedRecord<Event extends GameEvent = GameEvent> {
  readonly event: Event
  readonly isOwn: boolean
}

/** Decoded content of a request. Every game accepts a list of facts; a game may define further kinds for its own endpoints. */
export interface FeedSubmission {
  readonly _tag: string
}
export interface FactsSubmission extends FeedSubmission {
  readonly _tag: "Facts"
  readonly facts: ReadonlyArray<Fact>
}
export const isFacts = (submission: FeedSubmission): submission is FactsSubmission => submission._tag === "Facts"

/** According to a feed. Rounds count from 1. */
export interface ReportedPosition {
  /** `null` if the feed does not name the map. */
  readonly mapName: string | null
  readonly round: number
}

/** Result of applying a submission to a session. */
export interface SubmissionResult<Session = object, Event extends GameEvent = GameEvent> {
  readonly source: "main" | "backup"
  /** `null` if the feed has not reported a map and round. */
  readonly shown: ReportedPosition | null
  /** Team names in the feed that belong to neither registered team, with the id of the team that each is assumed to mean. */
  readonly unresolvedNames: ReadonlyArray<{ readonly name: string; readonly teamId: string }>
  readonly next: Session
  /** Facts, in order, that the caller must append to FEED. */
  readonly events: ReadonlyArray<Event>
  readonly problems: ReadonlyArray<FactProblem>
  /**
   * Facts that were sent before, which the sender sees as ignored. Those with other content are recorded as rejected.
   */
  readonly repeats: ReadonlyArray<FactProblem>
  readonly ignored: number
  /** Outcomes of the lines, if the submission consists of lines. */
  readonly lines?: FeedLines
}

export interface NewMatch<Event extends GameEvent = GameEvent> {
  readonly match: Omit<MatchRegistration, "config">
  /** Stored with the match when it is registered. */
  readonly config: { readonly [key: string]: Schema.Json }
  /** First fact of the match. A function, because the match id is assigned at registration. */
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
  /** Decodes a record of FEED. Fails with the reason if the record is malformed. */
  decodeEvent(data: Uint8Array): Result.Result<Event, unknown>
  /** Fails with the schema issue. */
  decodeRegistration(content: unknown): Result.Result<Registration, unknown>
  /** Fails if parts of the registration contradict each other. `now` is in epoch milliseconds. */
  opening(registration: Registration, now: number): Result.Result<NewMatch<Event>, string>
  /** Facts in a request body do not contain a match id. Fails with the schema issue. */
  decodeFacts(content: unknown): Result.Result<ReadonlyArray<Fact>, unknown>
  /** Fails with the reason if the fact is invalid. */
  eventOf(fact: Fact, matchId: MatchId, receivedAt: number): Result.Result<Event, unknown>
  /** Undefined if the history does not contain the start of the match. */
  open(history: MatchHistory<State, Event>): Session | undefined
  /**
   * The session after new records of FEED were read. `before` is the one at the previous read, `now` the current one.
   * `records` has everything since `before`, including what this session appended itself to reach `now`.
   */
  reread(before: Session, now: Session, records: ReadonlyArray<FeedRecord<Event>>): Session
  stateOf(session: Session): State
  /** The same submissions in the same order give the same facts. Yields after each fact or line: there may be many. */
  applySubmission(session: Session, submission: Submission, receivedAt: number): Sliced<SubmissionResult<Session, Event>>
}
