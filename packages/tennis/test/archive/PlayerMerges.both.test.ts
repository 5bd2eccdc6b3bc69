/** Tests the candidates for merging of tennis players, and merges, on both databases. */
import { assert, layer } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer, Option } from "effect"
import { PlayerMerges } from "../../src/archive/merges/PlayerMerges.ts"
import { PlayerCareers } from "../../src/archive/players/PlayerCareers.ts"
import { PlayerDirectory } from "../../src/archive/players/PlayerDirectory.ts"
import { TennisSummaries } from "../../src/archive/summaries/TennisSummaries.ts"
import { TennisArchive } from "../../src/archive/TennisArchive.ts"
import { TennisArchiveWriter } from "../../src/archive/TennisArchiveWriter.ts"
import { namesakes } from "./fixtures/namesakes.ts"
import { importTennisFiles, writeTennisFiles } from "./fixtures/tennisFiles.ts"

const author = { actor: "Ada", reason: null }

onDatabaseOfRun((name, database) => {
  const services = Layer.mergeAll(TennisArchive.layer, TennisSummaries.layer, TennisArchiveWriter.layer)
  const archive = Layer.effectDiscard(importTennisFiles(namesakes)).pipe(
    Layer.provideMerge(services),
    Layer.provideMerge(Migrations.layer),
    Layer.provideMerge(database),
  )

  layer(archive, { timeout: "60 seconds", excludeTestServices: true })(`merges of tennis players on ${name}`, (it) => {
    const career = (id: string) =>
      Effect.flatMap(PlayerCareers, ({ profile }) =>
        Effect.map(
          profile(id, undefined),
          Option.match({
            onNone: () => undefined,
            onSome: (found) => [found.career.matches, found.career.titles, found.career_high?.rank],
          }),
        ),
      )

    it.effect("lists namesakes of equal age and country, and the reasons against a merge", () =>
      Effect.gen(function* () {
        const found = yield* Effect.flatMap(PlayerMerges, ({ candidates }) => candidates)
        assert.deepStrictEqual(
          found.map(({ against, intoId, playerId }) => [playerId, intoId, against]),
          [
            ["atp_2", "atp_1", null],
            ["atp_4", "atp_3", "have_met"],
            ["atp_6", "atp_5", "same_ranking_list"],
            ["atp_8", "atp_7", "uncertain_birth_date"],
          ],
        )
      }),
    )

    it.effect("rejects merges of players who cannot be one", () =>
      Effect.gen(function* () {
        const { merge } = yield* PlayerMerges
        for (const [player, into, kind, part] of [
          ["atp_4", "atp_3", "conflict", "played each other"],
          ["atp_6", "atp_5", "conflict", "ranking list of 2019-05-20"],
          ["atp_1", "atp_1", "conflict", "itself"],
          ["atp_99", "atp_1", "unknown_player", "atp_99"],
          ["atp_1", "atp_99", "unknown_player", "atp_99"],
        ] as const) {
          const failure = yield* Effect.flip(merge({ player, into }, author))
          assert.strictEqual(failure._tag, "MergeRejected")
          if (failure._tag === "MergeRejected")
            assert.deepStrictEqual([failure.kind, failure.message.includes(part)], [kind, true], failure.message)
        }
      }),
    )

    it.effect("moves matches, titles and rankings, now and after an import of the same files", () =>
      Effect.gen(function* () {
        const { currentOf, merge, reapply } = yield* PlayerMerges
        assert.deepStrictEqual(yield* career("atp_1"), [2, 2, 5])
        yield* merge({ player: "atp_2", into: "atp_1" }, author)
        const expectMerged = Effect.gen(function* () {
          assert.deepStrictEqual(yield* career("atp_1"), [3, 3, 3])
          assert.isUndefined(yield* career("atp_2"))
          assert.deepStrictEqual([...(yield* currentOf(["atp_1", "atp_2", "atp_99"]))], [["atp_2", "atp_1"]])
          assert.strictEqual((yield* currentOf([])).size, 0)
          const hits = yield* Effect.flatMap(PlayerDirectory, ({ search }) => search({ text: "able", limit: 5, since: undefined }))
          assert.deepStrictEqual(
            hits.map(({ id }) => id),
            ["atp_1"],
          )
        })
        yield* expectMerged
        yield* writeTennisFiles(namesakes)
        yield* reapply
        yield* Effect.flatMap(TennisSummaries, ({ rebuild }) => rebuild)
        yield* expectMerged
        for (const given of [
          { player: "atp_2", into: "atp_1" },
          { player: "atp_1", into: "atp_2" },
        ]) {
          const failure = yield* Effect.flip(merge(given, author))
          assert.deepInclude(failure, {
            _tag: "MergeRejected",
            kind: "conflict",
            message: "atp_2 was merged into atp_1; use this id instead",
          })
        }
      }),
    )

    it.effect("lead to the remaining player if that one is merged as well", () =>
      Effect.gen(function* () {
        const { currentOf, merge } = yield* PlayerMerges
        yield* merge({ player: "atp_1", into: "atp_10" }, author)
        assert.deepStrictEqual([...(yield* currentOf(["atp_1", "atp_2"]))].toSorted(), [
          ["atp_1", "atp_10"],
          ["atp_2", "atp_10"],
        ])
      }),
    )
  })
})
