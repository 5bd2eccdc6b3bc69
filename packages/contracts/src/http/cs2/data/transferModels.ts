/** Moves of players between teams, and what a client may ask of them: the fields of section 2 of the specification. */
import { PlayerId, TeamId } from "@matchpoint/domain/cs2/ids"
import { Schema } from "effect"
import { Timestamp } from "../../../timestamp.ts"
import { instantOf } from "../../instants.ts"
import { cursorPaging, cursorQuery, Flag } from "../../listing.ts"
import { Confidence, PlayerCard } from "./models.ts"
import { PlayerReference, TeamReference } from "./references.ts"

const nullable = Schema.NullOr
const { optionalKey } = Schema

/** The pseudo team of players who have none. */
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
  detectedAt: Timestamp.annotate({ description: "When the line-ups left no other reading" }),
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
  fromTeamIsNoTeam: Schema.Boolean.annotate({ description: "true: from no team that the archive knows of" }),
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
  computed: Schema.Boolean.annotate({ description: "true: derived from line-ups; false: told by a source" }),
}).annotate({ identifier: "Transfer" })
export type Transfer = typeof Transfer.Type

export const Transfers = Schema.Struct({
  entityType: Schema.Literal("cs2_player_transfers"),
  dataAvailable: Schema.Boolean,
  transfers: Schema.Array(Transfer),
}).annotate({ identifier: "Transfers" })

export const AvailablePaging = Schema.Struct({ ...cursorPaging, dataAvailable: Schema.Boolean }).annotate({ identifier: "AvailablePaging" })

const TeamOrNoTeam = TeamReference.annotate({ description: "Id or slug, or `no-team`" })

/** Both names of a filter may be given; the one that ends in `_id` then counts. */
export const transferQuery = {
  ...cursorQuery,
  after: optionalKey(instantOf("From this time on, ISO 8601; UTC where it names no zone")),
  before: optionalKey(instantOf("Up to this time, it included")),
  from_team: optionalKey(TeamOrNoTeam),
  to_team: optionalKey(TeamOrNoTeam),
  include_computed: optionalKey(Flag).annotate({ description: "Those derived from line-ups; default true" }),
  include_undated: optionalKey(Flag).annotate({ description: "Those without a transferDate, placed by detectedAt; default false" }),
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

/** One stay of a player, or a coach, with a team. */
export const RosterSpell = Schema.Struct({
  playerId: PlayerId,
  playerName: Schema.String,
  player: PlayerCard,
  role: Schema.Literals(["player", "coach"]),
  status: Schema.Literals(["active", "benched", "left"]),
  joinedAt: nullable(Timestamp).annotate({ description: "null: with the team as far back as the archive looks" }),
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
