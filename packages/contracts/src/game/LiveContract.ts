/**
 * What each game implements so that game-independent code can process its live matches. Pure. Each game exports one
 * value from its own package, which game-independent code never imports.
 *
 * The members are methods rather than function properties, because TypeScript then allows the contract of a particular
 * game to be assigned to `LiveContract`.
 */
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import type { GameName, MatchId } from "@matchpoint/domain/ids"
import type { Result } from "effect"
import type { JsonObject, Layout } from "../stream/compact/mergePatch.ts"

/** The fields that game-independent code reads. Each game has more. */
export interface EventRow {
  readonly eventId: string
}

export interface ReceivedFact {
  readonly event: GameEvent
  /** True if this event creates the match. */
  readonly creates: boolean
}

/** State after a record of the LIVE stream. Immutable. Shares unchanged sections with the previous state. */
export interface LiveState<Document extends JsonObject = JsonObject> {
  /** In message format v2. The keys are in the order in which customers receive them. */
  readonly document: Document
  /** Values that format v1 requires but the v2 document omits. Only the game interprets them. */
  readonly extras: JsonObject
  /** By the clock of the feed, ISO 8601. */
  readonly observedAt: string
}

export interface LiveContract<Full = unknown, Document extends JsonObject = JsonObject> {
  readonly game: GameName
  isMatchId(text: string): text is MatchId
  /** Key order of the document in message format v2. */
  readonly layout: Layout
  /** `upcoming`, `live`, `completed` or `cancelled`. */
  statusOf(document: Document): string
  /** Name of the feed in use. */
  sourceOf(document: Document): string
  /**
   * True if the match has reached round `round` of part `part`, both from 1. A part is a map or a set, depending on the
   * game.
   */
  isAtOrPast(document: Document, part: number, round: number): boolean
  /**
   * `extras` after a record. `before` is undefined if the record does not build on the previous one. `internals` is the
   * second line of the record: values that message format v1 requires but the v2 document omits.
   */
  extrasAfter(before: JsonObject | undefined, internals: JsonObject): JsonObject
  /** In message format v1. */
  fullOf(state: LiveState<Document>): Full
  /** Summary for lists that cover several games: a subset of the fields of message format v1. */
  rowOf(state: LiveState<Document>): JsonObject
  /**
   * Decodes a fact that another service sent. Fails with a message if it is invalid, or if only the server may append
   * facts of its type.
   */
  readFact(fact: unknown): Result.Result<ReceivedFact, string>
  /**
   * JSON of `fullOf`. The text of a section is cached while the section stays unchanged, so the cost of a change is
   * proportional to its size.
   */
  fullText(state: LiveState<Document>): string
}

/** By name of the game. */
export type LiveContracts = ReadonlyMap<string, LiveContract>

export const contractsOf = (contracts: Iterable<LiveContract>): LiveContracts =>
  new Map([...contracts].map((contract) => [contract.game, contract]))

/** Values of `type` in messages about matches of a game. */
export interface FrameNames {
  readonly update: string
  readonly snapshot: string
  readonly delta: string
}

/** `<game>.live.update`, `<game>.live.snapshot` and `<game>.live.delta`. */
export const frameNames = (game: string): FrameNames => {
  let names = known.get(game)
  if (names === undefined) {
    names = { update: `${game}.live.update`, snapshot: `${game}.live.snapshot`, delta: `${game}.live.delta` }
    known.set(game, names)
  }
  return names
}

const known = new Map<string, FrameNames>()
