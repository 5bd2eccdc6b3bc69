/**
 * Names on the message bus: streams, subjects, and the message ids that make appends idempotent. Only this module
 * builds and parses subjects.
 */
import { type GameName, gameOfMatch, type MatchId, matchNumber } from "@matchpoint/domain/ids"

const MB = 1024 * 1024

/** Stream of incoming facts (events reported by the feeds). Each match has its own NATS subject. */
export const FEED = "FEED"
/** Stream of the messages for customers about live matches. Each match has its own NATS subject. */
export const LIVE = "LIVE"
/**
 * Stream of list entries: the newest state of each match, for gateways that do not read the match in LIVE. A match gets an
 * entry when something changes that lists show, and not with every change. Each match has its own NATS subject.
 */
export const ENTRIES = "ENTRIES"
/** Stream that lists the existing matches. It has one record per announced match. */
export const DIRECTORY = "DIRECTORY"
/** Stream of rejected events, with the reason of each. */
export const REJECTED = "REJECTED"

/** Stream of betting odds on matches. */
export const ODDS = "ODDS"

/**
 * Stream of probe records, with which health checks test the bus: each check appends one record and waits until a
 * reader receives it.
 */
export const HEALTH = "HEALTH"
export const healthSubject = "health"

const HOUR_MS = 3_600_000

/**
 * Number of the settings in `streams`. Increase it with each change, so that a process of an older version leaves the
 * new settings as they are.
 */
export const STREAMS_VERSION = 2

/**
 * Retention of each stream. When a stream exceeds its maximum size or age, its oldest records are dropped. The LIVE
 * stream keeps 12 hours, because the archive builds the timeline of a match from it, and 12 hours cover the longest
 * match including its breaks. The other readers of LIVE (webhooks, resuming clients and backfill) need only the last
 * few minutes.
 */
export const streams = [
  { name: FEED, subjects: ["feed.*.*.*"], maxBytes: 512 * MB },
  { name: LIVE, subjects: ["live.*.*.*"], maxBytes: 512 * MB, maxAgeMs: 12 * HOUR_MS },
  { name: ENTRIES, subjects: ["entry.*.*.*"], maxBytes: 64 * MB },
  { name: DIRECTORY, subjects: ["match.*.*"], maxBytes: 32 * MB },
  { name: REJECTED, subjects: ["feed.rejected"], maxBytes: 32 * MB },
  { name: ODDS, subjects: ["odds.*"], maxBytes: 32 * MB },
  { name: HEALTH, subjects: [healthSubject], maxBytes: 64 * 1024 },
] as const

/**
 * Number of partitions of the FEED, LIVE and ENTRIES streams. A process that runs or follows only some matches reads only the
 * partitions of those matches. The partition is part of the NATS subject of every stored record, so changing this
 * number requires new streams.
 */
export const PARTITIONS = 64

/** Returns the partition of a match, 0 to 63. Matches with consecutive numbers are in different partitions. */
export const partitionOf = (match: MatchId): number => matchNumber(match) % PARTITIONS

export const feedSubject = (match: MatchId): string => `feed.${gameOfMatch(match)}.${partitionOf(match)}.${matchNumber(match)}`
/** Subject filter for the facts of all matches of one partition, of all games. */
export const feedOfPartition = (partition: number): string => `feed.*.${partition}.*`
export const liveSubject = (match: MatchId): string => `live.${gameOfMatch(match)}.${partitionOf(match)}.${matchNumber(match)}`
export const entrySubject = (match: MatchId): string => `entry.${gameOfMatch(match)}.${partitionOf(match)}.${matchNumber(match)}`
export const directorySubject = (match: MatchId): string => `match.${gameOfMatch(match)}.${matchNumber(match)}`
/** NATS subject of rejected events, for all games. */
export const rejectedSubject = "feed.rejected"

/** Subject filter for the LIVE records of all matches of all games. */
export const allLive = "live.*.*.*"
/** Subject filter for the LIVE records of all matches of one game. */
export const allLiveOf = (game: GameName): string => `live.${game}.*.*`
/** Subject filter for the LIVE records of all matches of one partition, of all games. */
export const liveOfPartition = (partition: number): string => `live.*.${partition}.*`
/** Subject filter for the list entries of all matches of all games. */
export const allEntries = "entry.*.*.*"
/** Subject filter for all announced matches of all games. */
export const allMatches = "match.*.*"

/**
 * Returns the id of the match that a NATS subject belongs to. Accepts subjects of the FEED, LIVE and ENTRIES streams
 * (`<kind>.<game>.<partition>.<n>`) and of the DIRECTORY stream (`match.<game>.<n>`). Returns undefined for any other
 * subject.
 */
export const matchOfSubject = (subject: string): MatchId | undefined => {
  const [, listedGame, partitionedGame, number] = matchSubject.exec(subject) ?? []
  const game = listedGame ?? partitionedGame
  // The pattern permits only names and numbers of match ids, so the id needs no further check, which would take 1 us.
  return game === undefined || number === undefined ? undefined : (`${game}-match-${number}` as MatchId)
}

/**
 * Returns the subject under which this version reads a record that was stored under `stored`. Earlier versions stored the
 * records of a match as `feed.<game>.<n>` and `live.cs2.<n>`, without the partition.
 */
export const currentSubject = (stored: string): string => {
  const [, kind, game, number] = formerSubject.exec(stored) ?? []
  if (kind === undefined) return stored
  const match = `${game}-match-${number}` as MatchId
  return kind === "feed" ? feedSubject(match) : liveSubject(match)
}

/** Subject filter for the facts that earlier versions have stored. No current subject of FEED matches it. */
export const formerFeed = "feed.*.*"

const formerSubject = /^(feed|live)\.([a-z][a-z0-9]{1,15})\.([1-9][0-9]{0,15})$/

const matchSubject = /^(?:match\.([a-z][a-z0-9]{1,15})|(?:feed|live|entry)\.([a-z][a-z0-9]{1,15})\.[0-9]{1,3})\.([1-9][0-9]{0,15})$/

/**
 * Returns the message id of a fact (a reported event). The log appends each message id only once, so a sender may send
 * the same fact several times. The message ids of the main and the backup feed differ, because both feeds may use the
 * same fact ids.
 */
export const feedMessageId = (match: MatchId, factId: string, source: "main" | "backup" = "main"): string =>
  source === "main" ? `${match}:${factId}` : `${match}/backup:${factId}`

/**
 * Returns the message id of a frame (a record of the LIVE stream). The log appends each message id only once, so
 * several processes may publish the same frame.
 */
export const liveMessageId = (match: MatchId, epoch: number, seq: number): string => `${match}:${epoch}:${seq}`

/**
 * Returns the message id of a record that repeats the frame `(match, epoch, seq)` together with the complete match
 * document. The repeat is appended so that the log always holds a record with the document: before it drops the last
 * such record, a new one follows. `n` distinguishes several repeats of one frame.
 */
export const repeatMessageId = (match: MatchId, epoch: number, seq: number, n: number): string =>
  `${liveMessageId(match, epoch, seq)}:keep:${n}`

/**
 * Returns the message id of a list entry (a record of the ENTRIES stream) with the state of the match after the frame
 * `(match, epoch, seq)`. `position` is the sequence number of that frame in the LIVE stream.
 */
export const entryMessageId = (match: MatchId, epoch: number, seq: number, position: number): string =>
  `${liveMessageId(match, epoch, seq)}:entry:${position}`

/** Returns the position in the LIVE stream that the message id of a list entry contains, or undefined for any other id. */
export const positionOfEntryId = (id: string): number | undefined => {
  const [, position] = entryId.exec(id) ?? []
  return position === undefined ? undefined : Number(position)
}

const entryId = /:entry:([0-9]{1,15})$/

/**
 * Parses `(match, epoch, seq)` from the message id of a frame (a record of the LIVE stream), including one that repeats
 * an earlier frame, or of a list entry. Returns undefined for any other id.
 */
export const cursorOfMessageId = (id: string): { readonly matchId: string; readonly epoch: number; readonly seq: number } | undefined => {
  const [, matchId = "", epoch, seq] = liveId.exec(id) ?? []
  const cursor = { matchId, epoch: Number(epoch), seq: Number(seq) }
  return Number.isSafeInteger(cursor.epoch) && Number.isSafeInteger(cursor.seq) ? cursor : undefined
}

const liveId = /^([^:]+):([0-9]+):([0-9]+)(?::(?:keep|entry):[0-9]+)?$/
