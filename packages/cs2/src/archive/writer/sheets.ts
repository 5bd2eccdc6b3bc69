/**
 * Merges a source's data about a team, player or event into the stored row. Fills in unknown fields and replaces values
 * that the same source reported earlier.
 */
import type { EventRef } from "../../rules/archive/ArchivedMatch.ts"
import { nameKey } from "../../rules/archive/names.ts"
import type { KnownEvent, KnownPlayer, KnownTeam, Register } from "./identity/Register.ts"
import { see } from "./identity/seenNames.ts"
import type { EventDetails, PlayerDetails, ReportOrigin, TeamDetails } from "./reports.ts"

const countries = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" })

/** Null if the code is not a country code. */
const countryName = (code: string | null): string | null =>
  code !== null && /^[A-Za-z]{2}$/u.test(code) ? (countries.of(code.toUpperCase()) ?? null) : null

/** A field that already has a value is replaced only if the row comes from the same source. */
const filled = <R extends { readonly source: string }>(
  row: R,
  source: string,
  reported: { readonly [F in keyof R]?: R[F] | undefined },
): R => {
  const next = { ...row }
  for (const field in reported) {
    const value = reported[field]
    if (value !== undefined && (row[field] === null || row.source === source)) Object.assign(next, { [field]: value })
  }
  return next
}

export const mergeTeamDetails = (register: Register, team: KnownTeam, sheet: TeamDetails, seen: ReportOrigin): void => {
  const code = sheet.countryCode?.toUpperCase()
  team.row = filled(team.row, seen.source, {
    tag: sheet.tag,
    region: sheet.region,
    country_code: code,
    logo_url: sheet.logoUrl,
    alternate_logo_url: sheet.alternateLogoUrl,
    dark_ui_logo_url: sheet.darkUiLogoUrl,
  })
  team.row = { ...team.row, country_name: countryName(team.row.country_code) }
  for (const name of sheet.aliases ?? []) {
    // Time 0 makes an alias never the newest name, so it is never displayed. It still finds the team.
    if (name.trim() !== "") see(register.teams, team, { source: seen.source, at: 0, name: name.trim(), nameKey: nameKey(name) })
  }
}

export const mergePlayerDetails = (player: KnownPlayer, sheet: PlayerDetails, seen: ReportOrigin, team: KnownTeam | undefined): void => {
  const code = sheet.countryCode?.toUpperCase()
  player.row = filled(player.row, seen.source, {
    real_name: sheet.realName,
    country_code: code,
    birth_date: sheet.birthDate,
    image_url: sheet.imageUrl,
    primary_role: sheet.primaryRole,
    role_confidence: sheet.primaryRole === undefined ? undefined : "high",
  })
  player.row = { ...player.row, country_name: countryName(player.row.country_code) }
  const { told_at } = player.row
  const isNewer = told_at === null || told_at < seen.at
  if (isNewer && (team !== undefined || sheet.role !== undefined)) {
    player.row = {
      ...player.row,
      told_team_number: team?.number ?? player.row.told_team_number,
      told_role: sheet.role ?? "player",
      told_at: seen.at,
    }
  }
}

export const mergeEventRef = (event: KnownEvent, reported: EventRef, source: string, isLan: boolean | undefined): void => {
  event.row = filled(event.row, source, { tier: reported.tier })
  if (reported.isLan === true || isLan === true) event.row = { ...event.row, is_lan: true }
}

export const mergeEventDetails = (event: KnownEvent, sheet: EventDetails, seen: ReportOrigin): void => {
  mergeEventRef(event, sheet, seen.source, undefined)
  event.row = filled(event.row, seen.source, {
    region: sheet.region,
    location: sheet.location,
    prize_pool: sheet.prizePool,
    currency: sheet.currency,
    format: sheet.format,
    prestige_score: sheet.prestigeScore,
    logo_url: sheet.logoUrl,
    image_url: sheet.imageUrl,
    banner_image_url: sheet.bannerImageUrl,
  })
  if (sheet.startsAt === undefined || sheet.endsAt === undefined) return
  // Dates derived from an event's matches are provisional until a source reports those of the event itself.
  if (event.row.confirmed_status === "source_listed" || event.row.source === seen.source) {
    event.row = { ...event.row, starts_at: sheet.startsAt, ends_at: sheet.endsAt, confirmed_status: "source_detail" }
  }
}
