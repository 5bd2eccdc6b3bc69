/**
 * Schema of a live tennis match in message format v2, the document that deltas patch. It has no nulls: a field without a
 * value is absent. Sets are an object by set number, so that a delta contains the changed set only.
 */
import { Schema, Struct } from "effect"
import { LiveTennisMatch, TennisGame, TennisPlayer, TennisSet, TennisSide, TennisStake, TennisTournament } from "./LiveTennisMatch.ts"

const optional = Schema.optionalKey
const { end_reason, ended_at, score, silence, started_at, suspended_at, winner } = LiveTennisMatch.fields

const CompactSide = TennisSide.mapFields((fields) => ({
  ...fields,
  players: Schema.Array(TennisPlayer.mapFields((player) => ({ ...player, id: optional(player.id.members[0]) }))),
}))

const CompactTournament = TennisTournament.mapFields((fields) => ({
  id: optional(fields.id.members[0]),
  name: fields.name,
  surface: optional(fields.surface.members[0]),
  level: optional(fields.level.members[0]),
  draw_size: optional(fields.draw_size.members[0]),
  round: optional(fields.round.members[0]),
}))

const CompactSet = TennisSet.mapFields((fields) => ({
  side1: fields.side1,
  side2: fields.side2,
  tie_break: optional(fields.tie_break.members[0]),
  winner: optional(fields.winner.members[0]),
  ended_at: optional(fields.ended_at.members[0]),
}))

const CompactGame = TennisGame.mapFields((fields) => ({
  ...fields,
  stakes: Schema.Struct({ side1: optional(TennisStake), side2: optional(TennisStake) }),
}))

const plain = ["id", "status", "source", "tour", "format", "momentum", "statistics"] as const

export const CompactTennisMatch = LiveTennisMatch.mapFields((fields) => ({
  ...Struct.pick(fields, plain),
  silence: optional(silence.members[0]),
  tournament: CompactTournament,
  side1: CompactSide,
  side2: CompactSide,
  sets: Schema.Record(Schema.String, CompactSet),
  game: optional(CompactGame),
  suspended_at: optional(suspended_at.members[0]),
  winner: optional(winner.members[0]),
  end_reason: optional(end_reason.members[0]),
  score: optional(score.members[0]),
  started_at: optional(started_at.members[0]),
  ended_at: optional(ended_at.members[0]),
})).annotate({ identifier: "CompactTennisMatch" })
export type CompactTennisMatch = typeof CompactTennisMatch.Type
