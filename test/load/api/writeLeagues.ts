// Owns the rows of the leagues: writes the simulated seasons of Call of Duty and Apex into a database whose archives of
// these games are empty: `node writeLeagues.ts --database <url>` or `--data <directory>`.
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { seriesSample } from "@matchpoint/apex/sample/seriesSample"
import { leagueSample } from "@matchpoint/cod/sample/leagueSample"
import { fillArchive } from "@matchpoint/game/sample/SampleArchives"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { Embedded } from "@matchpoint/store/database/Embedded"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Effect, Layer, Redacted } from "effect"

const { values } = parseArgs({ options: { database: { type: "string" }, data: { type: "string", default: ".data" } } })

const Database =
  values.database === undefined
    ? Embedded.layer({ directory: join(values.data, "database") })
    : Postgres.layer({ url: Redacted.make(values.database) })

const Store = Repositories.layer.pipe(Layer.provide(Migrations.layer), Layer.provideMerge(Database), Layer.provideMerge(NodeServices.layer))

NodeRuntime.runMain(Effect.provide(Effect.andThen(fillArchive(leagueSample), fillArchive(seriesSample)), Store))
