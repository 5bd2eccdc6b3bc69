/** The archive repositories on a fresh database with the sample. All read suites run on it; none writes. */
import type { Vitest } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import type { AnyDatabase } from "@matchpoint/testing/bothRuns"
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { Archive } from "../../src/archive/Archive.ts"
import { insertSampleArchive } from "./fixtures/sampleArchive.ts"

/** Current time of the sample. Its times are relative to this. */
export const SAMPLE_NOW = Date.parse("2026-11-22T12:00:00Z")

export const sampled = (driver: AnyDatabase) =>
  Archive.layer.pipe(
    Layer.merge(Layer.effectDiscard(insertSampleArchive(SAMPLE_NOW))),
    Layer.provide(Migrations.layer),
    Layer.provideMerge(driver),
  )

export type ArchiveIt = Vitest.MethodsNonLive<Layer.Success<typeof Archive.layer> | SqlClient.SqlClient>
