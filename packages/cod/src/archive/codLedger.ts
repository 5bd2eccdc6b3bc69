import type { Ledger } from "@matchpoint/store/database/Ledger"
import { codArchive } from "./migrations/0015_cod_archive.ts"
import { codAnalytics } from "./migrations/0017_cod_analytics.ts"
import { playerNames } from "./migrations/0023_player_names.ts"
import { codUnknownScores } from "./migrations/0025_cod_unknown_scores.ts"

export const codLedger: Ledger = {
  table: "matchpoint_migrations_cod",
  migrations: {
    "0015_cod_archive": codArchive,
    "0017_cod_analytics": codAnalytics,
    "0023_player_names": playerNames,
    "0025_cod_unknown_scores": codUnknownScores,
  },
}
