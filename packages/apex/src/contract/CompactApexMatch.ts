/**
 * Schema of a live lobby in message format v2, the document that deltas patch. It has no nulls: a field without a value is
 * absent. Lists of teams, players and games are objects by number, so that a delta contains only what has changed.
 */
import { Schema, Struct } from "effect"
import {
  LiveApexMatch,
  LiveGame,
  LivePastGame,
  LivePlayer,
  LivePlayerGame,
  LiveRing,
  LiveStanding,
  LiveTeam,
  LiveTeamGame,
  LiveTournament,
  LobbyFormat,
  PastGameTeam,
} from "./LiveApexMatch.ts"

const optional = Schema.optionalKey
const byNumber = <S extends Schema.Top>(schema: S) => Schema.Record(Schema.String, schema)
const { endedAt, readyFor, region, silence, stage, startedAt, suspendedAt, winner } = LiveApexMatch.fields

const CompactTeam = LiveTeam.mapFields(({ id, name }) => ({
  id: optional(id.members[0]),
  name,
  players: byNumber(LivePlayer.mapFields((player) => ({ id: optional(player.id.members[0]), name: player.name }))),
}))

const CompactStanding = LiveStanding.mapFields(({ hms, isOnMatchPoint, kills, points, rank, wins }) => ({
  rank,
  points,
  kills,
  hms: optional(hms.members[0]),
  wins,
  isOnMatchPoint,
}))

const CompactPlayerGame = LivePlayerGame.mapFields(({ damage, legend, player: _, ...counts }) => ({
  legend: optional(legend.members[0]),
  ...counts,
  damage: optional(damage.members[0]),
}))

const CompactTeamGame = LiveTeamGame.mapFields(({ alive, kills, placement }) => ({
  placement: optional(placement.members[0]),
  kills,
  alive,
  players: byNumber(CompactPlayerGame),
}))

const CompactRing = LiveRing.mapFields(({ centre, damagePerTick, radius, ring, state }) => ({
  ring,
  state,
  damagePerTick: optional(damagePerTick.members[0]),
  centre: optional(centre.members[0]),
  radius: optional(radius.members[0]),
}))

const CompactGame = LiveGame.mapFields((fields) => ({
  ...fields,
  bannedLegends: optional(fields.bannedLegends.members[0]),
  ring: optional(CompactRing),
  teams: byNumber(CompactTeamGame),
}))

const CompactPastGame = LivePastGame.mapFields(({ number: _, ...fields }) => ({
  ...fields,
  bannedLegends: optional(fields.bannedLegends.members[0]),
  teams: byNumber(PastGameTeam.mapFields(Struct.omit(["team"]))),
}))

/** The parts of the document for which the layout needs the order of their keys. */
export const compactParts = {
  tournament: LiveTournament.mapFields(({ id, name }) => ({ id: optional(id.members[0]), name })),
  format: LobbyFormat.mapFields(({ games, matchPoint }) => ({ games, matchPoint: optional(matchPoint.members[0]) })),
  team: CompactTeam,
  standing: CompactStanding,
  game: CompactGame,
  ring: CompactRing,
  teamGame: CompactTeamGame,
  playerGame: CompactPlayerGame,
  pastGame: CompactPastGame,
} as const

export const CompactApexMatch = LiveApexMatch.mapFields((fields) => ({
  ...Struct.pick(fields, ["id", "status", "source"]),
  silence: optional(silence.members[0]),
  name: fields.name,
  stage: optional(stage.members[0]),
  region: optional(region.members[0]),
  tournament: compactParts.tournament,
  format: compactParts.format,
  teams: byNumber(CompactTeam),
  standings: byNumber(CompactStanding),
  readyFor: optional(readyFor.members[0]),
  game: optional(CompactGame),
  games: byNumber(CompactPastGame),
  suspendedAt: optional(suspendedAt.members[0]),
  winner: optional(winner.members[0]),
  startedAt: optional(startedAt.members[0]),
  endedAt: optional(endedAt.members[0]),
})).annotate({ identifier: "CompactApexMatch" })
export type CompactApexMatch = typeof CompactApexMatch.Type
