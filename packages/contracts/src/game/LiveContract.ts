/**
 * What a game must define so that generic code can carry its live matches: the order of its document's keys, and how shape v1 is made
 * from the document and from what a record holds besides it. Pure. Each game has one value of this type in its own folder; generic
 * code never imports that folder.
 *
 * Members are methods on purpose: the contract of a game is then assignable to `LiveContract`, the type that generic code uses.
 */
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import type { GameName, MatchId } from "@matchpoint/domain/ids"
import type { Result } from "effect"
import type { JsonObject, Layout } from "../stream/compact/mergePatch.ts"

/** What generic code reads of an event row. Everything else in it belongs to the game. */
export interface EventRow {
  readonly eventId: string
}

export interface ToldFact {
  readonly event: GameEvent
  /** It creates its match. */
  readonly creates: boolean
}

/** A match as a record of LIVE leaves it. Never changed; parts that stay the same are shared with the state before. */
export interface LiveState<Document extends JsonObject = JsonObject> {
  /** Shape v2, its keys in the order in which customers get them. */
  readonly document: Document
  /** What shape v1 needs and the document lacks. Only the game's contract looks inside. */
  readonly extras: JsonObject
  /** When it happened, by the feed's clock: ISO 8601. */
  readonly observedAt: string
}

export interface LiveContract<Full = unknown, Document extends JsonObject = JsonObject> {
  readonly game: GameName
  /** True for an id of a match of this game. */
  isMatchId(text: string): text is MatchId
  /** Order of the document's keys. */
  readonly layout: Layout
  /** `upcoming`, `live`, `completed` or `cancelled`. */
  statusOf(document: Document): string
  /** The feed in use. */
  sourceOf(document: Document): string
  /** Whether the match has got as far as a round of a part (map, set), each counted from 1. */
  isAtOrPast(document: Document, part: number, round: number): boolean
  /** The extras after a record. `internals`: the record's second line; `before`: undefined for a record that stands for itself. */
  extrasAfter(before: JsonObject | undefined, internals: JsonObject): JsonObject
  /** The document in shape v1. */
  fullOf(state: LiveState<Document>): Full
  /** What a list of matches of several games shows of one, in shape v1: the fields that a list needs, of the document's. */
  rowOf(state: LiveState<Document>): JsonObject
  /** A fact as another service tells it. Fails with what is wrong with it; what only the engine itself may append is wrong, too. */
  readFact(fact: unknown): Result.Result<ToldFact, string>
  /** JSON of `fullOf`. Texts of unchanged parts are kept for as long as the parts live, so that a step costs what is new in it. */
  fullText(state: LiveState<Document>): string
}

/** The contracts of the games that a process serves. */
export type LiveContracts = ReadonlyMap<string, LiveContract>

export const contractsOf = (contracts: Iterable<LiveContract>): LiveContracts =>
  new Map([...contracts].map((contract) => [contract.game, contract]))

/** Type names of a game's frames. */
export interface FrameNames {
  readonly update: string
  readonly snapshot: string
  readonly delta: string
}

/** `<game>.live.update`, `<game>.live.snapshot`, `<game>.live.delta`. */
export const frameNames = (game: string): FrameNames => {
  let names = known.get(game)
  if (names === undefined) {
    names = { update: `${game}.live.update`, snapshot: `${game}.live.snapshot`, delta: `${game}.live.delta` }
    known.set(game, names)
  }
  return names
}

const known = new Map<string, FrameNames>()
