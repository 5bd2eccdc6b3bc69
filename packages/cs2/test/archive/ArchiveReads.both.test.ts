/** Tests reads of the archive on every driver. */
import { layer } from "@effect/vitest"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
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

onDatabaseOfRun((database, driver) => layer(sampled(driver), { timeout: "60 seconds" })(`ArchiveReads on ${database}`, reads))
