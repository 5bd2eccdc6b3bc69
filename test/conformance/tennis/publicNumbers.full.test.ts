/** Checks that the numbers computed from the files of an archive are those that are publicly known. */
import { assert, describe, it } from "@effect/vitest"
import { beforeAll, inject } from "vitest"
import { type PublicNumbers, players, publicNumbers } from "./publicNumbers.ts"

const dataDirectory = inject("dataDirectory")

type Name = keyof typeof players

const nameOf = (id: string) => Object.entries(players).find(([, known]) => known === id)?.[0] ?? id

/** Wins without walkovers, as published by the tours. */
const records: ReadonlyArray<readonly [Name, Name, number, number]> = [
  ["federer", "nadal", 16, 24],
  ["djokovic", "nadal", 31, 29],
  ["djokovic", "federer", 27, 23],
  ["sampras", "agassi", 20, 14],
  ["lendl", "mcEnroe", 21, 15],
  ["borg", "mcEnroe", 7, 7],
  ["becker", "edberg", 25, 10],
  ["serena", "venus", 19, 12],
  // The published record is 37-43. The archive also has an exhibition of 1983.
  ["evert", "navratilova", 37, 44],
  ["graf", "seles", 10, 5],
  ["navratilova", "graf", 9, 9],
  ["henin", "clijsters", 12, 13],
]

/** Players whose titles in the archive are exactly the published ones. */
const titles: ReadonlyArray<readonly [Name, number, Readonly<Record<string, number>>]> = [
  ["federer", 103, { Hard: 71, Grass: 19, Clay: 11, Carpet: 2 }],
  ["nadal", 92, { Clay: 63, Hard: 25, Grass: 4 }],
  ["agassi", 60, { Hard: 46, Clay: 7, Carpet: 6, Grass: 1 }],
]

/** Players that led their tour in aces. The tours do not count some team competitions, so counts may be lower there. */
const aceLeaders = [
  ["atp", 1996, "atp_101964", "Ivanisevic"],
  ["atp", 2004, "atp_104053", "Roddick"],
  ["atp", 2007, "atp_103333", "Karlovic"],
  ["atp", 2010, "atp_104545", "Isner"],
  ["atp", 2015, "atp_103333", "Karlovic"],
  ["wta", 2012, "wta_200033", "S. Williams"],
  ["wta", 2016, "wta_201662", "Ka. Pliskova"],
] as const

/** Published weeks at number one of players whose lists the archive has. One week may be missing in it. */
const weeks = [
  ["atp_101948", 286, "Sampras"],
  ["atp_101736", 101, "Agassi"],
  ["atp_103720", 80, "Hewitt"],
  ["atp_101222", 72, "Edberg"],
  ["atp_101793", 58, "Courier"],
  ["atp_102856", 43, "Kuerten"],
  ["atp_104053", 13, "Roddick"],
  ["atp_101414", 12, "Becker"],
  ["wta_200414", 377, "Graf"],
  ["wta_200033", 319, "S. Williams"],
  ["wta_200001", 209, "Hingis"],
  ["wta_200652", 178, "Seles"],
  ["wta_200003", 117, "Henin"],
  ["wta_200128", 98, "Davenport"],
  ["wta_201458", 51, "Azarenka"],
  ["wta_200065", 39, "Mauresmo"],
] as const

describe.skipIf(dataDirectory === null)("publicly known numbers of tennis, from the files", () => {
  let numbers: PublicNumbers

  beforeAll(() => {
    numbers = publicNumbers(dataDirectory ?? "")
  }, 120_000)

  it("has the head-to-head records of famous pairs", () => {
    assert.deepStrictEqual(
      numbers.headToHeads.map(({ played, playerIds: [one, other] }) => [nameOf(one), nameOf(other), ...played]),
      records.map((record) => [...record]),
    )
  })

  it("splits head-to-head records by surface without loss", () => {
    const sum = (surfaces: Readonly<Record<string, number>>) => Object.values(surfaces).reduce((total, count) => total + count, 0)
    for (const { played, surfaces } of numbers.headToHeads) assert.deepStrictEqual(surfaces.map(sum), [...played])
    const [federer] = numbers.headToHeads
    assert.deepStrictEqual(federer?.surfaces[1], { Clay: 14, Hard: 9, Grass: 1 })
  })

  it("has the titles of famous players by surface", () => {
    for (const [name, total, surfaces] of titles) {
      const known = numbers.titles.find(({ playerId }) => playerId === players[name])
      assert.deepStrictEqual([known?.total, known?.surfaces], [total, surfaces], name)
    }
    assert.strictEqual(numbers.titles.find(({ playerId }) => playerId === players.serena)?.total, 73)
  })

  it("has the players with the most aces of a season", () => {
    for (const [tour, year, playerId, name] of aceLeaders) {
      const season = numbers.aces.find((one) => one.tour === tour && one.year === year)
      assert.strictEqual(season?.leaders[0]?.playerId, playerId, name)
    }
    const acesOf = (year: number) => numbers.aces.find((one) => one.tour === "atp" && one.year === year)?.leaders[0]?.aces
    assert.deepStrictEqual([acesOf(2004), acesOf(2010)], [1_017, 1_048])
  })

  it("has the weeks at number one, where the archive has the lists", () => {
    for (const [id, published, name] of weeks) {
      const counted = numbers.numberOnes.find(({ playerId }) => playerId === id)?.weeks ?? 0
      assert.isTrue(counted >= published - 1 && counted <= published, `${name}: ${counted} instead of ${published}`)
    }
  })
})
