/** What writing the archive promises, on every driver; each test has a database of its own. */
import { describe, inject } from "vitest"
import { embeddedMemory, postgresDatabase } from "../drivers.ts"
import { matchWrites } from "./matchWrites.ts"

describe("Embedded", () => {
  matchWrites(embeddedMemory)
})

const databaseUrl = inject("databaseUrl")
describe.skipIf(databaseUrl === null)("Postgres (needs DATABASE_URL)", () => {
  matchWrites(postgresDatabase(String(databaseUrl)))
})
