/** Tests what lobby files and descriptions of tournaments are read as. */
import { assert, describe, it } from "@effect/vitest"
import { arePlacementsUsable } from "../../../src/rules/archive/files/lobbyFile.ts"
import { readLobbyLine, readPlayerLine } from "../../../src/rules/archive/files/lobbyLines.ts"
import { mapsOfRotation, slugOf, tournamentOfFolder } from "../../../src/rules/archive/files/tournamentFile.ts"

describe("rotation of maps", () => {
  const maps = (rotation: string | undefined, games: number) => mapsOfRotation(rotation, games, { "E-DISTRICT": "E-District" })

  it("has the map of each game", () => {
    assert.deepStrictEqual(maps("E-DISTRICT (2) → Storm Point (1)", 3), ["E-District", "E-District", "Storm Point"])
    assert.deepStrictEqual(maps("E-DISTRICT → Storm Point", 4), ["E-District", "E-District", "Storm Point", "Storm Point"])
    assert.deepStrictEqual(maps("Storm Point (1) → Mixed (1)", 2), ["Storm Point", null])
  })

  it("is unknown if it does not fit the number of games", () => {
    for (const rotation of [undefined, "Storm Point (3)", "Storm Point → E-DISTRICT → Mixed"]) {
      assert.deepStrictEqual(maps(rotation, 2), [null, null])
    }
  })
})

describe("lobby files", () => {
  const line = { Team: " North ", Rank: "1", Game: "2", Placement: "3", Kills: "4", Points: "11" }

  it("have lines with whole numbers within bounds", () => {
    const read = { teamName: "North", rank: 1, gameNumber: 2, placement: 3, kills: 4, points: 11 }
    assert.deepStrictEqual(readLobbyLine(line), read)
    assert.strictEqual(readLobbyLine({ ...line, Placement: "21" }), "Placement is 21, expected 1 to 20")
    assert.strictEqual(readLobbyLine({ ...line, Kills: "-1" }), "Kills is not a whole number: -1")
    assert.strictEqual(readLobbyLine({ ...line, Team: " " }), "Team is empty or longer than 120 characters")
  })

  it("have players with statistics that may be missing", () => {
    const player = readPlayerLine({ Game: "1", Team: "North", PlayerId: "n1", Player: "Ann", Kills: "2", Damage: "" })
    assert.isObject(player)
    assert.deepInclude(typeof player === "string" ? {} : player.player, { playerName: "Ann", legend: null, kills: 2 })
    assert.match(String(readPlayerLine({ Game: "1", Team: "North", PlayerId: "n 1", Player: "Ann" })), /^PlayerId is no id/u)
  })

  it("have usable placements if no two teams share one", () => {
    assert.isTrue(arePlacementsUsable([1, 3, 2]))
    assert.isFalse(arePlacementsUsable([1, 20, 20]))
  })
})

describe("ids", () => {
  it("are made of the names of folders and files", () => {
    assert.strictEqual(tournamentOfFolder("year4champions"), "year-4-championship")
    assert.strictEqual(tournamentOfFolder("Split 1 (EMEA)"), "split-1-emea")
    assert.strictEqual(slugOf("Day3-LastChance"), "day3-lastchance")
  })
})
