/**
 * Names on the message bus: streams, subjects, and the message ids that make appends idempotent. Only this module
 * builds and parses subjects.
 */
import { type GameName, gameOfMatch, MatchId, matchNumber } from "@matchpoint/domain/ids"

const MB = 1024 * 1024

/** Stream of incoming facts, one subject per match. */
export const FEED = "FEED"
/** Stream of frames for customers, one subject per match. */
export const LIVE = "LIVE"
/** Stream of existing matches: one record per announced match. */
export const DIRECTORY = "DIRECTORY"
/** Stream of rejected events, with the reason of each. */
export const REJECTED = "REJECTED"

/** Stream of betting odds on matches. */
export const ODDS = "ODDS"

/** Stream of probe records: each health check appends one and waits until a reader receives it. */
export const HEALTH = "HEALTH"
export const healthSubject = "health"

const HOUR_MS = 3_600_000

/**
 * Retention of each stream. A stream that exceeds its bytes or its age drops its oldest records. LIVE keeps 12 hours,
 * which covers the longest match with its breaks: the archive builds timelines from it. Webhooks, resume and backfill
 * need only minutes.
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
 * Partitions of LIVE per game. The partition is part of the subject of every stored record, so a change requires a new
 * stream. A gateway that follows some matches reads only their partitions.
 */
export const LIVE_PARTITIONS = 64

/** Partition of a match, 0 to 63. Matches with consecutive numbers are in different partitions. */
export const partitionOf = (match: MatchId): number => matchNumber(match) % LIVE_PARTITIONS

export const feedSubject = (match: MatchId): string => `feed.${gameOfMatch(match)}.${matchNumber(match)}`
export const liveSubject = (match: MatchId): string => `live.${gameOfMatch(match)}.${partitionOf(match)}.${matchNumber(match)}`
export const directorySubject = (match: MatchId): string => `match.${gameOfMatch(match)}.${matchNumber(match)}`
/** Subject of rejected events, for all games. */
export const rejectedSubject = "feed.rejected"

/** Subject filter for the frames of all matches of all games. */
export const allLive = "live.*.*.*"
/** Subject filter for the frames of all matches of one game. */
export const allLiveOf = (game: GameName): string => `live.${game}.*.*`
/** Subject filter for all announced matches of all games. */
export const allMatches = "match.*.*"

/**
 * Returns the match of a subject in FEED or DIRECTORY (`<kind>.<game>.<n>`) or LIVE (`live.<game>.<partition>.<n>`), or
 * undefined for any other subject.
 */
export const matchOfSubject = (subject: string): MatchId | undefined => {
  const [, kindGame, liveGame, number] = matchSubject.exec(subject) ?? []
  const game = kindGame ?? liveGame
  return game === undefined || number === undefined ? undefined : MatchId.make(`${game}-match-${number}`)
}

const matchSubject = /^(?:(?:feed|match)\.([a-z][a-z0-9]{1,15})|live\.([a-z][a-z0-9]{1,15})\.[0-9]{1,3})\.([1-9][0-9]{0,15})$/

/**
 * Message id of a fact. The log appends a fact once, even if it is sent several times. The main and the backup feed may
 * use the same fact ids: each feed has its own message ids.
 */
export const feedMessageId = (match: MatchId, factId: string, source: "main" | "backup" = "main"): string =>
  source === "main" ? `${match}:${factId}` : `${match}/backup:${factId}`

/** Message id of a frame. The log appends a frame once, even if several processes publish it. */
export const liveMessageId = (match: MatchId, epoch: number, seq: number): string => `${match}:${epoch}:${seq}`

/**
 * Message id of a record that repeats the frame `(match, epoch, seq)` together with its document, so that the log still
 * holds one. Each repeat has another `n`.
 */
export const keptMessageId = (match: MatchId, epoch: number, seq: number, n: number): string =>
  `${liveMessageId(match, epoch, seq)}:keep:${n}`

/** Parses `(match, epoch, seq)` from the message id of a frame or of its repeat. Returns undefined for any other id. */
export const cursorOfMessageId = (id: string): { readonly matchId: string; readonly epoch: number; readonly seq: number } | undefined => {
  const [, matchId = "", epoch, seq] = liveId.exec(id) ?? []
  const cursor = { matchId, epoch: Number(epoch), seq: Number(seq) }
  return Number.isSafeInteger(cursor.epoch) && Number.isSafeInteger(cursor.seq) ? cursor : undefined
}

const liveId = /^([^:]+):([0-9]+):([0-9]+)(?::keep:[0-9]+)?$/
