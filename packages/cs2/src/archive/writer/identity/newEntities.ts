/** In-memory rows for entities reported for the first time. Writing assigns their numbers, slugs and display names. */
import type { EventRef, PlayerRef, TeamRef } from "../../../rules/archive/ArchivedMatch.ts"
import { handleKey, nameKey } from "../../../rules/archive/names.ts"
import type { ReportOrigin } from "../reports.ts"
import { type KnownEvent, type KnownPlayer, type KnownTeam, knownEvent, knownPlayer, knownTeam } from "./Register.ts"

const provenance = ({ source }: ReportOrigin) => ({ source, confidence: "medium", data_quality: "partial" }) as const

export const newTeam = (team: TeamRef, seen: ReportOrigin): KnownTeam =>
  knownTeam({
    team_number: team.teamNumber ?? 0,
    name: team.name.trim(),
    name_key: nameKey(team.name),
    slug: "",
    tag: null,
    country_code: null,
    country_name: null,
    region: null,
    logo_url: null,
    alternate_logo_url: null,
    dark_ui_logo_url: null,
    ...provenance(seen),
  })

export const newPlayer = (player: PlayerRef, seen: ReportOrigin): KnownPlayer =>
  knownPlayer({
    player_number: player.playerNumber ?? 0,
    nickname: player.nickname.trim(),
    nickname_key: handleKey(player.nickname),
    slug: "",
    real_name: null,
    country_code: null,
    country_name: null,
    birth_date: null,
    image_url: null,
    primary_role: null,
    role_confidence: null,
    told_team_number: null,
    told_role: null,
    told_at: null,
    ...provenance(seen),
  })

export const newEvent = (event: EventRef, seen: ReportOrigin): KnownEvent =>
  knownEvent({
    event_number: 0,
    name: event.name.trim(),
    name_key: nameKey(event.name),
    slug: "",
    starts_at: null,
    ends_at: null,
    confirmed_status: "source_listed",
    tier: null,
    prestige_score: null,
    region: null,
    is_lan: false,
    location: null,
    prize_pool: null,
    currency: null,
    format: null,
    logo_url: null,
    image_url: null,
    banner_image_url: null,
    ...provenance(seen),
  })
