import type { Ledger } from "@matchpoint/store/database/Ledger"
import { apexArchive } from "./migrations/0016_apex_archive.ts"
import { playerNames } from "./migrations/0023_player_names.ts"

export const apexLedger: Ledger = {
  table: "matchpoint_migrations_apex",
  migrations: {
    "0016_apex_archive": apexArchive,
    "0023_player_names": playerNames,
  },
}
