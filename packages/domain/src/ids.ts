/**
 * The ids that every game shares: matches and facts. The ids of a game's own things (teams, players, maps) are in its folder.
 * A match id is `<game>-match-<n>`: only this file takes it apart.
 */
import { Schema } from "effect"
import { gameNamePattern, matchIdPattern } from "./idPatterns.ts"

/** A game's name in ids, bus subjects and paths: 2 to 16 lower-case letters and digits, a letter first. */
export const GameName = Schema.String.check(Schema.isPattern(gameNamePattern)).pipe(Schema.brand("GameName"))
export type GameName = typeof GameName.Type

export const gameName = (text: string): GameName => GameName.make(text)

/** `<game>-match-<n>`, n >= 1: a match of any game. */
export const MatchId = Schema.String.check(Schema.isPattern(matchIdPattern)).pipe(Schema.brand("MatchId"))
export type MatchId = typeof MatchId.Type

/** The stable id of one fact: the same fact, sent again, carries the same id. Unique within a match. */
export const FactId = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9:._-]{1,120}$/u)).pipe(Schema.brand("FactId"))
export type FactId = typeof FactId.Type

export const factId = (text: string): FactId => FactId.make(text)

/** `<game>-match-<n>` of a game and a number. */
export const matchIdOf = (game: GameName, number: number): MatchId => MatchId.make(`${game}-match-${number}`)

/** The game of a match, the second token of its bus subjects. No game's name holds a hyphen. */
export const gameOfMatch = (id: MatchId): GameName => id.slice(0, id.indexOf("-")) as GameName

/** The number in `<game>-match-<n>`, the last token of the match's bus subjects. */
export const matchNumber = (id: MatchId): number => Number(id.slice(id.lastIndexOf("-") + 1))
