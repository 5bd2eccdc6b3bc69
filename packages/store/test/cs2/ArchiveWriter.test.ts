/** Tests writes to the archive on every driver. */

import { layer } from "@effect/vitest"
import { embeddedMemory, postgresDatabase } from "@matchpoint/testing/databases"
import { describe, inject, it } from "vitest"
import { type WriterIt, writing } from "./emptied.ts"
import { matchWrites } from "./writes/matchWrites.ts"
import { sheetWrites } from "./writes/sheetWrites.ts"
import { writesInAnyOrder } from "./writes/writesInAnyOrder.ts"

const writes = (it: WriterIt) => {
  matchWrites(it)
  sheetWrites(it)
  writesInAnyOrder(it)
}

layer(writing(embeddedMemory), { timeout: "60 seconds" })("Embedded", writes)

const databaseUrl = inject("databaseUrl")
if (databaseUrl === null) {
  describe("Postgres", () =>
    it.skip("needs a PostgreSQL server: set DATABASE_URL to a database whose user may create databases", () => undefined))
} else {
  layer(writing(postgresDatabase(databaseUrl)), { timeout: "60 seconds" })("Postgres", writes)
}
