/** Facts about a match that several summaries and answers use. `m` is the alias of a row of `tennis_matches`. */
import { teamNamePattern } from "../../rules/archive/draw/teamEvents.ts"

/**
 * A final that a player can win. Not those of team competitions: level `D`, some names, several matches of round `F`.
 */
export const isFinalText = (m: string): string => `(${m}.round = 'F' AND ${m}.level IS DISTINCT FROM 'D'
      AND COALESCE(${m}.tournament_name, '') !~* '${teamNamePattern}' AND NOT EXISTS (
        SELECT FROM tennis_matches o WHERE o.tour = ${m}.tour AND o.tournament_id = ${m}.tournament_id AND o.circuit = ${m}.circuit
          AND o.round = 'F' AND o.match_id <> ${m}.match_id))`

/** True if the games `w` and `l` end a set. */
export const isWonSetText = (w: string, l: string): string =>
  `(GREATEST(${w}, ${l}) >= 6 AND abs(${w} - ${l}) >= 2 OR GREATEST(${w}, ${l}) = 7 AND LEAST(${w}, ${l}) = 6)`
