/** Derives the part of a tournament in the season from its name. */
import { tournamentIdOf } from "./names.ts"
import type { Tournament } from "./rows.ts"

/** Others are invitationals, such as `Kaysan's Showdown VIII`. */
const leagueEvent = /\bCDL\b|\bCall of Duty League\b|\bMajor\b/iu
/** The championship follows the season: the standings decide which teams play it, and its matches do not count in them. */
const championship = /\bChamp(?:s|ionship)\b/iu
const major = /\bMajor\s*(\d{1,2})\b/iu

/** A major and its qualifiers belong to the stage of the same number. The points table and the prize pool are unknown. */
export const tournamentNamed = (season: number, name: string): Tournament => {
  const stage = major.exec(name)?.[1]
  return {
    tournamentId: tournamentIdOf(season, name),
    season,
    name,
    stage: stage === undefined ? null : `stage-${Number(stage)}`,
    isLeague: leagueEvent.test(name) && !championship.test(name),
    pointsPerWin: null,
    prizePool: null,
    simulated: false,
  }
}
