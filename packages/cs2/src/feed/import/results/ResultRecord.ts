/** A match in a results file. Statistics are text, which `readResult` interprets. */
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"

const Side = Schema.Struct({ name: StorableText, score: StorableText, status: Schema.Literals(["won", "lost", "tie"]) })

const Line = Schema.Struct({
  name: Schema.NonEmptyString,
  /** Kills and deaths, such as `24-13`. */
  kd: StorableText,
  /** Average damage per round, such as `117.3`. */
  adr: StorableText,
  /** KAST, such as `90.0%`. */
  kast: StorableText,
})

export const ResultMap = Schema.Struct({
  map: Schema.NonEmptyString,
  team1: Side,
  team2: Side,
  /** Scores such as `(7:5; 6:2)` or, with overtime, `(9:3; 3:9) (4:1)`. Empty if the map was not played. */
  half_scores: StorableText,
  status: Schema.Literals(["played", "not_played"]),
  players: Schema.Struct({ team1: Schema.Array(Line), team2: Schema.Array(Line) }),
})
export type ResultMap = typeof ResultMap.Type

export const ResultRecord = Schema.Struct({
  "match-id": Schema.Int,
  event: Schema.NonEmptyString,
  team1: Schema.NonEmptyString,
  team2: Schema.NonEmptyString,
  "team1-id": Schema.NullOr(Schema.Int),
  "team2-id": Schema.NullOr(Schema.Int),
  team1score: Schema.Int,
  team2score: Schema.Int,
  /** Start in epoch milliseconds. */
  date: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  /** Format, such as `Best of 3 (LAN)`. */
  format: StorableText,
  stage: StorableText,
  /** Sentences such as `1. regain removed Nuke` and `7. Ancient was left over`. */
  veto: Schema.Array(StorableText),
  maps: Schema.Array(ResultMap),
})
export type ResultRecord = typeof ResultRecord.Type
