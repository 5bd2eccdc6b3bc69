/** Tests reads of the archive on every driver. */

import { layer } from "@effect/vitest"
import { embeddedMemory, postgresDatabase } from "@matchpoint/testing/databases"
import { describe, inject, it } from "vitest"
import { gameReads } from "./reads/gameReads.ts"
import { matchReads } from "./reads/matchReads.ts"
import { rankingReads } from "./reads/rankingReads.ts"
import { referenceReads } from "./reads/referenceReads.ts"
import { resultReads } from "./reads/resultReads.ts"
import { searchGolden } from "./reads/searchGolden.ts"
import { searchReads } from "./reads/searchReads.ts"
import { statsReads } from "./reads/statsReads.ts"
import { transferReads } from "./reads/transferReads.ts"
import { type ArchiveIt, sampled } from "./sampled.ts"

const reads = (it: ArchiveIt) => {
  matchReads(it)
  gameReads(it)
  rankingReads(it)
  resultReads(it)
  transferReads(it)
  referenceReads(it)
  searchReads(it)
  searchGolden(it)
  statsReads(it)
}

layer(sampled(embeddedMemory), { timeout: "60 seconds" })("Embedded", reads)

const databaseUrl = inject("databaseUrl")
if (databaseUrl === null) {
  describe("Postgres", () =>
    it.skip("needs a PostgreSQL server: set DATABASE_URL to a database whose user may create databases", () => undefined))
} else {
  layer(sampled(postgresDatabase(databaseUrl)), { timeout: "60 seconds" })("Postgres", reads)
}
