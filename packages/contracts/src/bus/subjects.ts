/**
 * Names on the bus: the streams, their subjects, and the message ids that make an append happen once. Every subject is built
 * and parsed here and nowhere else.
 */
import { type MatchId, matchId as makeMatchId, matchNumber } from "@matchpoint/domain/ids"

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

/** What each stream keeps. A stream past its bound forgets its oldest records. */
export const streams = [
  { name: FEED, subjects: ["feed.cs2.*"], maxBytes: 512 * MB },
  { name: LIVE, subjects: ["live.cs2.*"], maxBytes: 512 * MB },
  { name: DIRECTORY, subjects: ["match.cs2.*"], maxBytes: 32 * MB },
  { name: REJECTED, subjects: ["feed.rejected"], maxBytes: 32 * MB },
  { name: ODDS, subjects: ["odds.cs2"], maxBytes: 32 * MB },
] as const

export const feedSubject = (match: MatchId): string => `feed.cs2.${matchNumber(match)}`
export const liveSubject = (match: MatchId): string => `live.cs2.${matchNumber(match)}`
export const directorySubject = (match: MatchId): string => `match.cs2.${matchNumber(match)}`
export const rejectedSubject = "feed.rejected"
export const oddsSubject = "odds.cs2"

/** Every match's frames. */
export const allLive = "live.cs2.*"
/** Every announced match. */
export const allMatches = "match.cs2.*"

/** The match a subject of the form `<kind>.cs2.<n>` belongs to. */
export const matchOfSubject = (subject: string): MatchId | undefined => {
  const n = subject.slice(subject.lastIndexOf(".") + 1)
  return /^[1-9][0-9]{0,15}$/.test(n) ? makeMatchId(Number(n)) : undefined
}

/** A fact is appended once however often it is sent. Two feeds may use the same ids: each has its own facts. */
export const feedMessageId = (match: MatchId, factId: string, source: "main" | "backup" = "main"): string =>
  source === "main" ? `${match}:${factId}` : `${match}/backup:${factId}`

/** A frame is published once whoever publishes it. */
export const liveMessageId = (match: MatchId, epoch: number, seq: number): string => `${match}:${epoch}:${seq}`

/** Reads `(match, epoch, seq)` back; undefined where the id is none of ours. */
export const cursorOfMessageId = (id: string): { readonly matchId: string; readonly epoch: number; readonly seq: number } | undefined => {
  const parts = id.split(":")
  const [match, epoch, seq] = parts
  if (parts.length !== 3 || match === undefined) return undefined
  const cursor = { matchId: match, epoch: Number(epoch), seq: Number(seq) }
  return Number.isSafeInteger(cursor.epoch) && Number.isSafeInteger(cursor.seq) ? cursor : undefined
}
