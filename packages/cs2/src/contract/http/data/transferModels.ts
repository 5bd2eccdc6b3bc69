/** Models and query parameters of transfers, with the fields of section 2 of the API specification. */
import { instantOf } from "@matchpoint/contracts/http/instants"
import { cursorPaging, cursorQuery, Flag } from "@matchpoint/contracts/http/listing"
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { PlayerId, TeamId } from "../../../rules/ids.ts"
import { Confidence, PlayerCard } from "./models.ts"
import { PlayerReference, TeamReference } from "./references.ts"

const nullable = Schema.NullOr
const { optionalKey } = Schema

/** Team of a player who joins from no team or leaves without a new one. */
export const NO_TEAM = "no-team"

const TeamOrNone = Schema.Union([TeamId, Schema.Literal(NO_TEAM)])

export const RosterChange = Schema.Struct({
  changeId: Schema.String.annotate({ format: "uuid" }),
  changeType: Schema.Literals(["join", "leave", "coach", "bench"]),
  teamId: TeamId,
  fromTeamId: nullable(TeamId),
  toTeamId: nullable(TeamId),
  teamName: Schema.String,
  playerId: PlayerId,
  playerName: Schema.String,
  roleBefore: nullable(Schema.String),
  roleAfter: nullable(Schema.String),
  effectiveAt: Timestamp,
  detectedAt: Timestamp.annotate({ description: "Time from which the line-ups prove the change" }),
  confidence: Confidence,
}).annotate({ identifier: "RosterChange" })
export type RosterChange = typeof RosterChange.Type

export const RosterChanges = Schema.Struct({
  entityType: Schema.Literal("cs2_roster_changes"),
  dataAvailable: Schema.Boolean,
  changes: Schema.Array(RosterChange),
}).annotate({ identifier: "RosterChanges" })

export const TransferStatus = Schema.Literals(["joined", "left", "transferred", "benched", "loan"])
export type TransferStatus = typeof TransferStatus.Type

export const Transfer = Schema.Struct({
  transferKey: Schema.String,
  playerId: PlayerId,
  playerName: Schema.String,
  playerImageUrl: nullable(Schema.String),
  fromTeamId: TeamOrNone,
  fromTeamName: Schema.String,
  fromTeamLogoUrl: nullable(Schema.String),
  fromTeamAlternateLogoUrl: nullable(Schema.String),
  fromTeamDarkUiLogoUrl: nullable(Schema.String),
  fromTeamIsNoTeam: Schema.Boolean.annotate({ description: "true if the previous team is unknown or there was none" }),
  toTeamId: TeamOrNone,
  toTeamName: Schema.String,
  toTeamLogoUrl: nullable(Schema.String),
  toTeamAlternateLogoUrl: nullable(Schema.String),
  toTeamDarkUiLogoUrl: nullable(Schema.String),
  toTeamIsNoTeam: Schema.Boolean,
  status: TransferStatus,
  role: nullable(Schema.String),
  transferDate: nullable(Timestamp),
  joinDate: nullable(Timestamp),
  leaveDate: nullable(Timestamp),
  detectedAt: Timestamp,
  computed: Schema.Boolean.annotate({ description: "true: derived from line-ups; false: reported by a source" }),
}).annotate({ identifier: "Transfer" })
export type Transfer = typeof Transfer.Type

export const Transfers = Schema.Struct({
  entityType: Schema.Literal("cs2_player_transfers"),
  dataAvailable: Schema.Boolean,
  transfers: Schema.Array(Transfer),
}).annotate({ identifier: "Transfers" })

export const AvailablePaging = Schema.Struct({ ...cursorPaging, dataAvailable: Schema.Boolean }).annotate({ identifier: "AvailablePaging" })

const TeamOrNoTeam = TeamReference.annotate({ description: "Id or slug, or `no-team`" })

/** Query parameters of transfers. Each filter has two names. If both are given, the one that ends in `_id` is used. */
export const transferQuery = {
  ...cursorQuery,
  after: optionalKey(instantOf("Start of the time range, inclusive, ISO 8601. UTC if it has no zone")),
  before: optionalKey(instantOf("End of the time range, inclusive, ISO 8601. UTC if it has no zone")),
  from_team: optionalKey(TeamOrNoTeam),
  to_team: optionalKey(TeamOrNoTeam),
  include_computed: optionalKey(Flag).annotate({ description: "Whether to include transfers derived from line-ups. Default true" }),
  include_undated: optionalKey(Flag).annotate({
    description: "Whether to include transfers without a `transferDate`, sorted by `detectedAt`. Default false",
  }),
  player: optionalKey(PlayerReference),
  player_id: optionalKey(PlayerReference),
  status: optionalKey(TransferStatus),
  team: optionalKey(TeamReference),
  team_id: optionalKey(TeamReference),
} as const

export const TransferSort = Schema.Literals(["newest", "oldest"])

export const rosterChangeQuery = {
  ...cursorQuery,
  playerId: optionalKey(PlayerReference),
  teamId: optionalKey(TeamReference),
} as const

/** A continuous period during which a player or coach belonged to a team. */
export const RosterSpell = Schema.Struct({
  playerId: PlayerId,
  playerName: Schema.String,
  player: PlayerCard,
  role: Schema.Literals(["player", "coach"]),
  status: Schema.Literals(["active", "benched", "left"]),
  joinedAt: nullable(Timestamp).annotate({ description: "null if the player was already with the team when the archive starts" }),
  leftAt: nullable(Timestamp),
  benchedAt: nullable(Timestamp),
  firstMatchAt: Timestamp,
  lastMatchAt: Timestamp,
  matches: Schema.Natural,
  confidence: Confidence,
}).annotate({ identifier: "RosterSpell" })
export type RosterSpell = typeof RosterSpell.Type

export const RosterHistory = Schema.Struct({
  entityType: Schema.Literal("cs2_roster_history"),
  teamId: TeamId,
  teamName: Schema.String,
  dataAvailable: Schema.Boolean,
  spells: Schema.Array(RosterSpell),
}).annotate({ identifier: "RosterHistory" })
export type RosterHistory = typeof RosterHistory.Type
