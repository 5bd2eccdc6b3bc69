/** `GET /cs2/live/{matchId}/snapshots`: the frames of the match's ring, oldest first. Not kept: each answer is asked for once. */

import { readInstant } from "@matchpoint/contracts/http/cs2/instants"
import { liveLimits } from "@matchpoint/contracts/http/cs2/LiveApi"
import { paginate } from "@matchpoint/contracts/http/envelope"
import { BadRequest } from "@matchpoint/contracts/http/errors"
import type { LiveMatch } from "@matchpoint/contracts/stream/LiveMatch"
import { documentOf } from "@matchpoint/realtime/Frame"
import type { MatchRoom, Views } from "@matchpoint/realtime/MatchRoom"
import { Effect } from "effect"
import { frameMeta, snapshotV2 } from "../live/compact.ts"
import { eventsAt, selectFrames } from "../live/snapshots.ts"
import { snapshotRow } from "../live/state.ts"
import { frameTag } from "./entityTag.ts"
import { type Asked, answer } from "./liveAnswer.ts"

export interface SnapshotQuery {
  readonly from?: string
  readonly to?: string
  readonly source?: LiveMatch["source"]
  readonly limit?: number
  readonly page?: number
}

export const answerSnapshots = Effect.fnUntraced(function* (
  asked: Asked,
  { room, views }: { readonly room: MatchRoom; readonly views: Views },
  query: SnapshotQuery,
) {
  const from = query.from === undefined ? Number.NEGATIVE_INFINITY : readInstant(query.from)
  const to = query.to === undefined ? Number.POSITIVE_INFINITY : readInstant(query.to)
  if (from > to) return yield* BadRequest.because("from lies after to", { from: query.from, to: query.to })
  const kept = room.ring.toArray()
  const frames = selectFrames(kept, { from, to, source: query.source })
  const { items, meta } = paginate(frames, query, { max: liveLimits.snapshots, fallback: liveLimits.snapshots })
  // Old frames leave the ring by age, also when nothing new comes.
  const also = [query.page, query.limit, query.source, frames.length, frames[0]?.seq]
  return answer("snapshots", asked, {
    etag: frameTag(views.frame, { shape: asked.shape, delaySeconds: asked.edge.delaySeconds, also }),
    v1: () => {
      const events = eventsAt(items, kept, room.events)
      return { success: true, data: items.map((frame, index) => snapshotRow(frame, documentOf(frame), events[index] ?? [])), meta }
    },
    v2: () => ({ success: true, data: items.map(snapshotV2), meta: { ...frameMeta(views.head), ...meta } }),
  })
})
