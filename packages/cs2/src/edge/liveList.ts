/** `GET /cs2/live`. The row of a match is built once for each new frame of the match. */
import { paginate } from "@matchpoint/contracts/http/envelope"
import { framesTag } from "@matchpoint/game/edge/responses/entityTag"
import type { LiveRooms } from "@matchpoint/realtime/LiveRooms"
import type { HttpServerResponse } from "effect/http"
import { liveLimits } from "../contract/http/LiveApi.ts"
import type { LiveListItem } from "../contract/http/liveModels.ts"
import type { LiveListItemV2 } from "../contract/http/liveModelsV2.ts"
import { type Cs2Room, type Cs2Views, cs2RoomOf } from "./live/Cs2Views.ts"
import { listItemV2 } from "./live/compact.ts"
import { listItem } from "./live/scoreboard.ts"
import { answer, type LiveRequest } from "./liveAnswer.ts"

export const liveListResponse = (
  liveRequest: LiveRequest,
  query: { readonly limit?: number; readonly page?: number },
): HttpServerResponse.HttpServerResponse => {
  const { edge, shape } = liveRequest
  const live = liveOf(edge.rooms)
  const page = paginate(live.rooms, query, { max: liveLimits.list, fallback: liveLimits.list })
  const items = page.items.flatMap(({ views }) => views ?? [])
  const { meta } = page
  const frames = items.map((views) => views.frame)
  // `meta` of format v2 contains the log position, which also changes with frames of matches on other pages.
  const also = shape === "v1" ? [query.page, query.limit] : [query.page, query.limit, edge.rooms.position]
  return answer("list", liveRequest, {
    etag: framesTag(frames, live.rooms.length, { shape, delaySeconds: edge.delaySeconds, also }),
    keepWith: live,
    v1: () => ({ success: true, data: items.map(row), meta }),
    v2: () => ({
      success: true,
      data: Object.fromEntries(items.map((views) => [views.frame.matchId, rowV2(views)])),
      meta: { shape: "v2", position: edge.rooms.position, ...meta },
    }),
  })
}

interface Live {
  readonly revision: number
  readonly rooms: ReadonlyArray<Cs2Room>
}

/** A list changes only with the rooms, so it is cached until the next change of any of them. */
const lists = new WeakMap<LiveRooms, Live>()

const liveOf = (rooms: LiveRooms): Live => {
  const known = lists.get(rooms)
  if (known !== undefined && known.revision === rooms.revision) return known
  const live = { revision: rooms.revision, rooms: rooms.live().flatMap((room) => cs2RoomOf(room) ?? []) }
  lists.set(rooms, live)
  return live
}

const rows = new WeakMap<Cs2Views, LiveListItem>()
const rowsV2 = new WeakMap<Cs2Views, LiveListItemV2>()

const once =
  <Row>(made: WeakMap<Cs2Views, Row>, make: (views: Cs2Views) => Row) =>
  (views: Cs2Views): Row => {
    const known = made.get(views)
    if (known !== undefined) return known
    const row = make(views)
    made.set(views, row)
    return row
  }

const row = once(rows, (views) => listItem(views.match))
const rowV2 = once(rowsV2, listItemV2)
