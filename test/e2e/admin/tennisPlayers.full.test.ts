/** Tests the merges of tennis players at the admin command line, on a real server. */
import { assert, it } from "@effect/vitest"
import { TennisSummaries } from "@matchpoint/tennis/archive/summaries/TennisSummaries"
import { TennisArchiveWriter } from "@matchpoint/tennis/archive/TennisArchiveWriter"
import { PlayerMergeCandidate } from "@matchpoint/tennis/contract/http/admin/PlayerMergesApi"
import { Effect, Layer, Schema } from "effect"
import { namesakes } from "../../../packages/tennis/test/archive/fixtures/namesakes.ts"
import { importTennisFiles } from "../../../packages/tennis/test/archive/fixtures/tennisFiles.ts"
import { AdminServer, adminServer, TOKEN } from "../../../services/gateway/test/admin/adminServer.ts"
import { runAdmin } from "./adminCommand.ts"

const tennisPlayers = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const { url } = yield* AdminServer
  return yield* runAdmin(["tennis-players", ...args, "--url", new URL(url).origin, "--as", "Ada"], { MATCHPOINT_ADMIN_TOKEN: TOKEN })
})

const candidates = Effect.gen(function* () {
  const { code, stderr, stdout } = yield* tennisPlayers("candidates", "--json")
  assert.strictEqual(code, 0, stderr)
  return yield* Effect.orDie(Schema.decodeEffect(Schema.fromJsonString(Schema.Array(PlayerMergeCandidate)))(stdout))
})

const archive = Layer.effectDiscard(importTennisFiles(namesakes)).pipe(
  Layer.provide(Layer.mergeAll(TennisArchiveWriter.layer, TennisSummaries.layer)),
  Layer.provideMerge(adminServer()),
)

it.layer(archive, { excludeTestServices: true, timeout: "120 seconds" })("npm run admin -- tennis-players", (it) => {
  it.effect(
    "lists candidates, merges a certain pair, and explains why other merges are rejected",
    () =>
      Effect.gen(function* () {
        const rows = (yield* tennisPlayers("candidates")).stdout.split("\n").map((row) => row.trim().split(/ {2,}/u))
        assert.deepStrictEqual(rows.slice(0, 3), [
          ["PLAYER", "MATCHES", "INTO", "MATCHES", "NAME", "BORN", "COUNTRY", "AGAINST"],
          ["atp_2", "1", "atp_1", "2", "AL Ablé", "1980-04-05", "USA", "- (certain)"],
          ["atp_4", "1", "atp_3", "1", "Bo Baker", "1981-05-06", "FRA", "have_met"],
        ])

        const merged = yield* tennisPlayers("merge", "atp_2", "atp_1", "--reason", "same person")
        assert.deepStrictEqual([merged.code, merged.stderr], [0, ""])
        assert.deepStrictEqual(
          merged.stdout
            .trim()
            .split("\n")
            .map((line) => line.split(/ +/u)),
          [
            ["action", "merge"],
            ["player", "atp_2"],
            ["into", "atp_1"],
          ],
        )
        assert.deepStrictEqual(
          (yield* candidates).map(({ playerId }) => playerId),
          ["atp_4", "atp_6", "atp_8"],
        )
        const { api } = yield* AdminServer
        const [entry] = (yield* api.audit({ query: {} })).data
        assert.deepInclude(entry, {
          actor: "Ada",
          action: "tennis_player.merge",
          details: { player: "atp_2", into: "atp_1", reason: "same person" },
        })

        const rejected = [
          {
            args: ["merge", "atp_99", "atp_1"],
            expected: "no player has the id atp_99; GET /api/v1/tennis/players/search?q=<name> finds ids",
          },
          { args: ["merge", "atp_1", "atp_1"], expected: "a player cannot be merged into itself" },
          { args: ["merge", "atp_2", "atp_1"], expected: "atp_2 was merged into atp_1; use this id instead" },
          { args: ["merge", "atp_1", "atp_2"], expected: "atp_2 was merged into atp_1; use this id instead" },
          { args: ["merge", "atp_4", "atp_3"], expected: "they played each other in the match" },
          { args: ["merge", "atp_6", "atp_5"], expected: "both are in the ranking list of 2019-05-20" },
          { args: ["merge", "Able", "atp_1"], expected: "invalid input" },
          { args: ["merge", "atp_1"], expected: "into" },
        ]
        const results = yield* Effect.forEach(rejected, ({ args }) => tennisPlayers(...args), { concurrency: 2 })
        for (const [index, { code, stderr, stdout }] of results.entries()) {
          const { args, expected = "" } = rejected[index] ?? {}
          assert.strictEqual(code, 1, args?.join(" "))
          assert.include(stderr + stdout, expected)
        }
        assert.lengthOf((yield* api.audit({ query: {} })).data, 1)
      }),
    120_000,
  )
})
