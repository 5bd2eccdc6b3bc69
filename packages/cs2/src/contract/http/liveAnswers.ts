/** Complete responses of the live endpoints in both formats, for the contract and the encoders of the gateway. */
import { NoMeta, Paging, paging, success } from "@matchpoint/contracts/http/envelope"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { MapOfMatch } from "./liveMapModels.ts"
import { LiveEvents, LiveListItem, LivePlayerStats, LiveRounds, LiveSnapshotRow, LiveState, Scoreboard } from "./liveModels.ts"
import {
  FrameMeta,
  LiveEventsV2,
  LiveListMetaV2,
  LiveListV2,
  LiveMapsV2,
  LivePlayerStatsMetaV2,
  LivePlayerStatsV2,
  LiveRoundsV2,
  LiveSnapshotV2,
  LiveStateMetaV2,
  LiveStateV2,
  PagedFrameMeta,
  ScoreboardV2,
} from "./liveModelsV2.ts"
import { LiveTransport } from "./liveTransport.ts"
import { V2_CONTENT_TYPE } from "./shapes.ts"

const PlayerStatsMeta = Schema.Struct({ ...paging, dataAvailable: Schema.Boolean, confirmationMaxAgeMs: Schema.Natural })

export const answersV1 = {
  list: success(Schema.Array(LiveListItem), Paging),
  socket: success(LiveTransport, NoMeta),
  scoreboard: success(Scoreboard, NoMeta),
  state: success(LiveState, NoMeta),
  rounds: success(LiveRounds, Paging),
  events: success(LiveEvents, Paging),
  playerStats: success(LivePlayerStats, PlayerStatsMeta),
  maps: success(Schema.Array(MapOfMatch), NoMeta),
  snapshots: success(Schema.Array(LiveSnapshotRow), Paging),
} as const

const v2 = <Data extends Schema.Top, Meta extends Schema.Top>(data: Data, meta: Meta) =>
  success(data, meta).pipe(HttpApiSchema.asJson({ contentType: V2_CONTENT_TYPE }))

export const answersV2 = {
  list: v2(LiveListV2, LiveListMetaV2),
  socket: v2(LiveTransport, FrameMeta),
  scoreboard: v2(ScoreboardV2, FrameMeta),
  state: v2(LiveStateV2, LiveStateMetaV2),
  rounds: v2(LiveRoundsV2, PagedFrameMeta),
  events: v2(LiveEventsV2, PagedFrameMeta),
  playerStats: v2(LivePlayerStatsV2, LivePlayerStatsMetaV2),
  maps: v2(LiveMapsV2, FrameMeta),
  snapshots: v2(Schema.Array(LiveSnapshotV2), PagedFrameMeta),
} as const

export type LiveRead = keyof typeof answersV1
