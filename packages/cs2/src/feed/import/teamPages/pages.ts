/** Schemas of the files in an export of team pages. Only fields that are used are declared. */
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"

const StorableName = StorableText.check(Schema.isNonEmpty())

export const Manifest = Schema.Struct({ schema_version: Schema.String.check(Schema.isStartingWith("hltv-cs2-data")) })

const Metadata = Schema.Struct({ requested_at: Schema.String })

/** Schema of `teams/index.json`, the list of teams. */
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

/** Schema of `teams/aliases.json`, the alternative names of teams. */
export const TeamAliases = Schema.Struct({ aliases: Schema.Array(Schema.Struct({ alias: Schema.String, hltv_id: Schema.Int })) })

/** Schema of `teams/<id>/players.json`, the players of a team. */
export const TeamPlayers = Schema.Struct({ players: Schema.Array(Schema.Struct({ player_name: Schema.NonEmptyString })) })

export const Tier = Schema.NullOr(Schema.Literals(["S", "A", "B", "C"]))

/** One map in `teams/<id>/recent-overall.json` or `recent-lan.json`, from the perspective of that team. */
export const RecentMap = Schema.Struct({
  map_name: StorableName,
  /** Date of the map, in the form `15/06/26` or `2026-05-17T00:00:00.000Z`. */
  match_date: StorableText,
  event_name: StorableName,
  event_tier: Tier,
  opponent_name: StorableName,
  /** Score such as `10 - 13`. The team whose page it is comes first. */
  result: StorableText,
  /** Position of the map within its match, in reverse: a lower number means a later map. Missing on some pages. */
  match_order: Schema.optionalKey(Schema.NullOr(Schema.Int)),
})
export type RecentMap = typeof RecentMap.Type

/**
 * Schema of a file that contains a list of maps. The maps are decoded one by one, so that a malformed map does not
 * affect the others.
 */
export const RecentMaps = Schema.Struct({ matches: Schema.Array(Schema.Unknown) })

/** Schema of one match in `calendar/upcoming.json`. */
export const UpcomingMatch = Schema.Struct({
  hltv_match_id: Schema.Int,
  event_name: StorableName,
  event_tier: Tier,
  team1_hltv_id: Schema.Int,
  team1_name: StorableName,
  team2_hltv_id: Schema.Int,
  team2_name: StorableName,
  /** Format of the match, such as `bo3`. */
  match_format: Schema.NullOr(StorableText),
  match_time: StorableText,
  status: StorableText,
})

/** Schema of `calendar/upcoming.json`. The matches are decoded one by one. */
export const Calendar = Schema.Struct({ matches: Schema.Array(Schema.Unknown) })
