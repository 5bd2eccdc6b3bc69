import { apexLedger } from "@matchpoint/apex/archive/apexLedger"
import { codLedger } from "@matchpoint/cod/archive/codLedger"
import { cs2Ledger } from "@matchpoint/cs2/archive/cs2Ledger"
import { migrateAll } from "@matchpoint/store/database/migrateAll"
import { tennisLedger } from "@matchpoint/tennis/archive/tennisLedger"
import { Layer } from "effect"

export class Migrations {
  /** See `migrateAll`. */
  static readonly run = migrateAll([apexLedger, codLedger, cs2Ledger, tennisLedger])

  static readonly layer = Layer.effectDiscard(Migrations.run)
}
