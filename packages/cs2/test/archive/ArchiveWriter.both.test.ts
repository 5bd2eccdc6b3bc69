/** Tests writes to the archive on every driver. */
import { layer } from "@effect/vitest"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { type WriterIt, writing } from "./emptied.ts"
import { matchWrites } from "./writes/matchWrites.ts"
import { sheetWrites } from "./writes/sheetWrites.ts"
import { writesInAnyOrder } from "./writes/writesInAnyOrder.ts"

const writes = (it: WriterIt) => {
  matchWrites(it)
  sheetWrites(it)
  writesInAnyOrder(it)
}

onDatabaseOfRun((database, driver) => layer(writing(driver), { timeout: "60 seconds" })(`ArchiveWriter on ${database}`, writes))
