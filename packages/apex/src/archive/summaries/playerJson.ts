/** The API's data about a player, from its profile and its sums in all tournaments. */
import type { ApexPlayerRow } from "../../contract/http/data/statsModels.ts"
import type { ApexPlayer, Region, SeriesSource } from "../../rules/archive/series.ts"
import { sumOrNull } from "../../rules/archive/standings.ts"
import { missing } from "../series/seriesJson.ts"

/** Sums of a player in one tournament. */
export interface TournamentSums {
  readonly playerName: string
  readonly teamName: string
  readonly region: Region | null
  readonly source: SeriesSource
  readonly kills: number | null
  readonly assists: number | null
  readonly games: number
}

/** `sums` has the tournaments of the player, newest first. The profile's values take precedence. */
export const playerRowFrom = (playerId: string, stated: ApexPlayer | null, sums: ReadonlyArray<TournamentSums>): ApexPlayerRow => {
  const [newest] = sums
  const teamName = stated?.teamName ?? newest?.teamName ?? null
  const role = stated?.role ?? null
  const regions = [...new Set([...(stated?.regions ?? []), ...sums.flatMap(({ region }) => region ?? [])])]
  const kills = sums.length === 0 ? null : sumOrNull(sums.map((sum) => sum.kills))
  const assists = sums.length === 0 ? null : sumOrNull(sums.map((sum) => sum.assists))
  return {
    playerId,
    name: stated?.name ?? newest?.playerName ?? playerId,
    frontImage: null,
    personalityImage: null,
    team: teamName === null ? null : { name: teamName, logoLight: null },
    role,
    regions,
    source: stated?.source ?? newest?.source ?? "import",
    stats: { kills, assists, matchesPlayed: sums.reduce((sum, { games }) => sum + games, 0) },
    reasons: {
      frontImage: "images_not_licensed",
      personalityImage: "images_not_licensed",
      ...(teamName === null ? { team: "not_recorded" as const } : { "team.logoLight": "images_not_licensed" as const }),
      ...missing({ role, "stats.kills": kills, "stats.assists": assists }),
      ...(regions.length === 0 ? { regions: "not_recorded" as const } : {}),
    },
  }
}
