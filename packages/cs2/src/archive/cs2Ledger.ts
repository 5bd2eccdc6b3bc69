/** The migrations of CS2. */
import type { Ledger } from "@matchpoint/store/database/Ledger"
import { cs2Archive } from "./migrations/0003_cs2_archive.ts"
import { cs2Identity } from "./migrations/0007_cs2_identity.ts"
import { cs2PrizePools } from "./migrations/0009_cs2_prize_pools.ts"
import { playerNames } from "./migrations/0023_player_names.ts"

export const cs2Ledger: Ledger = {
  table: "matchpoint_migrations_cs2",
  migrations: {
    "0003_cs2_archive": cs2Archive,
    "0007_cs2_identity": cs2Identity,
    "0009_cs2_prize_pools": cs2PrizePools,
    "0023_player_names": playerNames,
  },
}
