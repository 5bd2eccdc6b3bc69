import { assert, describe, it } from "@effect/vitest"
import { matchReader, playerReader, type RowReader, rankingReader } from "../../../src/rules/archive/archiveRows.ts"
import { computedColumns, singlesColumns } from "../../../src/rules/archive/columns.ts"
import { cellsOf, dateOf } from "../../../src/rules/archive/readLine.ts"

const names = [...computedColumns, ...singlesColumns.map(({ name }) => name)]

/** Reads one line and returns the named columns, or the reason for the rejection. */
const read = (reader: RowReader | string, line: string, ...columns: ReadonlyArray<string>) => {
  if (typeof reader === "string") return reader
  const row = reader(line)
  return typeof row === "string" ? row : columns.map((column) => row.cells[names.indexOf(column)])
}

const header = "tourney_id,tourney_name,tourney_date,match_num,winner_id,winner_name,loser_id,loser_name,score,round,winner_ht"
const line = '2003-500,"Halle, Westf.",20030609,7,101,Ann Able,102,Bea Best,7-6(4) 6-3,F,1.85'

describe("matchReader", () => {
  it("reads columns by name", () => {
    const columns = ["match_id", "match_date", "winner_id", "tournament_name", "winner_height_cm", "winner_games", "tiebreak_points"]
    const expected = ["atp-tour-2003-500-7", "2003-06-09", "atp_101", "Halle, Westf.", 185, [7, 6], [4, null]]
    assert.deepStrictEqual(read(matchReader(header, "atp", "tour"), line, ...columns), expected)
    const cells = cellsOf(line).map((cell) => (cell.includes(",") ? `"${cell}"` : cell))
    const reversed = matchReader(header.split(",").reverse().join(","), "atp", "tour")
    assert.deepStrictEqual(read(reversed, cells.reverse().join(","), ...columns), expected)
  })

  it("marks dates as the start of the tournament unless a source gave the days", () => {
    const dated = (text: string, source?: string) =>
      read(matchReader(header, "atp", "tour", source), text, "date_is_tournament_start", "date_source")
    assert.deepStrictEqual(dated(line), [true, null])
    assert.deepStrictEqual(dated(line.replace("20030609", "20240614")), [true, null])
    assert.deepStrictEqual(dated(line, "simulator"), [false, "simulator"])
  })

  it("compares the score with the number of sets, which is three in the lower groups of team cups", () => {
    const reader = (tour: "atp" | "wta") => matchReader(`${header},best_of,tourney_level`, tour, "tour")
    const scored = (tour: "atp" | "wta", name: string, score: string) =>
      read(reader(tour), `2010-9,${name},20100308,7,1,A,2,B,${score},RR,,5,D`, "best_of", "ending")
    assert.deepStrictEqual(scored("atp", "Davis Cup WG R1: ESP vs SUI", "6-4 6-4"), [5, "unknown"])
    assert.deepStrictEqual(scored("atp", "Davis Cup WG R1: ESP vs SUI", "6-4 6-4 7-5"), [5, "completed"])
    for (const name of ["Davis Cup G3 RR: CYP vs MNE", "Davis Cup Group IV: OMA vs IRQ"]) {
      assert.deepStrictEqual(scored("atp", name, "6-4 6-4"), [3, "completed"])
    }
    assert.deepStrictEqual(scored("wta", "Fed Cup G1 RRA: PHI vs MAS", "6-4 6-4"), [3, "completed"])
  })

  it("identifies a WTA match by its content and an ATP match by its number", () => {
    const other = line.replace(",7,101", ",8,101")
    assert.deepStrictEqual(
      read(matchReader(header, "wta", "tour"), line, "match_id"),
      read(matchReader(header, "wta", "tour"), other, "match_id"),
    )
    assert.deepStrictEqual(read(matchReader(header, "wta", "tour"), other, "match_id"), ["wta-tour-2003-500-101-102-F-7-6.4._6-3"])
    assert.deepStrictEqual(read(matchReader(header, "atp", "tour"), other, "match_id"), ["atp-tour-2003-500-8"])
  })

  it("separates the circuits", () => {
    assert.deepStrictEqual(read(matchReader(header, "atp", "futures"), line, "match_id"), ["atp-futures-2003-500-7"])
  })

  it("separates qualifying matches from main draws in doubles, where their numbers overlap", () => {
    const reader = matchReader("tourney_id,tourney_date,match_num,winner1_id,winner2_id,loser1_id,loser2_id,score,round", "atp", "doubles")
    assert.deepStrictEqual(read(reader, "2016-540,20160627,5,1,2,3,4,6-4 6-4,Q1", "match_id"), ["atp-doubles-2016-540-Q1-5"])
    assert.deepStrictEqual(read(reader, "2016-540,20160627,5,5,6,7,8,6-4 6-4,R64", "match_id"), ["atp-doubles-2016-540-R64-5"])
  })

  it("accepts lines without their last empty cells, or with additional empty ones", () => {
    const reader = matchReader(header, "atp", "tour")
    assert.deepStrictEqual(read(reader, line.replace(",1.85", ""), "winner_height_cm"), [null])
    assert.deepStrictEqual(read(reader, `${line},,`, "winner_height_cm"), [185])
  })

  it.each([
    ["a,b", "2 cells, expected 11"],
    [`${line},x`, "12 cells, expected 11"],
    [line.replace("20030609", "20030631"), "tourney_date is not a date: 20030631"],
    [line.replace(",101,", ",ABC1,"), "winner_id is not a number: ABC1"],
    [line.replace(",7,101", ",,101"), "match_num is not a number: "],
  ])("rejects %s", (bad, reason) => {
    assert.strictEqual(read(matchReader(header, "atp", "tour"), bad), reason)
  })

  it("names a column that is missing in the header", () => {
    assert.strictEqual(matchReader(header.replace("score", "result"), "atp", "tour"), "score")
    assert.strictEqual(matchReader(header, "atp", "doubles"), "winner1_id")
  })
})

describe("playerReader and rankingReader", () => {
  it("read players, also with an impossible birth date", () => {
    const reader = playerReader("player_id,name_first,name_last,hand,dob,ioc,height,wikidata_id", "wta")
    assert.isFunction(reader)
    if (typeof reader === "string") return
    assert.deepStrictEqual(reader("200,Ann,O'Neil,R,19000000,GBR,170,"), {
      id: "wta_200",
      cells: ["wta_200", "wta", "Ann", "O'Neil", "R", null, "GBR", 170, null],
    })
  })

  it.each([
    ["ranking_date,rank,player,points", "20240101,3,7,100", null],
    ["ranking_date,ranking,player_id,ranking_points,,date", "20240101,3,7,100,,2024-01-01", null],
    ["ranking_date,rank,player,points,tours", "20240101,3,7,100,19", 19],
  ])("read rankings with the header %s", (rankingHeader, ranking, tournaments) => {
    const reader = rankingReader(rankingHeader, "atp")
    assert.isFunction(reader)
    if (typeof reader === "string") return
    assert.deepStrictEqual(reader(ranking), {
      id: "atp_7 2024-01-01",
      cells: ["atp_7", "2024-01-01", "atp", 3, 100, tournaments],
    })
  })
})

describe("cellsOf and dateOf", () => {
  it("keep commas and quotes of quoted cells", () => {
    assert.deepStrictEqual(cellsOf('a,"b, ""c""",,"d"'), ["a", 'b, "c"', "", "d"])
    assert.deepStrictEqual(cellsOf('"a",'), ["a", ""])
  })

  it("accept only days that exist", () => {
    assert.strictEqual(dateOf("20240229"), "2024-02-29")
    assert.isNull(dateOf("20230229"))
    assert.isNull(dateOf("2024-1-1"))
  })
})
