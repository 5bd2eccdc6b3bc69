/** Combines rows of several records, so that they can be written together. */
import { franchisesOf } from "./franchises.ts"
import type { ArchiveRows, MatchRecord } from "./rows.ts"

/** If a key occurs more than once, the last row stays. */
export const combineRows = (parts: ReadonlyArray<ArchiveRows>): ArchiveRows => ({
  teams: unique(
    parts.flatMap(({ teams = [] }) => teams),
    ({ slug }) => slug,
  ),
  players: unique(
    parts.flatMap(({ players = [] }) => players),
    ({ playerId }) => playerId,
  ),
  tournaments: unique(
    parts.flatMap(({ tournaments = [] }) => tournaments),
    ({ tournamentId }) => tournamentId,
  ),
  seasonTeams: unique(
    parts.flatMap(({ seasonTeams = [] }) => seasonTeams),
    ({ season, teamSlug }) => `${season} ${teamSlug}`,
  ),
  matches: unique(
    parts.flatMap(({ matches = [] }) => matches),
    ({ match }) => match.matchId,
  ).map(withUniqueLines),
  results: unique(
    parts.flatMap(({ results = [] }) => results),
    ({ teamSlug, tournamentId }) => `${tournamentId} ${teamSlug}`,
  ),
  totals: unique(
    parts.flatMap(({ totals = [] }) => totals),
    ({ mode, playerId, tournamentId }) => `${tournamentId} ${playerId} ${mode}`,
  ),
  earnings: unique(
    parts.flatMap(({ earnings = [] }) => earnings),
    ({ playerId, tournamentId }) => `${tournamentId} ${playerId}`,
  ),
})

const unique = <Row>(rows: ReadonlyArray<Row>, keyOf: (row: Row) => string): ReadonlyArray<Row> => [
  ...new Map(rows.map((row) => [keyOf(row), row])).values(),
]

const withUniqueLines = ({ lines, maps, match }: MatchRecord): MatchRecord => ({
  match,
  maps: unique(maps, ({ mapNumber }) => String(mapNumber)),
  lines: unique(lines, ({ mapNumber, playerId }) => `${mapNumber} ${playerId}`),
})

/** Empty if the franchises of the season are not known. */
export const franchiseRows = (season: number): Pick<ArchiveRows, "seasonTeams" | "teams"> => {
  const known = franchisesOf(season)
  return {
    teams: known.map(({ name, shortName, slug }) => ({ slug, name, shortName, logoUrl: null, simulated: false })),
    seasonTeams: known.map(({ slug }) => ({ season, teamSlug: slug })),
  }
}
