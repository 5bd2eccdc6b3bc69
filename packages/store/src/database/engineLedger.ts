/** The migrations of everything that belongs to no game. */
import { spine } from "../migrations/0001_spine.ts"
import { accounts } from "../migrations/0002_accounts.ts"
import { archiveFoundations } from "../migrations/0003_archive_foundations.ts"
import { usageSettlement } from "../migrations/0004_usage_settlement.ts"
import { matches } from "../migrations/0005_matches.ts"
import { imports } from "../migrations/0006_imports.ts"
import { feeds } from "../migrations/0008_feeds.ts"
import { webhooks } from "../migrations/0010_webhooks.ts"
import { transcripts } from "../migrations/0018_transcripts.ts"
import { streamCounts } from "../migrations/0019_stream_counts.ts"
import { addressSpending } from "../migrations/0020_address_spending.ts"
import { logReach } from "../migrations/0021_log_reach.ts"
import { registrations } from "../migrations/0026_registrations.ts"
import { webhookSteps } from "../migrations/0027_webhook_steps.ts"
import type { Ledger } from "./Ledger.ts"

export const engineLedger: Ledger = {
  table: "matchpoint_migrations",
  migrations: {
    "0001_spine": spine,
    "0002_accounts": accounts,
    "0003_archive_foundations": archiveFoundations,
    "0004_usage_settlement": usageSettlement,
    "0005_matches": matches,
    "0006_imports": imports,
    "0008_feeds": feeds,
    "0010_webhooks": webhooks,
    "0018_transcripts": transcripts,
    "0019_stream_counts": streamCounts,
    "0020_address_spending": addressSpending,
    "0021_log_reach": logReach,
    "0026_registrations": registrations,
    "0027_webhook_steps": webhookSteps,
  },
}
