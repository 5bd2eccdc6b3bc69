/**
 * Models of the live section in response format v2: excerpts of `CompactMatch`, the document to which the streams apply
 * patches. Unknown values are absent, so there is no list of unavailable fields. Lists are objects keyed by id or
 * number. `meta` identifies the stream message on which the response is based. Later releases may add fields but will
 * not change or remove any.
 */
import { paging } from "@matchpoint/contracts/http/envelope"
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { MatchId, PlayerId, TeamId } from "../../rules/ids.ts"
import { CompactEvent, CompactMap, CompactMatch, CompactPlayer, CompactRound } from "../CompactMatch.ts"
import { LiveSource, MatchStatus } from "../LiveMatch.ts"
import { Coverage, UnavailableReason } from "./liveModels.ts"

const Count = Schema.Natural
const optional = Schema.optionalKey

/** Frame (message of the live stream) of the response. `(epoch, seq)` is a cursor: the stream can resume after it. */
const frame = {
  epoch: Count,
  seq: Count,
  position: Count,
  observedAt: Timestamp,
  receivedAt: Timestamp,
  publishedAt: Timestamp,
} as const

const shape = { shape: Schema.Literal("v2") } as const

export const FrameMeta = Schema.Struct({ ...shape, ...frame }).annotate({ identifier: "FrameMeta" })
export type FrameMeta = typeof FrameMeta.Type

export const PagedFrameMeta = Schema.Struct({ ...shape, ...frame, ...paging }).annotate({ identifier: "PagedFrameMeta" })

const availability = {
  source: LiveSource,
  coverage: Coverage,
  dataAvailable: Schema.Boolean,
  unavailableReason: optional(UnavailableReason),
} as const

const { maps: _, players: __, rounds: ___, unavailableFields: ____, ...summary } = CompactMatch.fields

/** The match document without its players, rounds and maps, plus the newest frame of the match. */
export const LiveListItemV2 = Schema.Struct({ ...summary, coverage: Coverage, ...frame }).annotate({ identifier: "LiveMatchV2" })
export type LiveListItemV2 = typeof LiveListItemV2.Type

export const LiveListV2 = Schema.Record(MatchId, LiveListItemV2)

/** `position` is the newest frame of all matches. A client of the room `all` (all matches) can resume after it. */
export const LiveListMetaV2 = Schema.Struct({ ...shape, position: Count, ...paging }).annotate({ identifier: "LiveListMetaV2" })

export const ScoreboardV2 = Schema.Struct({
  ...summary,
  players: CompactMatch.fields.players,
  coverage: Coverage,
  dataAvailable: Schema.Boolean,
  unavailableReason: optional(UnavailableReason),
  /**
   * Time from the event until its receipt by this service, in milliseconds. The time of the event is that reported by
   * the game server or observer.
   */
  latencyMs: Count,
  lastEvent: optional(CompactEvent),
}).annotate({ identifier: "ScoreboardV2" })
export type ScoreboardV2 = typeof ScoreboardV2.Type

/** Clients can apply the patches of `cs2.live.delta` to it. `meta.hash` is the state hash of this document. */
export const LiveStateV2 = CompactMatch.annotate({ identifier: "LiveStateV2" })
export const LiveStateMetaV2 = Schema.Struct({ ...shape, ...frame, hash: Schema.String }).annotate({ identifier: "LiveStateMetaV2" })

export const LiveRoundsV2 = Schema.Struct({
  matchId: MatchId,
  mapNumber: Count,
  currentRound: Count,
  ...availability,
  /** Rounds of the map, keyed by round number. */
  rounds: Schema.Record(Schema.String, CompactRound),
}).annotate({ identifier: "LiveRoundsV2" })
export type LiveRoundsV2 = typeof LiveRoundsV2.Type

export const LiveEventsV2 = Schema.Struct({ matchId: MatchId, ...availability, events: Schema.Array(CompactEvent) }).annotate({
  identifier: "LiveEventsV2",
})
export type LiveEventsV2 = typeof LiveEventsV2.Type

export const LivePlayerStatsV2 = Schema.Struct({
  matchId: MatchId,
  status: MatchStatus,
  isCurrent: Schema.Boolean,
  ...availability,
  lastVerified: Timestamp,
  /** Players of the match, keyed by player id. */
  players: Schema.Record(PlayerId, CompactPlayer),
}).annotate({ identifier: "LivePlayerStatsV2" })
export type LivePlayerStatsV2 = typeof LivePlayerStatsV2.Type

export const LivePlayerStatsMetaV2 = Schema.Struct({
  ...shape,
  ...frame,
  ...paging,
  dataAvailable: Schema.Boolean,
  confirmationMaxAgeMs: Count,
}).annotate({ identifier: "LivePlayerStatsMetaV2" })

export const MapV2 = Schema.Struct({
  ...CompactMap.fields,
  mapImageUrl: Schema.String,
  bombEvents: Schema.Array(CompactEvent),
  /** Bomb statistics on the map, keyed by team id. */
  objectives: Schema.Record(TeamId, Schema.Struct({ plants: Count, defuses: Count, explosions: Count, clutchDefuses: Count })),
  /** Weapon statistics on the map, keyed by weapon name. */
  weapons: Schema.Record(Schema.String, Schema.Struct({ kills: Count, headshots: Count })),
  dataQuality: Schema.Literals(["complete", "partial", "unavailable"]),
}).annotate({ identifier: "MapV2" })
export type MapV2 = typeof MapV2.Type

/** Maps of the match, keyed by map number. */
export const LiveMapsV2 = Schema.Record(Schema.String, MapV2)

/** A frame (a message of the live stream) from the last minutes of a match, with the complete match document. */
export const LiveSnapshotV2 = Schema.Struct({ snapshotId: Schema.String, ...frame, coverage: Coverage, match: LiveStateV2 }).annotate({
  identifier: "LiveSnapshotV2",
})
export type LiveSnapshotV2 = typeof LiveSnapshotV2.Type
