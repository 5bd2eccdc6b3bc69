/**
 * Upgrades: a match in play goes on with the data that earlier versions have left in the embedded log and in its
 * checkpoint. The data is in test/fixtures/upgrades.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { describe, it } from "@effect/vitest"
import * as EventLogFile from "@matchpoint/bus/EventLogFile"
import { currentSubject, streams } from "@matchpoint/contracts/bus/subjects"
import type { Checkpoint } from "@matchpoint/store/live/Checkpoints"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Effect, Layer } from "effect"
import { checkpointOf, goesOn, services, upgradesFolder, versions } from "../../fixtures/upgradedMatch.ts"

/** The embedded log with a copy of the data that a version has left. Records are kept however old they are. */
const logOf = (version: string) =>
  Layer.unwrap(
    Effect.map(temporaryDirectory, (directory) => {
      for (const stream of ["FEED", "LIVE", "DIRECTORY"]) {
        mkdirSync(join(directory, stream))
        writeFileSync(
          join(directory, stream, "0000000000000001.log"),
          gunzipSync(readFileSync(join(upgradesFolder, version, `${stream}.log.gz`))),
        )
      }
      const specs = streams.map(({ maxBytes, name, subjects }) => ({ name, subjects, maxBytes }))
      return EventLogFile.layer({ directory, streams: specs, currentSubject })
    }),
  )

describe("upgrade", () => {
  for (const version of versions) {
    for (const known of [checkpointOf(version), undefined]) {
      it.live(`${version}: the match goes on ${known === undefined ? "without its checkpoint" : "from its checkpoint"}`, () => {
        const saved: Array<Checkpoint> = []
        return goesOn(saved).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(services(known, saved), logOf(version))))
      })
    }
  }
})
