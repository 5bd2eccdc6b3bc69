/**
 * Decides whether simulated seasons may be written to the archive, and removes them once there are real
 * rows. Does not write them.
 */
import type { PgClient } from "@effect/sql-pg"
import { type SimulatedRows, simulatedRows } from "@matchpoint/store/simulatedRows"
import { Context, Effect, Layer } from "effect"

/** Removes what is simulated, so that it does not mix with real matches. Does nothing without a real match or sum. */
const remove = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
  const real = sql`
    SELECT 1 FROM cod_matches m WHERE NOT ${sql.literal(isSimulatedText)} UNION ALL
    SELECT 1 FROM cod_tournament_totals JOIN cod_tournaments USING (tournament_id) WHERE NOT simulated LIMIT 1`
  const simulatedTournaments = sql`SELECT tournament_id FROM cod_tournaments WHERE simulated`
  if ((yield* real).length === 0) return
  yield* sql`
    WITH simulated AS (DELETE FROM cod_matches m WHERE ${sql.literal(isSimulatedText)} RETURNING match_id),
    maps AS (DELETE FROM cod_maps WHERE match_id IN (SELECT match_id FROM simulated))
    DELETE FROM cod_player_lines WHERE match_id IN (SELECT match_id FROM simulated)`
  for (const table of ["cod_tournament_results", "cod_tournament_totals", "cod_earnings"]) {
    yield* sql`DELETE FROM ${sql(table)} WHERE tournament_id IN (${simulatedTournaments})`
  }
  yield* sql`DELETE FROM cod_tournaments WHERE simulated`
  yield* sql`DELETE FROM cod_season_teams WHERE team_slug IN (SELECT slug FROM cod_teams WHERE simulated)`
  yield* sql`DELETE FROM cod_teams WHERE simulated`
  yield* sql`DELETE FROM cod_players WHERE simulated`
})

export class SimulatedSeasons extends Context.Service<SimulatedSeasons, SimulatedRows>()("@matchpoint/cod/archive/SimulatedSeasons") {
  static readonly layer = Layer.effect(
    SimulatedSeasons,
    simulatedRows(
      "SimulatedSeasons",
      (sql) => sql`SELECT 1 FROM cod_matches UNION ALL SELECT 1 FROM cod_tournament_totals LIMIT 1`,
      remove,
    ),
  )
}

/** True for a match `m` that is simulated, or is a live match of a simulated team. */
const isSimulatedText = `(m.simulated OR m.team1_slug IN (SELECT slug FROM cod_teams WHERE simulated))`
