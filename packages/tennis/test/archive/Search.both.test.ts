/** Tests how the search of tennis players ranks its hits, on both databases. */
import { assert, layer } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer } from "effect"
import { PlayerDirectory } from "../../src/archive/players/PlayerDirectory.ts"
import { TennisSummaries } from "../../src/archive/summaries/TennisSummaries.ts"
import { TennisArchive } from "../../src/archive/TennisArchive.ts"
import { TennisArchiveWriter } from "../../src/archive/TennisArchiveWriter.ts"
import { importTennisFiles, type TennisFile } from "./fixtures/tennisFiles.ts"

const players: ReadonlyArray<readonly [id: number, first: string, last: string, bestRank?: number]> = [
  [1, "Novak", "Djokovic", 1],
  [2, "Al", "Novak"],
  [3, "Bo", "Novak", 900],
  [4, "Christopher", "O'Connell", 50],
  [5, "Na", "Li", 2],
  [6, "Alexander", "Zverev", 2],
  [7, "Sascha", "Ebert"],
  [8, "Juan Martin", "del Potro", 3],
  [9, "Julia", "Goerges", 9],
  [10, "Gilles", "Müller", 20],
  [11, "Novakina", "Senn", 3],
  ...Array.from({ length: 30 }, (_, at) => [100 + at, "Twin", "Equal"] as const),
]

const files: ReadonlyArray<TennisFile> = [
  {
    tour: "atp",
    kind: "players",
    lines: [
      "player_id,name_first,name_last,hand,dob,ioc,height,wikidata_id",
      ...players.map(([id, first, last]) => `${id},${first},${last},R,,SRB,,`),
    ],
  },
  {
    tour: "atp",
    kind: "rankings",
    lines: [
      "ranking_date,rank,player,points",
      ...players.flatMap(([id, , , rank]) => (rank === undefined ? [] : [`20200106,${rank},${id},10`])),
    ],
  },
]

onDatabaseOfRun((name, database) => {
  const services = Layer.mergeAll(TennisArchive.layer, TennisSummaries.layer, TennisArchiveWriter.layer)
  const archive = Layer.effectDiscard(importTennisFiles(files)).pipe(
    Layer.provideMerge(services),
    Layer.provideMerge(Migrations.layer),
    Layer.provideMerge(database),
  )

  layer(archive, { timeout: "60 seconds", excludeTestServices: true })(`tennis search on ${name}`, (it) => {
    const hits = (text: string, window: { readonly limit: number; readonly offset?: number } = { limit: 10 }) =>
      Effect.flatMap(PlayerDirectory, ({ search }) => search({ text, ...window, since: undefined }))

    it.effect("puts well-known players before unknown ones whose name fits a little better", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(
          (yield* hits("novak")).map(({ id, match }) => [id, match]),
          [
            ["atp_1", "prefix"],
            ["atp_11", "prefix"],
            ["atp_3", "exact"],
            ["atp_2", "exact"],
          ],
        )
        assert.strictEqual((yield* hits("novak djokovic"))[0]?.match, "exact")
      }),
    )

    it.effect("finds names in other letters, spellings, orders and short forms", () =>
      Effect.gen(function* () {
        for (const [text, id] of [
          ["Đoković", "atp_1"],
          ["Новак Ђоковић", "atp_1"],
          ["djokovic novak", "atp_1"],
          ["o connell", "atp_4"],
          ["O’Connell", "atp_4"],
          ["li na", "atp_5"],
          ["na li", "atp_5"],
          ["sascha", "atp_6"],
          ["sasha zverev", "atp_6"],
          ["delpotro", "atp_8"],
          ["Görges", "atp_9"],
          ["muller", "atp_10"],
          ["Mueller", "atp_10"],
          ["djokovich", "atp_1"],
        ] as const) {
          assert.strictEqual((yield* hits(text))[0]?.id, id, text)
        }
        const listed = yield* Effect.flatMap(PlayerDirectory, ({ list }) =>
          list({ text: "Đoković", order: "fame", limit: 10, offset: 0, since: undefined }),
        )
        assert.deepStrictEqual([listed.rows[0]?.id, listed.total], ["atp_1", 1])
      }),
    )

    it.effect("has one order, which pages follow, and scores that fall", () =>
      Effect.gen(function* () {
        const all = yield* hits("twin equal", { limit: 50 })
        assert.lengthOf(all, 30)
        const paged = []
        for (let offset = 0; offset < 30; offset += 7) paged.push(...(yield* hits("twin equal", { limit: 7, offset })))
        assert.deepStrictEqual(paged, all)
        const scores = (yield* hits("novak")).map(({ score }) => score)
        assert.deepStrictEqual(
          scores,
          scores.toSorted((one, other) => other - one),
        )
        for (const score of scores) assert.isTrue(score >= 0 && score <= 1)
      }),
    )

    it.effect("answers hostile texts with few rows", () =>
      Effect.gen(function* () {
        for (const text of [
          "%",
          "_",
          "\\",
          "' OR 1=1",
          "a ".repeat(50),
          "ö ".repeat(50),
          "x".repeat(100),
          "\u0301".repeat(100),
          "novak ".repeat(16),
        ]) {
          assert.isAtMost((yield* hits(text)).length, 10, text)
        }
        assert.deepStrictEqual(yield* hits("%"), [])
      }),
    )
  })
})
