/**
 * Ids that all games share. Each game defines its other ids (teams, players, maps). A match id is `<game>-match-<n>`;
 * only this file parses it.
 */
import { Schema } from "effect"
import { gameNamePattern, matchIdPattern } from "./idPatterns.ts"

/** Name of a game in ids, NATS subjects and paths. */
export const GameName = Schema.String.check(Schema.isPattern(gameNamePattern)).pipe(Schema.brand("GameName"))
export type GameName = typeof GameName.Type

export const gameName = (text: string): GameName => GameName.make(text)

export const MatchId = Schema.String.check(Schema.isPattern(matchIdPattern)).pipe(Schema.brand("MatchId"))
export type MatchId = typeof MatchId.Type

/** Unique within a match. A fact that the feed repeats has the same id. */
export const FactId = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9:._-]{1,120}$/u)).pipe(Schema.brand("FactId"))
export type FactId = typeof FactId.Type

export const factId = (text: string): FactId => FactId.make(text)

export const matchIdOf = (game: GameName, number: number): MatchId => MatchId.make(`${game}-match-${number}`)

/** The second token of the match's NATS subjects. Names of games contain no hyphen. */
export const gameOfMatch = (id: MatchId): GameName => id.slice(0, id.indexOf("-")) as GameName

/** The number `n`, which is the last token of the match's NATS subjects. */
export const matchNumber = (id: MatchId): number => Number(id.slice(id.lastIndexOf("-") + 1))
