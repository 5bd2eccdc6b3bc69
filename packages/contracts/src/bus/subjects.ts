/**
 * Names on the message bus: streams, subjects, and the message ids that make appends idempotent. The log appends each
 * message id only once. Only this module builds and parses subjects.
 */
import { type GameName, gameOfMatch, type MatchId, matchNumber } from "@matchpoint/domain/ids"

const MB = 1024 * 1024

/** Incoming facts. Each match has its own subject. */
export const FEED = "FEED"
/** Messages for customers about live matches. Each match has its own subject. */
export const LIVE = "LIVE"
/**
 * Newest state of each match, for gateways that do not read the match in LIVE. A match gets an entry when something
 * changes that lists show, and not with every change. Each match has its own subject.
 */
export const ENTRIES = "ENTRIES"
/** One record per announced match. */
export const DIRECTORY = "DIRECTORY"
/** Rejected events with their reasons. */
export const REJECTED = "REJECTED"

export const ODDS = "ODDS"

/** Probe records of health checks: each check appends one and waits until a reader receives it. */
export const HEALTH = "HEALTH"
export const healthSubject = "health"

const HOUR_MS = 3_600_000

/** Increase it with each change of `streams`, so that a process of an older version leaves the new settings as they are. */
export const STREAMS_VERSION = 2

/**
 * Retention of each stream. LIVE keeps 12 hours, because the archive builds the timeline of a match from it, and 12
 * hours cover the longest match including its breaks. The other readers of LIVE (webhooks, resuming clients and
 * backfill) need only the last few minutes.
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
 * Partitions of FEED, LIVE and ENTRIES. A process reads only the partitions of its matches. The partition is part of
 * every stored subject, so changing this number requires new streams.
 */
export const PARTITIONS = 64

/** 0 to 63. Matches with consecutive numbers are in different partitions. */
export const partitionOf = (match: MatchId): number => matchNumber(match) % PARTITIONS

export const feedSubject = (match: MatchId): string => `feed.${gameOfMatch(match)}.${partitionOf(match)}.${matchNumber(match)}`
/** Matches the facts of a partition, of all games. */
export const feedOfPartition = (partition: number): string => `feed.*.${partition}.*`
export const liveSubject = (match: MatchId): string => `live.${gameOfMatch(match)}.${partitionOf(match)}.${matchNumber(match)}`
export const entrySubject = (match: MatchId): string => `entry.${gameOfMatch(match)}.${partitionOf(match)}.${matchNumber(match)}`
export const directorySubject = (match: MatchId): string => `match.${gameOfMatch(match)}.${matchNumber(match)}`
/** Shared by all games. */
export const rejectedSubject = "feed.rejected"

export const allLive = "live.*.*.*"
export const allLiveOf = (game: GameName): string => `live.${game}.*.*`
/** Matches the LIVE records of a partition, of all games. */
export const liveOfPartition = (partition: number): string => `live.*.${partition}.*`
export const allEntries = "entry.*.*.*"
export const allMatches = "match.*.*"

/**
 * Accepts subjects of FEED, LIVE and ENTRIES (`<kind>.<game>.<partition>.<n>`) and of DIRECTORY (`match.<game>.<n>`).
 * Undefined for any other subject.
 */
export const matchOfSubject = (subject: string): MatchId | undefined => {
  const [, listedGame, partitionedGame, number] = matchSubject.exec(subject) ?? []
  const game = listedGame ?? partitionedGame
  // The pattern permits only names and numbers of match ids. A further check would take 1 us.
  return game === undefined || number === undefined ? undefined : (`${game}-match-${number}` as MatchId)
}

/**
 * The subject under which this version reads a record stored under `stored`. Earlier versions stored records as
 * `feed.<game>.<n>` and `live.cs2.<n>`, without the partition.
 */
export const currentSubject = (stored: string): string => {
  const [, kind, game, number] = formerSubject.exec(stored) ?? []
  if (kind === undefined) return stored
  const match = `${game}-match-${number}` as MatchId
  return kind === "feed" ? feedSubject(match) : liveSubject(match)
}

/** Facts that earlier versions have stored. No current subject of FEED matches this filter. */
export const formerFeed = "feed.*.*"

const formerSubject = /^(feed|live)\.([a-z][a-z0-9]{1,15})\.([1-9][0-9]{0,15})$/

const matchSubject = /^(?:match\.([a-z][a-z0-9]{1,15})|(?:feed|live|entry)\.([a-z][a-z0-9]{1,15})\.[0-9]{1,3})\.([1-9][0-9]{0,15})$/

/** Differs between the main and the backup feed, because both may use the same fact ids. */
export const feedMessageId = (match: MatchId, factId: string, source: "main" | "backup" = "main"): string =>
  source === "main" ? `${match}:${factId}` : `${match}/backup:${factId}`

/** Several processes may publish the same frame; it is appended once. */
export const liveMessageId = (match: MatchId, epoch: number, seq: number): string => `${match}:${epoch}:${seq}`

/**
 * Message id of a record that repeats the frame with the complete match document, so that the log always holds a record
 * with the document: before it drops the last one, a new one follows. `n` distinguishes several repeats of one frame.
 */
export const repeatMessageId = (match: MatchId, epoch: number, seq: number, n: number): string =>
  `${liveMessageId(match, epoch, seq)}:keep:${n}`

/** Message id of a list entry with the state after the frame. `position` is the frame's sequence number in LIVE. */
export const entryMessageId = (match: MatchId, epoch: number, seq: number, position: number): string =>
  `${liveMessageId(match, epoch, seq)}:entry:${position}`

/** Position in LIVE from the message id of a list entry. Undefined for any other id. */
export const positionOfEntryId = (id: string): number | undefined => {
  const [, position] = entryId.exec(id) ?? []
  return position === undefined ? undefined : Number(position)
}

const entryId = /:entry:([0-9]{1,15})$/

/** Parses the message id of a frame, a repeat or a list entry. Undefined for any other id. */
export const cursorOfMessageId = (id: string): { readonly matchId: string; readonly epoch: number; readonly seq: number } | undefined => {
  const [, matchId = "", epoch, seq] = liveId.exec(id) ?? []
  const cursor = { matchId, epoch: Number(epoch), seq: Number(seq) }
  return Number.isSafeInteger(cursor.epoch) && Number.isSafeInteger(cursor.seq) ? cursor : undefined
}

const liveId = /^([^:]+):([0-9]+):([0-9]+)(?::(?:keep|entry):[0-9]+)?$/
