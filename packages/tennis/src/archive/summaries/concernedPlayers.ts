/** Players whose sums may change when a match is added. */
import type { ArchiveAddition } from "./TennisSummary.ts"

/**
 * Ids of the players of the match, and of those of the finals of its tournament. A second final makes the tournament a
 * team competition, which takes the title from the winner of the first one.
 */
export const concernedPlayersText = ({ playerIds, tour, tournamentId }: ArchiveAddition): string => `
    SELECT unnest(ARRAY[${playerIds.map(quoted).join(", ")}]::text[]) UNION
    SELECT unnest(ARRAY[f.winner_id, f.loser_id]) FROM tennis_matches f
    WHERE f.tour = ${quoted(tour)} AND f.tournament_id = ${quoted(tournamentId)} AND f.round = 'F'`

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
