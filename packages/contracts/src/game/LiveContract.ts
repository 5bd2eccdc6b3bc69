/**
 * The interface that each game implements so that game-independent code can process its live matches. It defines the
 * key order of the game's match document and the conversion to message format v1. The methods have no side effects.
 * Each game exports one value of this type from its own folder, which game-independent code never imports.
 *
 * The members are methods rather than function properties, because TypeScript then allows the contract of a particular
 * game to be assigned to `LiveContract`, the type that game-independent code uses.
 */
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import type { GameName, MatchId } from "@matchpoint/domain/ids"
import type { Result } from "effect"
import type { JsonObject, Layout } from "../stream/compact/mergePatch.ts"

/** The fields of an event that game-independent code reads. Each game defines additional fields of its own. */
export interface EventRow {
  readonly eventId: string
}

export interface ReceivedFact {
  readonly event: GameEvent
  /** True if this event creates the match. */
  readonly creates: boolean
}

/**
 * State of a match after a record of the LIVE stream was applied. Immutable. Unchanged sections are shared with the
 * previous state.
 */
export interface LiveState<Document extends JsonObject = JsonObject> {
  /** The match document in message format v2. Its keys are in the order in which customers receive them. */
  readonly document: Document
  /** Values that format v1 requires but the v2 document omits. Only the contract of the game interprets them. */
  readonly extras: JsonObject
  /** Time of the change according to the clock of the feed, ISO 8601. */
  readonly observedAt: string
}

export interface LiveContract<Full = unknown, Document extends JsonObject = JsonObject> {
  readonly game: GameName
  /** Returns true if `text` is the id of a match of this game. */
  isMatchId(text: string): text is MatchId
  /** Key order of the match document in message format v2. */
  readonly layout: Layout
  /** Returns the field `status` of the document: `upcoming`, `live`, `completed` or `cancelled`. */
  statusOf(document: Document): string
  /** Returns the field `source` of the document: the name of the feed in use. */
  sourceOf(document: Document): string
  /**
   * Returns true if the match has reached round `round` of part `part`. A part is a map or a set, depending on the
   * game. Both numbers start at 1.
   */
  isAtOrPast(document: Document, part: number, round: number): boolean
  /**
   * Returns the `extras` of the state after a record. `before` contains the extras of the previous state, or is
   * undefined if the record does not build on the previous record. `internals` is the second line of the record: values
   * that message format v1 requires but the v2 document omits.
   */
  extrasAfter(before: JsonObject | undefined, internals: JsonObject): JsonObject
  /** Returns the match document in message format v1. */
  fullOf(state: LiveState<Document>): Full
  /**
   * Returns the summary of a match for lists that cover several games. It is a subset of the fields of message format
   * v1.
   */
  rowOf(state: LiveState<Document>): JsonObject
  /**
   * Decodes a fact (a reported event) sent by another service. Fails with an error message if the fact is invalid, or
   * if only the server itself may append facts of its type.
   */
  readFact(fact: unknown): Result.Result<ReceivedFact, string>
  /**
   * Returns the JSON text of `fullOf`. The text of each section of the document is cached for as long as the section
   * stays unchanged, so the cost of a change is proportional to the size of the change.
   */
  fullText(state: LiveState<Document>): string
}

/** The contracts of the games that a process serves, by name of the game. */
export type LiveContracts = ReadonlyMap<string, LiveContract>

export const contractsOf = (contracts: Iterable<LiveContract>): LiveContracts =>
  new Map([...contracts].map((contract) => [contract.game, contract]))

/** Values of the field `type` in the messages about matches of a game. */
export interface FrameNames {
  readonly update: string
  readonly snapshot: string
  readonly delta: string
}

/** Returns the message types of a game: `<game>.live.update`, `<game>.live.snapshot` and `<game>.live.delta`. */
export const frameNames = (game: string): FrameNames => {
  let names = known.get(game)
  if (names === undefined) {
    names = { update: `${game}.live.update`, snapshot: `${game}.live.snapshot`, delta: `${game}.live.delta` }
    known.set(game, names)
  }
  return names
}

const known = new Map<string, FrameNames>()
