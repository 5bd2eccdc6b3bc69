/** Runs the same contract suite on every driver. */

import { layer } from "@effect/vitest"
import { embeddedDirectory, embeddedMemory, postgresDatabase } from "@matchpoint/testing/databases"
import { Layer } from "effect"
import { describe, inject, it } from "vitest"
import { Migrations } from "../src/database/Migrations.ts"
import { Repositories } from "../src/Repositories.ts"
import { accountsContract } from "./contract/accounts.ts"
import { apiKeysContract } from "./contract/apiKeys.ts"
import { archiveBacklogContract } from "./contract/archiveBacklog.ts"
import { auditLogContract } from "./contract/auditLog.ts"
import { checkpointsContract } from "./contract/checkpoints.ts"
import { clientContract } from "./contract/client.ts"
import { feedTokensContract } from "./contract/feedTokens.ts"
import { keyRegisterContract } from "./contract/keyRegister.ts"
import { matchesContract } from "./contract/matches.ts"
import { parkedMatchesContract } from "./contract/parkedMatches.ts"
import { storableTextContract } from "./contract/storableText.ts"
import { usageLedgerContract } from "./contract/usageLedger.ts"
import { usageRacesContract } from "./contract/usageRaces.ts"
import { usageReadsContract } from "./contract/usageReads.ts"

const contract = (name: string, driver: typeof embeddedMemory | typeof embeddedDirectory | ReturnType<typeof postgresDatabase>) =>
  layer(Repositories.layer.pipe(Layer.provideMerge(Migrations.layer), Layer.provideMerge(driver)), { timeout: "60 seconds" })(
    name,
    (it) => {
      clientContract(it)
      checkpointsContract(it)
      matchesContract(it)
      archiveBacklogContract(it)
      accountsContract(it)
      apiKeysContract(it)
      keyRegisterContract(it)
      auditLogContract(it)
      usageLedgerContract(it)
      usageRacesContract(it)
      usageReadsContract(it)
      storableTextContract(it)
      feedTokensContract(it)
      parkedMatchesContract(it)
    },
  )

contract("Embedded in memory", embeddedMemory)

contract("Embedded in a directory", embeddedDirectory)

const databaseUrl = inject("databaseUrl")
if (databaseUrl === null) {
  describe("Postgres", () =>
    it.skip("needs a PostgreSQL server: set DATABASE_URL to a database whose user may create databases", () => undefined))
} else {
  contract("Postgres", postgresDatabase(databaseUrl))
}
