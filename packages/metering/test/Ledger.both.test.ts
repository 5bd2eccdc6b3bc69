import { describe, layer } from "@effect/vitest"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Layer } from "effect"
import { TestClock } from "effect/testing"
import { Books } from "./Books.ts"
import { ledgerSuite } from "./ledgerSuite.ts"

/** Builds a layer in real time, because starting a database takes time and the suite's clock stands still. */
const started = <A, E>(books: Layer.Layer<A, E>) => Layer.effectContext(TestClock.withLive(Layer.build(books)))

const long = { timeout: "60 seconds" } as const

describe("Ledger", () => {
  layer(Books.layerMemory)("in memory", ledgerSuite)

  onDatabaseOfRun((name, database) => layer(started(Layer.provide(Books.layerStored, database)), long)(`on ${name}`, ledgerSuite))
})
