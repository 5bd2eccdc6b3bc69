/** Defines the statistics tables. Lists are read from them if the time window is precomputed, otherwise from the archive. */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import { PLAYER_COLUMNS, playerMeasures } from "./playerMeasures.ts"
import {
  MAP_COLUMNS,
  mapMeasures,
  PISTOL_COLUMNS,
  pistolMeasures,
  TEAM_COLUMNS,
  teamMeasures,
  WEAPON_COLUMNS,
  weaponMeasures,
} from "./sceneMeasures.ts"
import { isKept, type StatsWindow, windowKey } from "./window.ts"

export interface StatsTable {
  readonly name: string
  /** Column names of the statistics table, except `window_days`. */
  readonly columns: string
  /** Query that computes the values of `columns` for a time window from the archive. */
  readonly measures: (sql: PgClient.PgClient, window: StatsWindow) => Fragment
}

export const statsTables = {
  players: { name: "cs2_stats_players", columns: PLAYER_COLUMNS, measures: playerMeasures },
  teams: { name: "cs2_stats_teams", columns: TEAM_COLUMNS, measures: teamMeasures },
  pistols: { name: "cs2_stats_pistols", columns: PISTOL_COLUMNS, measures: pistolMeasures },
  maps: { name: "cs2_stats_maps", columns: MAP_COLUMNS, measures: mapMeasures },
  weapons: { name: "cs2_stats_weapons", columns: WEAPON_COLUMNS, measures: weaponMeasures },
} as const satisfies Record<string, StatsTable>

/** Subquery that yields the statistics of a time window. It has no alias; the caller must add one. */
export const measured = (sql: PgClient.PgClient, { columns, measures, name }: StatsTable, window: StatsWindow): Fragment =>
  isKept(window)
    ? sql`(SELECT ${sql.literal(columns)} FROM ${sql(name)} WHERE window_days = ${windowKey(window)})`
    : sql`(${measures(sql, window)})`
