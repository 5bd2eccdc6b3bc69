/**
 * The matches that the conformance tests play: every recorded file available, the hand-written samples, and a simulated
 * match that switches to its backup feed.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createdEvent } from "@matchpoint/cs2/feed/adapters/Recording"
import { cs2Recordings } from "@matchpoint/cs2/feed/replay/cs2Recordings"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import { foldAll } from "@matchpoint/cs2/rules/live/fold"
import { factId, type MatchId } from "@matchpoint/domain/ids"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { recognize } from "@matchpoint/service-feed/replay/recognize"
import { Result } from "effect"
import { simulatedEvents } from "../fixtures/simulated.ts"

export interface Played {
  readonly id: MatchId
  /** File name, or a description of the match. */
  readonly name: string
  /** Kind of feed. */
  readonly format: string
  readonly events: ReadonlyArray<FeedEvent>
  /** For each checkpoint of the match: number of facts published so far, and seq of the state at that point. */
  readonly points: ReadonlyArray<{ readonly facts: number; readonly seq: number }>
}

/** Points at which a match is checked, as shares of its facts. At the first, only the match itself is known. */
export const shares = [0, 0.25, 0.6, 1] as const

/**
 * Settings of the match service for these matches. They are played faster than they happened, so a watchdog, which measures
 * real silence, would add events of its own.
 */
export const unwatched = MatchConfig.layerWith({ watchEvery: "1 hour" })

const samples = fileURLToPath(new URL("../fixtures/cs2", import.meta.url))
const folders = ["logs", "matches", "scorebot", "gsi"]

export const played = (dataDirectory: string | null): ReadonlyArray<Played> => {
  const recorded =
    dataDirectory === null
      ? []
      : folders.flatMap((folder) => filesIn(join(dataDirectory, "cs2", folder)).filter((file) => !file.endsWith(".md")))
  return [...filesIn(samples), ...recorded].map((file, index) => fromFile(matchId(6_001 + index), file)).concat(onBackup(backupMatch))
}

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder)
    .sort()
    .map((file) => join(folder, file))

const fromFile = (id: MatchId, file: string): Played => {
  const recording = Result.getOrThrow(recognize([cs2Recordings], readFileSync(file)))
  const events: Array<FeedEvent> = [createdEvent(id, recording.created, recording.startedAt)]
  for (const step of recording.play(id)) events.push(...step.events)
  return withPoints(id, file.slice(file.lastIndexOf("/") + 1), recording.format, events)
}

/** Shares at which the simulated match loses its main feed and gets it back. */
export const backupFrom = 0.4
export const backupUntil = 0.8
export const backupMatch = matchId(6_900)

const onBackup = (id: MatchId): Played => {
  const events = simulatedEvents(77, id)
  const at = (share: number) => Math.floor(events.length * share)
  const change = (name: string, source: "live" | "live_backup", observedAt: number): FeedEvent => ({
    id: factId(name),
    matchId: id,
    source: "main",
    observedAt,
    receivedAt: observedAt,
    type: "SourceChanged",
    payload: { source },
  })
  const time = (index: number) => events[index]?.observedAt ?? 0
  return withPoints(id, "simulated, on its backup feed", "backup", [
    ...events.slice(0, at(backupFrom)),
    change("conformance:quiet", "live_backup", time(at(backupFrom))),
    ...events.slice(at(backupFrom), at(backupUntil)),
    change("conformance:back", "live", time(at(backupUntil))),
    ...events.slice(at(backupUntil)),
  ])
}

const withPoints = (id: MatchId, name: string, format: string, events: ReadonlyArray<FeedEvent>): Played => ({
  id,
  name,
  format,
  events,
  points: shares.map((share) => {
    const facts = Math.max(1, Math.floor(events.length * share))
    return { facts, seq: foldAll(undefined, events.slice(0, facts))?.seq ?? 0 }
  }),
})
