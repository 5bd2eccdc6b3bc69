import type { Ledger } from "@matchpoint/store/database/Ledger"
import { tennisArchive } from "./migrations/0011_tennis_archive.ts"
import { tennisPlayers } from "./migrations/0012_tennis_players.ts"
import { tennisRankings } from "./migrations/0013_tennis_rankings.ts"
import { tennisTournaments } from "./migrations/0014_tennis_tournaments.ts"
import { tennisSummarySteps } from "./migrations/0022_tennis_summary_steps.ts"
import { playerNames } from "./migrations/0023_player_names.ts"
import { playerMerges } from "./migrations/0024_player_merges.ts"

export const tennisLedger: Ledger = {
  table: "matchpoint_migrations_tennis",
  migrations: {
    "0011_tennis_archive": tennisArchive,
    "0012_tennis_players": tennisPlayers,
    "0013_tennis_rankings": tennisRankings,
    "0014_tennis_tournaments": tennisTournaments,
    "0022_tennis_summary_steps": tennisSummarySteps,
    "0023_player_names": playerNames,
    "0024_player_merges": playerMerges,
  },
}
