/** Schemas of the files in an export of team pages, limited to the fields that are used. */
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"

const StorableName = StorableText.check(Schema.isNonEmpty())

export const Manifest = Schema.Struct({ schema_version: Schema.String.check(Schema.isStartingWith("hltv-cs2-data")) })

const Metadata = Schema.Struct({ requested_at: Schema.String })

/** `teams/index.json` */
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

/** `teams/aliases.json` */
export const TeamAliases = Schema.Struct({ aliases: Schema.Array(Schema.Struct({ alias: Schema.String, hltv_id: Schema.Int })) })

/** `teams/<id>/players.json` */
export const TeamPlayers = Schema.Struct({ players: Schema.Array(Schema.Struct({ player_name: Schema.NonEmptyString })) })

export const Tier = Schema.NullOr(Schema.Literals(["S", "A", "B", "C"]))

/** One map in `teams/<id>/recent-overall.json` or `recent-lan.json`, from the perspective of that team. */
export const RecentMap = Schema.Struct({
  map_name: StorableName,
  /** `15/06/26` or `2026-05-17T00:00:00.000Z`. */
  match_date: StorableText,
  event_name: StorableName,
  event_tier: Tier,
  opponent_name: StorableName,
  /** Score such as `10 - 13`. The team whose page it is comes first. */
  result: StorableText,
  /** Position within the match, in reverse: a lower number means a later map. Missing on some pages. */
  match_order: Schema.optionalKey(Schema.NullOr(Schema.Int)),
})
export type RecentMap = typeof RecentMap.Type

/** The maps are decoded one by one, so that a malformed map does not affect the others. */
export const RecentMaps = Schema.Struct({ matches: Schema.Array(Schema.Unknown) })

/** A match in `calendar/upcoming.json`. */
export const UpcomingMatch = Schema.Struct({
  hltv_match_id: Schema.Int,
  event_name: StorableName,
  event_tier: Tier,
  team1_hltv_id: Schema.Int,
  team1_name: StorableName,
  team2_hltv_id: Schema.Int,
  team2_name: StorableName,
  /** Format, such as `bo3`. */
  match_format: Schema.NullOr(StorableText),
  match_time: StorableText,
  status: StorableText,
})

/** `calendar/upcoming.json`. The matches are decoded one by one. */
export const Calendar = Schema.Struct({ matches: Schema.Array(Schema.Unknown) })
