/** The check of point files, as a library on small files and once as the command. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { type Comparison, compare } from "@matchpoint/tennis/feed/replay/classify"
import { formatOf } from "@matchpoint/tennis/feed/replay/matchFormats"
import type { PointRow } from "@matchpoint/tennis/feed/replay/pointRows"
import { pointsCheck } from "@matchpoint/tennis/feed/replay/pointsCheck"
import { agreementOf } from "@matchpoint/tennis/feed/replay/separators"
import { Effect } from "effect"
import { afterAll } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "matchpoint-points-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const header = "pbp_id,date,tny_name,tour,draw,server1,server2,winner,pbp,score,adf_flag,wh_minutes"
/** A set that the first server wins 6-0 or 6-4: service games to love, with breaks of the second server. */
const sixNil = "SSSS;RRRR;SSSS;RRRR;SSSS;RRRR"
const sixFour = "SSSS;SSSS;SSSS;SSSS;SSSS;SSSS;SSSS;SSSS;SSSS;RRRR"
const twoSets = `${sixNil}.${sixFour}`

const line = (points: string, score: string, winner = 1) => `1,28 Jul 11,Some Open,ATP,Main,One,Two,${winner},${points},${score},0,60`

const written = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const row = (points: string, score: string, change: Partial<PointRow> = {}): PointRow => ({
  tournament: "Some Open",
  tour: "ATP",
  draw: "Main",
  sides: ["One", "Two"],
  winner: 0,
  points,
  score,
  ...change,
})

const classOf = (one: Comparison) => (one._tag === "Equal" ? "equal" : `${one.class}${one.restored ? ", restored" : ""}`)

describe("the check of a point file", () => {
  const lines = [header, line(twoSets, "6-0 6-4"), "", line(twoSets, "6-0 6-3"), line(twoSets.slice(0, -1), "6-0 6-4")].join("\r\n")

  for (const [name, content] of [
    ["points.csv", lines],
    ["points.csv.gz", gzipSync(lines)],
  ] as const) {
    it.effect(`reports exceptions by class and ends with the result: ${name}`, () =>
      Effect.gen(function* () {
        const report = yield* pointsCheck.run(written(name, content))
        assert.match(report.join("\n"), /1 {2}score_differs/)
        assert.match(report.join("\n"), /1 {2}last_point_missing.*\(1 equal if restored\)/)
        assert.deepStrictEqual(report.slice(-3), [
          "2 of 3 equal if the lost points are restored from separators and winner",
          "1 of 2 equal among the strings without lost points",
          "1 of 3 scores equal",
        ])
      }),
    )
  }

  const failures: ReadonlyArray<readonly [string, string | Uint8Array, RegExp]> = [
    ["header.csv", "date,winner,pbp\n1,2,3\n", /the header lacks tny_name, tour, draw, server1, server2, score/],
    ["empty.csv", "", /has no matches/],
    ["winner.csv", `${header}\n${line(twoSets, "6-0 6-4", 3)}`, /row 1: winner is "3", not 1 or 2/],
    ["letter.csv", `${header}\n${line("SSXS", "6-0 6-4")}`, /row 1: pbp has the unknown letter "X"/],
    ["broken.csv.gz", Buffer.from("not gzip"), /cannot be unpacked/],
  ]
  for (const [name, content, message] of failures) {
    it.effect(`fails with the reason: ${name}`, () =>
      Effect.gen(function* () {
        assert.match((yield* Effect.flip(pointsCheck.run(written(name, content)))).message, message)
      }),
    )
  }

  it("is a flag of the command, which fails if the file is missing", () => {
    const command = (path: string) =>
      spawnSync(process.execPath, [fileURLToPath(new URL("../../../src/replay.ts", import.meta.url)), path, "--check"], {
        encoding: "utf8",
      })
    const done = command(written("command.csv", `${header}\n${line(twoSets, "6-0 6-4")}\n`))
    assert.deepStrictEqual([done.status, done.stdout], [0, "1 of 1 scores equal\n"])
    const failed = command(join(folder, "missing.csv"))
    assert.strictEqual(failed.status, 1)
    assert.match(failed.stderr, /missing\.csv: the file does not exist/)
  })
})

describe("a difference", () => {
  const cases: ReadonlyArray<readonly [string, string, string, Partial<PointRow>?]> = [
    ["equal", twoSets, "6-0 6-4"],
    ["score_malformed", twoSets, "6-0 7-6(-3)"],
    ["not_over", twoSets, "6-0 6-4", { tournament: "DavisCup" }],
    ["points_after_end", `${twoSets}.SSSS`, "6-0 6-4"],
    ["winner_reversed", twoSets, "6-0 6-4", { winner: 1 }],
    ["letters_misplaced, restored", twoSets.replace("SSSS", "SDSS"), "6-0 6-4"],
    ["games_broken", twoSets.replace("SSSS", "SSS"), "6-0 6-4"],
    ["cut_off", sixNil, "6-0 6-4"],
    ["more_sets", `${twoSets}.${sixNil}`, "6-0 6-4 6-0"],
  ]
  for (const [expected, points, score, change] of cases) {
    it(`has the class ${expected}`, () => {
      const one = compare(row(points, score, change))
      assert.strictEqual(classOf(one), expected)
    })
  }

  it("is not restored if the separators allow both sides to win a game", () => {
    assert.deepStrictEqual(agreementOf("SSSRRRAA;SSSS"), { _tag: "Agrees" })
    assert.deepStrictEqual(agreementOf("SSSRRRDA;SSSS"), { _tag: "LettersMisplaced", resolved: null })
    assert.deepStrictEqual(agreementOf("SSDS;SSSS"), { _tag: "LettersMisplaced", resolved: "SSSS;SSSS" })
    assert.deepStrictEqual(agreementOf("S/RR/SS/RR"), { _tag: "Agrees" })
  })
})

describe("the format of a match", () => {
  it("follows from tournament, tour and draw", () => {
    const short = (tournament: string, tour = "ATP", draw = "Main") => {
      const { bestOf, finalSet } = formatOf(row("", "", { tournament, tour, draw }))
      return `${bestOf} ${finalSet}`
    }
    assert.strictEqual(short("Men'sUSOpen.html"), "5 tie_break")
    assert.strictEqual(short("Gentlemen'sWimbledonSingles"), "5 advantage")
    assert.strictEqual(short("Gentlemen'sWimbledonSinglesFinalRoundQualifying", "ATP", "Qual"), "5 advantage")
    assert.strictEqual(short("Men'sFrenchOpenQualifying", "ATP", "Qual"), "3 advantage")
    assert.strictEqual(short("WomensAustralianOpen", "WTA"), "3 advantage")
    assert.strictEqual(short("Women'sUSOpen", "WTA"), "3 tie_break")
    assert.strictEqual(short("DavisCup"), "5 advantage")
    assert.strictEqual(short("ZZFedCup2014", "WTA"), "3 advantage")
    assert.strictEqual(short("InternationalWomensOpen-WTAGuangzhou", "WTA"), "3 tie_break")
  })
})
