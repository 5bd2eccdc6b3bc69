/**
 * Ids that all games share: those of matches and of events reported by feeds (facts). The folder of each game defines
 * its other ids (teams, players, maps). A match id is `<game>-match-<n>`; only this file parses it.
 */
import { Schema } from "effect"
import { gameNamePattern, matchIdPattern } from "./idPatterns.ts"

/** Name of a game in ids, NATS subjects and paths: 2 to 16 lower-case letters and digits, starting with a letter. */
export const GameName = Schema.String.check(Schema.isPattern(gameNamePattern)).pipe(Schema.brand("GameName"))
export type GameName = typeof GameName.Type

export const gameName = (text: string): GameName => GameName.make(text)

/** Id of a match of any game, `<game>-match-<n>` with n >= 1. */
export const MatchId = Schema.String.check(Schema.isPattern(matchIdPattern)).pipe(Schema.brand("MatchId"))
export type MatchId = typeof MatchId.Type

/**
 * Id of an event reported by a feed (a fact), unique within a match. If the feed repeats the event, the id is the same.
 */
export const FactId = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9:._-]{1,120}$/u)).pipe(Schema.brand("FactId"))
export type FactId = typeof FactId.Type

export const factId = (text: string): FactId => FactId.make(text)

/** Returns the match id `<game>-match-<n>`. */
export const matchIdOf = (game: GameName, number: number): MatchId => MatchId.make(`${game}-match-${number}`)

/**
 * Returns the name of the game of a match, which is the second token of the match's NATS subjects. Names of games
 * contain no hyphen.
 */
export const gameOfMatch = (id: MatchId): GameName => id.slice(0, id.indexOf("-")) as GameName

/** Returns the number `n` of a match id `<game>-match-<n>`, which is the last token of the match's NATS subjects. */
export const matchNumber = (id: MatchId): number => Number(id.slice(id.lastIndexOf("-") + 1))
