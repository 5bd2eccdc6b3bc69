/**
 * Response of `GET /cs2/live/{matchId}/snapshots`: the frames in the ring buffer (recent frames) of the match, oldest
 * first. Not cached, because a page can be a megabyte and is rarely requested twice. Rows are encoded in slices, so
 * that the event loop can serve sockets between two slices.
 */
import { paginate } from "@matchpoint/contracts/http/envelope"
import { ValidationError } from "@matchpoint/contracts/http/errors"
import { readInstant, readRangeEnd } from "@matchpoint/contracts/http/instants"
import { historyStart } from "@matchpoint/domain/plans"
import { frameTag } from "@matchpoint/game/edge/responses/entityTag"
import type { Frame } from "@matchpoint/realtime/Frame"
import { Clock, Effect, Schema } from "effect"
import { liveLimits } from "../contract/http/LiveApi.ts"
import { LiveSnapshotRow } from "../contract/http/liveModels.ts"
import { LiveSnapshotV2 } from "../contract/http/liveModelsV2.ts"
import type { LiveMatch } from "../contract/LiveMatch.ts"
import { asCs2, type Cs2Room, type Cs2Views } from "./live/Cs2Views.ts"
import { frameMeta, snapshotV2 } from "./live/compact.ts"
import { eventsAt, selectFrames } from "./live/snapshots.ts"
import { snapshotRow } from "./live/state.ts"
import { hasIt, type LiveRequest, unchanged, whole } from "./liveAnswer.ts"

/** Rows encoded before the event loop gets a turn: about half a millisecond. */
const ROWS_PER_SLICE = 5

export interface SnapshotQuery {
  readonly from?: string
  readonly to?: string
  readonly source?: LiveMatch["source"]
  readonly limit?: number
  readonly page?: number
}

const encodeRow = Schema.encodeSync(LiveSnapshotRow)
const encodeRowV2 = Schema.encodeSync(LiveSnapshotV2)

export const answerSnapshots = Effect.fnUntraced(function* (
  liveRequest: LiveRequest,
  { room, views }: { readonly room: Cs2Room; readonly views: Cs2Views },
  query: SnapshotQuery,
) {
  const from = query.from === undefined ? Number.NEGATIVE_INFINITY : readInstant(query.from)
  const to = query.to === undefined ? Number.POSITIVE_INFINITY : readRangeEnd(query.to)
  if (from > to) return yield* ValidationError.because("from must not be later than to", { from: query.from, to: query.to })
  const { shape, edge, plan } = liveRequest
  const kept = room.ring.toArray()
  // Excludes frames older than the caller's plan allows. Matters only on a server that keeps frames for months: by
  // default, every frame in the ring buffer is recent enough for every plan.
  const oldest = historyStart(plan, yield* Clock.currentTimeMillis)
  const viewsOf = (frame: Frame) => edge.rooms.viewsOf(frame)
  const frames = selectFrames(kept, { from: Math.max(from, oldest), to, source: query.source }, viewsOf)
  const { items, meta } = paginate(frames, query, { max: liveLimits.snapshots, fallback: liveLimits.snapshots })
  // The tag has the oldest frame, because frames expire from the ring buffer even if no new one arrives. It has the
  // number of events, because rows show events, and a gateway that started later has fewer of them.
  const also = [query.page, query.limit, query.source, frames.length, frames[0]?.seq, room.events.length]
  const etag = frameTag(views.frame, { shape, delaySeconds: edge.delaySeconds, also })
  if (hasIt(liveRequest, etag)) return unchanged(etag)

  const events = shape === "v1" ? eventsAt(items, kept, room.events) : []
  const rowOf = (frame: Frame, index: number) => {
    const then = asCs2(viewsOf(frame))
    return shape === "v1" ? encodeRow(snapshotRow(frame, then.match, events[index] ?? [])) : encodeRowV2(snapshotV2(then))
  }
  const rows: Array<string> = []
  for (const [index, frame] of items.entries()) {
    if (index > 0 && index % ROWS_PER_SLICE === 0) yield* Effect.yieldNow
    rows.push(JSON.stringify(rowOf(frame, index)))
  }
  const metaText = JSON.stringify(shape === "v1" ? meta : { ...frameMeta(views.head), ...meta })
  return whole(shape, etag, `{"success":true,"data":[${rows.join(",")}],"meta":${metaText}}`)
})
