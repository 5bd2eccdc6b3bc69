/**
 * Schemas of the table rows of the archive writer: one field per column, times as epoch ms. They decode the JSON that
 * `to_jsonb(row)` returns, and encode rows to the same form.
 */
import { Schema, SchemaTransformation } from "effect"

export const isoTime = (at: number): string => new Date(at).toISOString()

/** Epoch ms. Does not depend on the time zone of the database session. */
export const Instant = Schema.String.pipe(
  Schema.decodeTo(Schema.Finite, SchemaTransformation.transform({ decode: (text) => Date.parse(text), encode: isoTime })),
)

const nullable = Schema.NullOr
const text = nullable(Schema.String)
const number = nullable(Schema.Finite)

export const Confidence = Schema.Literals(["high", "medium", "low"])
const DataQuality = Schema.Literals(["complete", "partial", "unavailable"])
const Progress = Schema.Literals(["upcoming", "live", "completed", "cancelled"])

const provenance = { source: Schema.String, confidence: Confidence, data_quality: DataQuality } as const

export const TeamRow = Schema.Struct({
  team_number: Schema.Finite,
  name: Schema.String,
  name_key: Schema.String,
  slug: Schema.String,
  tag: text,
  country_code: text,
  country_name: text,
  region: text,
  logo_url: text,
  alternate_logo_url: text,
  dark_ui_logo_url: text,
  ...provenance,
})
export type TeamRow = typeof TeamRow.Type

export const PlayerRow = Schema.Struct({
  player_number: Schema.Finite,
  nickname: Schema.String,
  nickname_key: Schema.String,
  slug: Schema.String,
  real_name: text,
  country_code: text,
  country_name: text,
  birth_date: text,
  image_url: text,
  primary_role: text,
  role_confidence: nullable(Confidence),
  told_team_number: number,
  told_role: nullable(Schema.Literals(["player", "coach"])),
  told_at: nullable(Instant),
  ...provenance,
})
export type PlayerRow = typeof PlayerRow.Type

export const EventRow = Schema.Struct({
  event_number: Schema.Finite,
  name: Schema.String,
  name_key: Schema.String,
  slug: Schema.String,
  starts_at: nullable(Instant),
  ends_at: nullable(Instant),
  confirmed_status: Schema.Literals(["source_detail", "source_listed"]),
  tier: nullable(Schema.Literals(["S", "A", "B", "C"])),
  prestige_score: number,
  region: text,
  is_lan: Schema.Boolean,
  location: text,
  prize_pool: number,
  currency: text,
  format: text,
  logo_url: text,
  image_url: text,
  banner_image_url: text,
  ...provenance,
})
export type EventRow = typeof EventRow.Type

export const SeriesRow = Schema.Struct({
  match_number: Schema.Finite,
  event_number: number,
  stage_name: text,
  status: Progress,
  starts_at: Instant,
  starts_precision: Schema.Literals(["minute", "day"]),
  ends_at: nullable(Instant),
  best_of: number,
  is_lan: nullable(Schema.Boolean),
  team1_number: Schema.Finite,
  team2_number: Schema.Finite,
  team1_score: number,
  team2_score: number,
  winner_team_number: number,
  is_forfeit: Schema.Boolean,
  veto: nullable(Schema.Json),
  demo_links: nullable(Schema.Json),
  stream_links: nullable(Schema.Json),
  ...provenance,
})
export type SeriesRow = typeof SeriesRow.Type

/** Origin of stored details of a game map (player statistics, or rounds and events). `weight` is the amount of data. */
const DetailReport = Schema.Struct({ source: Schema.String, digest: Schema.String, weight: Schema.Finite })
export type DetailReport = typeof DetailReport.Type

export const GameRow = Schema.Struct({
  match_number: Schema.Finite,
  map_number: Schema.Finite,
  map_id: Schema.String,
  status: Progress,
  result_type: Schema.Literals(["played", "forfeit", "unplayed"]),
  team1_score: number,
  team2_score: number,
  halves: nullable(Schema.Json),
  pick_team_number: number,
  winner_team_number: number,
  rounds: number,
  duration_ms: number,
  played_at: Instant,
  detail: Schema.Literals(["score", "players", "rounds"]),
  tellings: Schema.Struct({ lines: Schema.optionalKey(DetailReport), timeline: Schema.optionalKey(DetailReport) }),
  ...provenance,
})
export type GameRow = typeof GameRow.Type

export const LineupRow = Schema.Struct({
  match_number: Schema.Finite,
  team_number: Schema.Finite,
  player_number: Schema.Finite,
  role: Schema.Literals(["player", "coach"]),
  played_at: Instant,
})
export type LineupRow = typeof LineupRow.Type

export const NameRow = Schema.Struct({
  entity_type: Schema.Literals(["team", "player", "event"]),
  entity_number: Schema.Finite,
  source: Schema.String,
  name_key: Schema.String,
  name: Schema.String,
  first_seen_at: Instant,
  last_seen_at: Instant,
})
export type NameRow = typeof NameRow.Type

export const SourceKeyRow = Schema.Struct({
  entity_type: Schema.Literals(["team", "player", "event", "match"]),
  source: Schema.String,
  source_key: Schema.String,
  entity_number: Schema.Finite,
})
export type SourceKeyRow = typeof SourceKeyRow.Type

export const SpellRow = Schema.Struct({
  team_number: Schema.Finite,
  player_number: Schema.Finite,
  handle: Schema.String,
  first_played_at: Instant,
  last_played_at: Instant,
})
export type SpellRow = typeof SpellRow.Type
