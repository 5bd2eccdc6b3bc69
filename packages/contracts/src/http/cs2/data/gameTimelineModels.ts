/** What happened on a map of the archive: rounds and events. The specification shows no row of a round; it is as in the live section. */
import { GameId, PlayerId, TeamId } from "@matchpoint/domain/cs2/ids"
import { Schema } from "effect"
import { WinTypeName } from "../../../cs2/LiveMatch.ts"
import { Timestamp } from "../../../timestamp.ts"
import { paging } from "../../envelope.ts"
import { cursorPaging } from "../../listing.ts"
import { RoundEndEvent } from "../liveModels.ts"
import { UnavailableReason } from "./models.ts"

const nullable = Schema.NullOr
const Text = Schema.String
const Count = Schema.Natural
const Site = nullable(Schema.Literals(["A", "B"]))

/** What a team had bought for a round. */
export const BuyType = Schema.Literals(["pistol", "eco", "force", "half", "full"])

/** A round that was played. Scores are those after it. */
export const GameRound = Schema.Struct({
  entityType: Schema.Literal("cs2_round"),
  id: Text,
  mapId: GameId,
  round: Count,
  winner: Schema.Literals(["CT", "TERRORIST"]),
  winnerTeamId: TeamId,
  winType: WinTypeName,
  winKind: RoundEndEvent.fields.winKind,
  ctTeamId: TeamId,
  tTeamId: TeamId,
  counterTerroristScore: Count,
  terroristScore: Count,
  team1Score: Count,
  team2Score: Count,
  ctEquipmentValue: nullable(Count),
  tEquipmentValue: nullable(Count),
  ctBuyType: nullable(BuyType),
  tBuyType: nullable(BuyType),
  bombSite: Site,
  durationSeconds: nullable(Schema.Finite),
}).annotate({ identifier: "GameRound" })
export type GameRound = typeof GameRound.Type

/** Answered instead of rows while there are none. */
export const RoundsUnavailable = Schema.Struct({
  dataAvailable: Schema.Literal(false),
  unavailableReason: UnavailableReason,
  dataQuality: Schema.Literal("unavailable"),
  message: Text,
}).annotate({ identifier: "RoundsUnavailable" })

export const RoundsMeta = Schema.Struct({ ...paging, dataAvailable: Schema.Boolean }).annotate({ identifier: "RoundsMeta" })

export const GameEventType = Schema.Literals([
  "Kill",
  "BombPlanted",
  "BombDefused",
  "BombExploded",
  "Flashbang",
  "Smoke",
  "FireGrenade",
  "HeGrenade",
  "Decoy",
  "RoundStart",
  "RoundEnd",
])
export type GameEventType = typeof GameEventType.Type

/** `player*` is who did it. Players alive are those after it. What does not apply (the site of a kill) is the empty text. */
export const GameEvent = Schema.Struct({
  id: Text,
  eventId: Text,
  type: GameEventType,
  eventType: GameEventType,
  round: nullable(Count),
  source: Text,
  payload: Schema.Record(Text, Schema.Unknown),
  bombSite: Schema.Literals(["A", "B", ""]),
  tPlayers: Count,
  ctPlayers: Count,
  observedAt: Timestamp.annotate({ description: "Counted from the start of the map where the source has no times" }),
  playerName: Text.annotate({ description: "The nickname where the name is not known; empty for events without a player" }),
  playerNick: Text,
  /** Ours from here on. */
  clockSeconds: nullable(Schema.Finite),
  playerId: nullable(PlayerId),
  victimPlayerId: nullable(PlayerId),
  victimNick: nullable(Text),
  assisterPlayerId: nullable(PlayerId),
  weapon: nullable(Text),
  headshot: nullable(Schema.Boolean),
}).annotate({ identifier: "GameEvent" })
export type GameEvent = typeof GameEvent.Type

/** `unavailableEventTypes`: types of which this map has none: its source does not tell them, or they did not happen. */
export const GameEventsMeta = Schema.Struct({
  ...cursorPaging,
  dataAvailable: Schema.Boolean,
  source: nullable(Text),
  dataScope: Schema.Literals(["live_feed", "parsed_demo", "none"]),
  unavailableEventTypes: Schema.Array(GameEventType),
}).annotate({ identifier: "GameEventsMeta" })
