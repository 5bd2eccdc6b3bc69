/**
 * Reference encoder for the records of LIVE: computes a record from the documents before and after a change. Every
 * other encoder must produce identical records. Benchmarks and tests write to LIVE with it, without running the actor
 * that processes the match.
 */
import { diff } from "@matchpoint/contracts/stream/compact/mergePatch"
import { HASH_EVERY, stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { KEYFRAME_EVERY, type RecordKind, recordText } from "@matchpoint/contracts/stream/record"
import { deltaText } from "@matchpoint/contracts/stream/wire"
import type { MatchId } from "@matchpoint/domain/ids"
import { compactEvent, compactOf } from "./compactOf.ts"
import type { LiveEvent } from "./LiveEvent.ts"
import type { LiveMatch } from "./LiveMatch.ts"

export interface PlainChange {
  readonly matchId: MatchId
  readonly epoch: number
  readonly seq: number
  readonly observedAt: string
  readonly receivedAt: string
  /** Undefined for the first change of an epoch. */
  readonly before: LiveMatch | undefined
  readonly after: LiveMatch
  readonly event?: LiveEvent | null
  /** A keyframe contains the whole document. The first record of each encoder must be one. */
  readonly isKeyframe?: boolean
}

const utf8 = new TextEncoder()

export const changeRecord = ({ after, before, event = null, isKeyframe, ...head }: PlainChange): Uint8Array => {
  const compact = compactOf(after)
  const base = before === undefined ? undefined : compactOf(before)
  const isDue = isKeyframe === true || head.seq % KEYFRAME_EVERY === 0
  const kind: RecordKind = base === undefined ? "first" : !sameOrder(base, compact) ? "replacing" : isDue ? "keyframe" : "change"
  const delta = deltaText("cs2", {
    ...head,
    base: before === undefined ? 0 : head.seq - 1,
    events: event === null ? [] : [compactEvent(event)],
    patch: diff(base ?? {}, compact) ?? {},
    ...(head.seq % HASH_EVERY === 0 ? { hash: stateHash(compact) } : {}),
  })
  const isSameLast = kind === "change" && JSON.stringify(before?.lastEvent) === JSON.stringify(after.lastEvent)
  const { game } = after
  const internals = {
    ...(event === null ? {} : { event }),
    ...(isSameLast ? {} : { last: after.lastEvent }),
    ...(game === null || game.clockEndsAt === null || game.clockSeconds === null ? {} : { clock: game.clockSeconds }),
    ...(after.updatedAt === head.observedAt ? {} : { updatedAt: after.updatedAt }),
  }
  const document = kind === "keyframe" || kind === "replacing" ? { document: JSON.stringify(compact) } : {}
  return utf8.encode(recordText({ kind, delta, internals, ...document }))
}

/** True if the players of the match and of each map are in the same order as before, and new ones come last. */
const sameOrder = (before: ReturnType<typeof compactOf>, after: ReturnType<typeof compactOf>): boolean =>
  inOrder(before.players, after.players) &&
  Object.entries(after.maps).every(([number, map]) => inOrder(before.maps[number]?.players ?? {}, map.players))

const inOrder = (before: object, after: object): boolean => {
  const kept = Object.keys(before).filter((key) => key in after)
  return kept.every((key, at) => Object.keys(after)[at] === key)
}
