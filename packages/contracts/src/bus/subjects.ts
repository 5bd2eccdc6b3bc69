/**
 * Names on the bus: the streams, their subjects, and the message ids that make an append happen once. Every subject is built
 * and parsed here and nowhere else.
 */
import { type GameName, gameOfMatch, MatchId, matchNumber } from "@matchpoint/domain/ids"

const MB = 1024 * 1024

/** Facts from the outside world, per match. */
export const FEED = "FEED"
/** Frames for customers, per match. */
export const LIVE = "LIVE"
/** Which matches there are: one record per announced match. */
export const DIRECTORY = "DIRECTORY"
/** Events that were refused, with the reason. */
export const REJECTED = "REJECTED"

/** What markets quote on matches. */
export const ODDS = "ODDS"

/** Probe records of health checks: each check appends one and waits for a reader to receive it. */
export const HEALTH = "HEALTH"
export const healthSubject = "health"

const HOUR_MS = 3_600_000

/**
 * What each stream keeps. A stream past its bytes or its age forgets its oldest records. The age of LIVE covers the longest match with its
 * breaks, for the archive's timelines; webhooks, resume and backfill need minutes.
 */
export const streams = [
  { name: FEED, subjects: ["feed.*.*"], maxBytes: 512 * MB },
  { name: LIVE, subjects: ["live.*.*.*"], maxBytes: 512 * MB, maxAgeMs: 12 * HOUR_MS },
  { name: DIRECTORY, subjects: ["match.*.*"], maxBytes: 32 * MB },
  { name: REJECTED, subjects: ["feed.rejected"], maxBytes: 32 * MB },
  { name: ODDS, subjects: ["odds.*"], maxBytes: 32 * MB },
  { name: HEALTH, subjects: [healthSubject], maxBytes: 64 * 1024 },
] as const

/**
 * Partitions of LIVE per game. Part of the subjects of every stored record: changing it needs a new stream. A gateway that
 * follows some matches reads their partitions only.
 */
export const LIVE_PARTITIONS = 64

/** The partition of a match, 0 to 63: neighbouring numbers are in different ones. */
export const partitionOf = (match: MatchId): number => matchNumber(match) % LIVE_PARTITIONS

export const feedSubject = (match: MatchId): string => `feed.${gameOfMatch(match)}.${matchNumber(match)}`
export const liveSubject = (match: MatchId): string => `live.${gameOfMatch(match)}.${partitionOf(match)}.${matchNumber(match)}`
export const directorySubject = (match: MatchId): string => `match.${gameOfMatch(match)}.${matchNumber(match)}`
/** Refused events of every game. */
export const rejectedSubject = "feed.rejected"

/** Every match's changes, of every game. */
export const allLive = "live.*.*.*"
/** Every match's changes, of one game. */
export const allLiveOf = (game: GameName): string => `live.${game}.*.*`
/** Every announced match, of every game. */
export const allMatches = "match.*.*"

/** The match of a subject of FEED, DIRECTORY (`<kind>.<game>.<n>`) or LIVE (`live.<game>.<partition>.<n>`); undefined for any other. */
export const matchOfSubject = (subject: string): MatchId | undefined => {
  const [, kindGame, liveGame, number] = matchSubject.exec(subject) ?? []
  const game = kindGame ?? liveGame
  return game === undefined || number === undefined ? undefined : MatchId.make(`${game}-match-${number}`)
}

const matchSubject = /^(?:(?:feed|match)\.([a-z][a-z0-9]{1,15})|live\.([a-z][a-z0-9]{1,15})\.[0-9]{1,3})\.([1-9][0-9]{0,15})$/

/** A fact is appended once however often it is sent. Two feeds may use the same ids: each has its own facts. */
export const feedMessageId = (match: MatchId, factId: string, source: "main" | "backup" = "main"): string =>
  source === "main" ? `${match}:${factId}` : `${match}/backup:${factId}`

/** A frame is published once whoever publishes it. */
export const liveMessageId = (match: MatchId, epoch: number, seq: number): string => `${match}:${epoch}:${seq}`

/** The id of a record that repeats `(match, epoch, seq)` with its document, so that the log keeps one. `n`: another for each repeat. */
export const keptMessageId = (match: MatchId, epoch: number, seq: number, n: number): string =>
  `${liveMessageId(match, epoch, seq)}:keep:${n}`

/** Reads `(match, epoch, seq)` back, of a repeat as well. Undefined for any other id. */
export const cursorOfMessageId = (id: string): { readonly matchId: string; readonly epoch: number; readonly seq: number } | undefined => {
  const [, matchId = "", epoch, seq] = liveId.exec(id) ?? []
  const cursor = { matchId, epoch: Number(epoch), seq: Number(seq) }
  return Number.isSafeInteger(cursor.epoch) && Number.isSafeInteger(cursor.seq) ? cursor : undefined
}

const liveId = /^([^:]+):([0-9]+):([0-9]+)(?::keep:[0-9]+)?$/
