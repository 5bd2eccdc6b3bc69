/** Runs the same contract suite on every driver of the store. */
import { layer } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { type AnyDatabase, inRun, onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { embeddedDirectory } from "@matchpoint/testing/databases"
import { Layer } from "effect"
import { accountsContract } from "./contract/accounts.ts"
import { apiKeysContract } from "./contract/apiKeys.ts"
import { archiveBacklogContract } from "./contract/archiveBacklog.ts"
import { auditLogContract } from "./contract/auditLog.ts"
import { checkpointsContract } from "./contract/checkpoints.ts"
import { clientContract } from "./contract/client.ts"
import { feedTokensContract } from "./contract/feedTokens.ts"
import { keyRegisterContract } from "./contract/keyRegister.ts"
import { logReachReportsContract } from "./contract/logReachReports.ts"
import { matchesContract } from "./contract/matches.ts"
import { parkedMatchesContract } from "./contract/parkedMatches.ts"
import { spendingRacesContract } from "./contract/spendingRaces.ts"
import { storableTextContract } from "./contract/storableText.ts"
import { transcriptsContract } from "./contract/transcripts.ts"
import { usageLedgerContract } from "./contract/usageLedger.ts"
import { usageRacesContract } from "./contract/usageRaces.ts"
import { usageReadsContract } from "./contract/usageReads.ts"
import { webhookFanOutContract } from "./contract/webhookFanOut.ts"
import { webhookHealthContract } from "./contract/webhookHealth.ts"
import { webhookRemovalContract } from "./contract/webhookRemoval.ts"
import { webhookSubscriptionsContract } from "./contract/webhookSubscriptions.ts"
import { webhooksContract } from "./contract/webhooks.ts"

const contract = (name: string, driver: AnyDatabase | typeof embeddedDirectory) =>
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
      spendingRacesContract(it)
      storableTextContract(it)
      feedTokensContract(it)
      webhooksContract(it)
      webhookFanOutContract(it)
      webhookHealthContract(it)
      webhookRemovalContract(it)
      webhookSubscriptionsContract(it)
      logReachReportsContract(it)
      parkedMatchesContract(it)
      transcriptsContract(it)
    },
  )

// The suites of the archive use the embedded database in memory, so `npm test` uses one in a directory here.
onDatabaseOfRun((name, driver) => contract(name, inRun(embeddedDirectory, driver)))
