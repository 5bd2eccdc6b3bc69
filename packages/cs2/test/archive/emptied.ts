/** The writer on a migrated database that tests share. Each test begins with {@link emptied}. */
import type { Vitest } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import type { AnyDatabase } from "@matchpoint/testing/bothRuns"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ArchiveWriter } from "../../src/archive/ArchiveWriter.ts"

export const writing = (driver: AnyDatabase) => ArchiveWriter.layer.pipe(Layer.provideMerge(Migrations.layer), Layer.provideMerge(driver))

export type WriterIt = Vitest.MethodsNonLive<ArchiveWriter | SqlClient.SqlClient>

export const emptied = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    TRUNCATE cs2_teams, cs2_players, cs2_events, cs2_event_teams, cs2_series, cs2_lineups, cs2_team_players, cs2_games, cs2_player_games,
      cs2_weapon_games, cs2_rounds, cs2_game_events, cs2_names, cs2_source_keys, cs2_search, cs2_changelog, cs2_former_slugs CASCADE`,
)
