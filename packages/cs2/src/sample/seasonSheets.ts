/** Profiles of simulated teams, people and tournaments, with links to the images that the gateway generates. */
import type { EventDetails, PlayerDetails, PlayerReport, TeamDetails, TeamReport } from "../archive/writer/reports.ts"
import { eventPicturePath, pictureName, playerPicturePath, teamLogoPath } from "../contract/http/assetPaths.ts"
import type { SeasonPersonProfile, SeasonTeamProfile } from "../simulator/season/profiles.ts"
import { SEASON_SOURCE, type SeasonEvent } from "../simulator/season/season.ts"

/** As if reported at `at`, in epoch milliseconds. */
export const teamReportOf = ({ countryCode, key, name, region, tag, teamNumber }: SeasonTeamProfile, at: number): TeamReport => {
  const picture = pictureName(name)
  const team: TeamDetails = {
    key,
    name,
    teamNumber,
    tag,
    region,
    countryCode,
    logoUrl: teamLogoPath(picture, "light"),
    alternateLogoUrl: teamLogoPath(picture, "alternate"),
    darkUiLogoUrl: teamLogoPath(picture, "dark"),
  }
  return { team, seen: { source: SEASON_SOURCE, at } }
}

export const playerReportOf = (person: SeasonPersonProfile, at: number): PlayerReport => {
  const { birthDate, countryCode, key, nickname, playerNumber, primaryRole, realName, role, teamNumber } = person
  const player: PlayerDetails = {
    key,
    nickname,
    playerNumber,
    realName,
    countryCode,
    birthDate,
    primaryRole,
    imageUrl: playerPicturePath(pictureName(nickname)),
    // Players need no role, because their team and status are derived from lineups.
    ...(role === "coach" ? { role } : {}),
  }
  return { player, seen: { source: SEASON_SOURCE, at }, teamNumber }
}

export const eventSheet = (event: SeasonEvent): EventDetails => {
  const { endsAt, format, isLan, key, location, name, prestigeScore, prizePool, region, startsAt, tier } = event
  const picture = pictureName(name)
  return {
    key,
    name,
    tier,
    isLan,
    startsAt,
    endsAt,
    region,
    location,
    prizePool,
    prestigeScore,
    format,
    currency: "USD",
    logoUrl: eventPicturePath(picture, "logo"),
    imageUrl: eventPicturePath(picture, "logo"),
    bannerImageUrl: eventPicturePath(picture, "banner"),
  }
}
