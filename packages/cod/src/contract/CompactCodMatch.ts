/**
 * Schema of a live Call of Duty match in message format v2, the document that deltas patch. It has no nulls: a field
 * without a value is absent. Players are an object by id and maps an object by number, so that a delta contains the
 * changed ones only.
 */
import { Schema, Struct } from "effect"
import { PlayerId } from "../rules/live/registry.ts"
import {
  CodCurrentMap,
  CodHill,
  CodMap,
  CodMapStats,
  CodPlayer,
  CodRound,
  CodTeam,
  CodTotals,
  CodTournament,
  LiveCodMatch,
} from "./LiveCodMatch.ts"

const optional = Schema.optionalKey
const { currentMap: _, endReason, endedAt, round, silence, startedAt, suspension, winner } = LiveCodMatch.fields

const CompactPlayer = CodPlayer.mapFields((fields) => ({
  ign: fields.ign,
  isActive: fields.isActive,
  isAlive: optional(fields.isAlive.members[0]),
  map: optional(CodMapStats.mapFields((stats) => ({ ...stats, damage: optional(stats.damage.members[0]) }))),
  total: CodTotals.mapFields((stats) => ({ ...stats, damage: optional(stats.damage.members[0]) })),
}))

export const CompactTeam = CodTeam.mapFields((fields) => ({
  slug: optional(fields.slug.members[0]),
  name: fields.name,
  score: fields.score,
  timeouts: fields.timeouts,
  players: Schema.Record(PlayerId, CompactPlayer),
}))

const CompactMap = CodMap.mapFields((fields) => ({
  ...Struct.pick(fields, ["mapName", "gameMode", "team1Score", "team2Score", "status"]),
  pickedBy: optional(fields.pickedBy.members[0]),
  winner: optional(fields.winner.members[0]),
  startedAt: optional(fields.startedAt.members[0]),
  endedAt: optional(fields.endedAt.members[0]),
}))

const CompactRound = CodRound.mapFields((fields) => ({
  round: fields.round,
  alive: optional(fields.alive.members[0]),
  lives: optional(fields.lives.members[0]),
  zones: optional(fields.zones.members[0]),
  bomb: optional(fields.bomb.members[0]),
}))

/** The map in progress. Its name, mode and score are those of the entry in `maps`. */
const CompactCurrent = CodCurrentMap.mapFields((fields) => ({
  mapNumber: fields.mapNumber,
  attacker: optional(fields.attacker.members[0]),
  hill: optional(CodHill.mapFields((hill) => ({ ...hill, holder: optional(hill.holder.members[0]) }))),
  round: optional(CompactRound),
}))

export const CompactCodMatch = LiveCodMatch.mapFields((fields) => ({
  ...Struct.pick(fields, ["matchId", "status", "source", "bestOf", "isComplete"]),
  silence: optional(silence.members[0]),
  tournament: CodTournament.mapFields((one) => ({ tournamentId: optional(one.tournamentId.members[0]), name: one.name })),
  round: optional(round.members[0]),
  team1: CompactTeam,
  team2: CompactTeam,
  currentMap: optional(CompactCurrent),
  maps: Schema.Record(Schema.String, CompactMap),
  suspension: optional(suspension.members[0].mapFields((one) => ({ ...one, team: optional(one.team.members[0]) }))),
  winner: optional(winner.members[0]),
  endReason: optional(endReason.members[0]),
  startedAt: optional(startedAt.members[0]),
  endedAt: optional(endedAt.members[0]),
})).annotate({ identifier: "CompactCodMatch" })
export type CompactCodMatch = typeof CompactCodMatch.Type
