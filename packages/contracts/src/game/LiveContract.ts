/**
 * The interface that each game implements so that generic code can process its live matches. It defines the key order
 * of the game's document and the conversion to shape v1. Pure. Each game has one value of this type in its own folder.
 * Generic code never imports that folder.
 *
 * The members are methods, not function properties, so that the contract of a game is assignable to `LiveContract`, the
 * type that generic code uses.
 */
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import type { GameName, MatchId } from "@matchpoint/domain/ids"
import type { Result } from "effect"
import type { JsonObject, Layout } from "../stream/compact/mergePatch.ts"

/** The fields of an event row that generic code reads. All other fields belong to the game. */
export interface EventRow {
  readonly eventId: string
}

export interface ToldFact {
  readonly event: GameEvent
  /** True if the fact creates its match. */
  readonly creates: boolean
}

/** State of a match after a record of LIVE. Immutable. Unchanged parts are shared with the previous state. */
export interface LiveState<Document extends JsonObject = JsonObject> {
  /** The document in shape v2, with its keys in the order that customers receive. */
  readonly document: Document
  /** Values of shape v1 that the v2 document omits. Only the contract of the game reads them. */
  readonly extras: JsonObject
  /** Time of the change by the clock of the feed, ISO 8601. */
  readonly observedAt: string
}

export interface LiveContract<Full = unknown, Document extends JsonObject = JsonObject> {
  readonly game: GameName
  /** Returns true if `text` is the id of a match of this game. */
  isMatchId(text: string): text is MatchId
  /** Key order of the document. */
  readonly layout: Layout
  /** Returns `upcoming`, `live`, `completed` or `cancelled`. */
  statusOf(document: Document): string
  /** Returns the name of the feed in use. */
  sourceOf(document: Document): string
  /** Returns true if the match has reached the given round of the given part (map or set). Both are counted from 1. */
  isAtOrPast(document: Document, part: number, round: number): boolean
  /**
   * Returns the extras after a record. `internals` is the second line of the record. `before` is undefined if the
   * record does not build on the previous one.
   */
  extrasAfter(before: JsonObject | undefined, internals: JsonObject): JsonObject
  /** Returns the document in shape v1. */
  fullOf(state: LiveState<Document>): Full
  /** Returns the summary of a match for lists that cover several games: a subset of the fields of shape v1. */
  rowOf(state: LiveState<Document>): JsonObject
  /**
   * Decodes a fact sent by another service. Fails with a description if the fact is invalid or of a type that only the
   * engine may append.
   */
  readFact(fact: unknown): Result.Result<ToldFact, string>
  /**
   * Returns the JSON text of `fullOf`. The text of an unchanged part is cached for as long as the part lives, so the
   * cost of a change is proportional to what changed.
   */
  fullText(state: LiveState<Document>): string
}

/** Contracts of the games that a process serves, by game. */
export type LiveContracts = ReadonlyMap<string, LiveContract>

export const contractsOf = (contracts: Iterable<LiveContract>): LiveContracts =>
  new Map([...contracts].map((contract) => [contract.game, contract]))

/** Message types of the frames of a game. */
export interface FrameNames {
  readonly update: string
  readonly snapshot: string
  readonly delta: string
}

/** Returns `<game>.live.update`, `<game>.live.snapshot` and `<game>.live.delta`. */
export const frameNames = (game: string): FrameNames => {
  let names = known.get(game)
  if (names === undefined) {
    names = { update: `${game}.live.update`, snapshot: `${game}.live.snapshot`, delta: `${game}.live.delta` }
    known.set(game, names)
  }
  return names
}

const known = new Map<string, FrameNames>()
