/** File formats in an export of team pages. Only fields that are used are listed. */
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"

const StorableName = StorableText.check(Schema.isNonEmpty())

export const Manifest = Schema.Struct({ schema_version: Schema.String.check(Schema.isStartingWith("hltv-cs2-data")) })

const Metadata = Schema.Struct({ requested_at: Schema.String })

/** Content of `teams/index.json`. */
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

/** Content of `teams/aliases.json`. */
export const TeamAliases = Schema.Struct({ aliases: Schema.Array(Schema.Struct({ alias: Schema.String, hltv_id: Schema.Int })) })

/** Content of `teams/<id>/players.json`. */
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
  /** Score such as `10 - 13`, with the page's team first. */
  result: StorableText,
  /** Position of the map in the match, counted from the last map. */
  match_order: Schema.optionalKey(Schema.NullOr(Schema.Int)),
})
export type RecentMap = typeof RecentMap.Type

/** Maps are decoded one by one, so that a malformed one does not affect the others. */
export const RecentMaps = Schema.Struct({ matches: Schema.Array(Schema.Unknown) })

/** One match in `calendar/upcoming.json`. */
export const UpcomingMatch = Schema.Struct({
  hltv_match_id: Schema.Int,
  event_name: StorableName,
  event_tier: Tier,
  team1_hltv_id: Schema.Int,
  team1_name: StorableName,
  team2_hltv_id: Schema.Int,
  team2_name: StorableName,
  /** Format such as `bo3`. */
  match_format: Schema.NullOr(StorableText),
  match_time: StorableText,
  status: StorableText,
})

/** Content of `calendar/upcoming.json`. */
export const Calendar = Schema.Struct({ matches: Schema.Array(Schema.Unknown) })
