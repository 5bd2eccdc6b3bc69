/** Files of an export of team pages, as they are written. Only what is read of them is named. */
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"

const StorableName = StorableText.check(Schema.isNonEmpty())

export const Manifest = Schema.Struct({ schema_version: Schema.String.check(Schema.isStartingWith("hltv-cs2-data")) })

const Metadata = Schema.Struct({ requested_at: Schema.String })

/** teams/index.json */
export const TeamIndex = Schema.Struct({
  metadata: Metadata,
  teams: Schema.Array(
    Schema.Struct({
      hltv_id: Schema.Int,
      name: Schema.NonEmptyString,
      name_zh: Schema.optionalKey(Schema.NullOr(Schema.String)),
    }),
  ),
})

/** teams/aliases.json */
export const TeamAliases = Schema.Struct({ aliases: Schema.Array(Schema.Struct({ alias: Schema.String, hltv_id: Schema.Int })) })

/** teams/<id>/players.json */
export const TeamPlayers = Schema.Struct({ players: Schema.Array(Schema.Struct({ player_name: Schema.NonEmptyString })) })

export const Tier = Schema.NullOr(Schema.Literals(["S", "A", "B", "C"]))

/** One map of teams/<id>/recent-overall.json and recent-lan.json, as that team saw it. */
export const RecentMap = Schema.Struct({
  map_name: StorableName,
  /** `15/06/26`, or `2026-05-17T00:00:00.000Z`. */
  match_date: StorableText,
  event_name: StorableName,
  event_tier: Tier,
  opponent_name: StorableName,
  /** `10 - 13`, its own first. */
  result: StorableText,
  /** Counts maps of the match from its last. */
  match_order: Schema.optionalKey(Schema.NullOr(Schema.Int)),
})
export type RecentMap = typeof RecentMap.Type

/** Maps are decoded one by one: a bad one is left out alone. */
export const RecentMaps = Schema.Struct({ matches: Schema.Array(Schema.Unknown) })

/** One match of calendar/upcoming.json. */
export const UpcomingMatch = Schema.Struct({
  hltv_match_id: Schema.Int,
  event_name: StorableName,
  event_tier: Tier,
  team1_hltv_id: Schema.Int,
  team1_name: StorableName,
  team2_hltv_id: Schema.Int,
  team2_name: StorableName,
  /** `bo3` */
  match_format: Schema.NullOr(StorableText),
  match_time: StorableText,
  status: StorableText,
})

/** calendar/upcoming.json */
export const Calendar = Schema.Struct({ matches: Schema.Array(Schema.Unknown) })
