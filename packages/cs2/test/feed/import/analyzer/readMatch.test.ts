/** Conversion of an analyzed match for the archive, apart from statistics: date, teams and confidence. */
import { assert, describe, it } from "@effect/vitest"
import { filesIn, textOf } from "@matchpoint/testing/recordedData"
import { Effect, Result } from "effect"
import { inject } from "vitest"
import { analyzedMapOf } from "../../../../src/feed/import/analyzer/analyzer.ts"
import { matchDate } from "../../../../src/feed/import/analyzer/matchDate.ts"
import { readMatch } from "../../../../src/feed/import/analyzer/readMatch.ts"

const data = inject("dataDirectory")
const folder = [data ?? "", "cs2", "matches"]

describe("the date of a match", () => {
  const told = (date: string, name: string, isCs2 = true) => {
    const found = matchDate(date, name, isCs2)
    return found === undefined ? undefined : [new Date(found.at).toISOString(), found.from]
  }

  it("comes from the file, its name, the year in its name, or the release of the game", () => {
    assert.deepStrictEqual(told("2024-05-01T18:30:00Z", "x_2023_y"), ["2024-05-01T18:30:00.000Z", "file"])
    assert.deepStrictEqual(told("redacted", "fastcup_11851975_202312171749_2023_mirage"), ["2023-12-17T17:49:00.000Z", "name"])
    assert.deepStrictEqual(told("redacted", "5eplay_g161_20231231135244670959707_2023"), ["2023-12-31T13:52:00.000Z", "name"])
    assert.deepStrictEqual(told("redacted", "esplay_nnQccdWWJtkc_2025_vertigo"), ["2025-01-01T00:00:00.000Z", "year"])
    assert.deepStrictEqual(told("redacted", "cup_2023_anubis"), ["2023-09-27T00:00:00.000Z", "year"])
    assert.deepStrictEqual(told("redacted", "some match"), ["2023-09-27T00:00:00.000Z", "game"])
  })

  it("is missing if nothing is known", () => {
    assert.isUndefined(told("redacted", "some match", false))
    // Neither a month 13 nor digits within a longer word are a date.
    assert.deepStrictEqual(told("redacted", "x_202513171749_2025"), ["2025-01-01T00:00:00.000Z", "year"])
    assert.deepStrictEqual(told("redacted", "id6c20251217abc"), ["2023-09-27T00:00:00.000Z", "game"])
  })
})

describe("a file", () => {
  it.effect("that is not an analyzed match is rejected with a reason", () =>
    Effect.gen(function* () {
      assert.match((yield* Effect.flip(analyzedMapOf("{"))).reason, /^not JSON/)
      assert.match((yield* Effect.flip(analyzedMapOf('{"mapName":"de_nuke"}'))).reason, /^not a match file of cs-demo-analyzer/)
    }),
  )
})

describe.skipIf(data === null)("recorded matches converted for the archive", () => {
  const files = data === null ? [] : filesIn(...folder)

  it.effect("are ten separate matches, whose unnamed teams are unique", () =>
    Effect.gen(function* () {
      const matches = yield* Effect.forEach(files, (file) =>
        Effect.map(analyzedMapOf(textOf(...folder, file)), (map) => Result.getOrThrow(readMatch(map))),
      )
      assert.strictEqual(new Set(matches.map(({ key }) => key)).size, 10)
      const teams = matches.flatMap((match) => match.teams)
      const unnamed = teams.filter(({ key }) => key !== undefined)
      // "Team A" and "Team B" of four files.
      assert.lengthOf(unnamed, 8)
      assert.strictEqual(new Set(unnamed.map(({ key }) => key)).size, 8)
      assert.isFalse(teams.some(({ name }) => /^team [ab]$/i.test(name)))
      assert.deepStrictEqual(
        teams
          .filter(({ key }) => key === undefined)
          .map(({ name }) => name)
          .slice(0, 4),
        ["Gort Esports", "kriswinenot's party", "OG Esports", "Monte"],
      )
      const sure = Object.groupBy(matches, ({ confidence }) => confidence)
      assert.deepStrictEqual([sure.high?.length, sure.medium?.length, sure.low?.length], [4, 5, 1])
      for (const match of matches) {
        const [game] = match.games
        assert.strictEqual(match.startsPrecision, match.confidence === "high" ? "minute" : "day")
        assert.strictEqual(game?.rounds.length, (game?.score?.[0] ?? 0) + (game?.score?.[1] ?? 0))
        assert.deepStrictEqual(
          match.lineups
            .flat()
            .map(({ key }) => key)
            .sort(),
          game?.lines.map(({ player }) => player.key).sort(),
        )
        assert.isTrue(game?.events.every(({ clockMs }) => clockMs !== undefined && clockMs >= 0))
      }
    }),
  )
})
