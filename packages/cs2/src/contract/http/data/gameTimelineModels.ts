/** Rounds and events of a map. The API specification defines no fields of a round: they are those of the live section. */
import { paging } from "@matchpoint/contracts/http/envelope"
import { cursorPaging } from "@matchpoint/contracts/http/listing"
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { GameId, PlayerId, TeamId } from "../../../rules/ids.ts"
import { WinTypeName } from "../../LiveMatch.ts"
import { RoundEndEvent } from "../liveModels.ts"
import { UnavailableReason } from "./models.ts"

const nullable = Schema.NullOr
const Text = Schema.String
const Count = Schema.Natural
const Site = nullable(Schema.Literals(["A", "B"]))

/** Classification of a team's purchases for a round. */
export const BuyType = Schema.Literals(["pistol", "eco", "force", "half", "full"])

/** A completed round. All scores include the result of the round. */
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

/** Response that is sent instead of the list of rounds if the rounds of a map are not available. */
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

/**
 * An event of a map. The fields `player*` describe the player who caused it. `tPlayers` and `ctPlayers` count players
 * alive after the event. A text field that does not apply, such as the bomb site of a kill, is empty.
 */
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
  observedAt: Timestamp.annotate({ description: "Time of the event. If the source has no times, it is counted from the start of the map" }),
  playerName: Text.annotate({
    description: "Name of the player, or the nickname if the name is unknown. Empty for events without a player",
  }),
  playerNick: Text,
  /** The API specification does not define the fields below. */
  clockSeconds: nullable(Schema.Finite),
  playerId: nullable(PlayerId),
  victimPlayerId: nullable(PlayerId),
  victimNick: nullable(Text),
  assisterPlayerId: nullable(PlayerId),
  weapon: nullable(Text),
  headshot: nullable(Schema.Boolean),
}).annotate({ identifier: "GameEvent" })
export type GameEvent = typeof GameEvent.Type

/** `unavailableEventTypes`: types that do not occur on this map, whether or not the source reports them. */
export const GameEventsMeta = Schema.Struct({
  ...cursorPaging,
  dataAvailable: Schema.Boolean,
  source: nullable(Text),
  dataScope: Schema.Literals(["live_feed", "parsed_demo", "none"]),
  unavailableEventTypes: Schema.Array(GameEventType),
}).annotate({ identifier: "GameEventsMeta" })
