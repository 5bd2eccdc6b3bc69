/** Tests the identity of entities over time, on every driver. */
import { layer } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { type AnyDatabase, onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Layer } from "effect"
import { identityWrites } from "./writes/identityWrites.ts"

const archive = (driver: AnyDatabase) => Repositories.layer.pipe(Layer.provideMerge(Migrations.layer), Layer.provideMerge(driver))

onDatabaseOfRun((database, driver) => layer(archive(driver), { timeout: "60 seconds" })(`Identity on ${database}`, identityWrites))
