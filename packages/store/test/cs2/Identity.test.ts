/** Tests the identity of entities over time, on every driver. */

import { layer } from "@effect/vitest"
import { embeddedMemory, postgresDatabase } from "@matchpoint/testing/databases"
import { Layer } from "effect"
import { describe, inject, it } from "vitest"
import { Migrations } from "../../src/database/Migrations.ts"
import { Repositories } from "../../src/Repositories.ts"
import { identityWrites } from "./writes/identityWrites.ts"

const archive = (driver: typeof embeddedMemory) => Repositories.layer.pipe(Layer.provideMerge(Migrations.layer), Layer.provideMerge(driver))

layer(archive(embeddedMemory), { timeout: "60 seconds" })("Embedded", identityWrites)

const databaseUrl = inject("databaseUrl")
if (databaseUrl === null) {
  describe("Postgres", () =>
    it.skip("needs a PostgreSQL server: set DATABASE_URL to a database whose user may create databases", () => undefined))
} else {
  layer(archive(postgresDatabase(databaseUrl)), { timeout: "60 seconds" })("Postgres", identityWrites)
}
