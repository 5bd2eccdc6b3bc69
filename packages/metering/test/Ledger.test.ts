import { describe, layer } from "@effect/vitest"
import { Embedded } from "@matchpoint/store/Embedded"
import { Postgres } from "@matchpoint/store/Postgres"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import { temporaryDatabase } from "../../../test/fixtures/temporaryDatabase.ts"
import { Books } from "./books.ts"
import { ledgerSuite } from "./ledgerSuite.ts"

/** Starting a database takes real time, also in a suite whose own clock stands still. */
const started = <A, E>(books: Layer.Layer<A, E>) => Layer.effectContext(TestClock.withLive(Layer.build(books)))

const long = { timeout: "60 seconds" } as const

describe("Ledger", () => {
  layer(Books.layerMemory)("in memory", ledgerSuite)

  layer(started(Layer.provide(Books.layerStored, Embedded.layer({ directory: null }))), long)("on PGlite", ledgerSuite)

  const databaseUrl = inject("databaseUrl")
  if (databaseUrl !== null) {
    const database = Layer.unwrap(Effect.map(temporaryDatabase(databaseUrl), (url) => Postgres.layer({ url })))
    layer(started(Layer.provide(Books.layerStored, database)), long)("on Postgres", ledgerSuite)
  }
})
