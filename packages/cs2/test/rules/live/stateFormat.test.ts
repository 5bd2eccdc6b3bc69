/**
 * A checkpoint has the fields of the version that wrote it. If a field of the state is added or removed, raise `STATE_FORMAT`, extend
 * `migrateState`, and change the list here. An optional field that older checkpoints may lack needs no new number.
 */
import { assert, describe, it } from "@effect/vitest"
import { STATE_FORMAT } from "../../../src/rules/live/state.ts"
import { b1, r1, red, Script } from "./script.ts"

/** Names of the fields of each object within `value`, by path. Elements of an array share one path. */
const fieldsOf = (value: object): Readonly<Record<string, string>> => {
  const places: Record<string, string> = {}
  const visit = (place: string, part: unknown): void => {
    if (Array.isArray(part)) {
      for (const element of part) visit(place, element)
    } else if (typeof part === "object" && part !== null) {
      places[place] = Object.keys(part).sort().join(" ")
      for (const [key, child] of Object.entries(part)) visit(place === "" ? key : `${place}.${key}`, child)
    }
  }
  visit("", value)
  return places
}

describe("the format of the state", () => {
  it("is a new one if fields were added or removed", () => {
    const state = new Script().begin().wonBy(red, 1).live(2).kill(2, r1, b1).fold()
    assert.deepStrictEqual(
      { format: STATE_FORMAT, ...fieldsOf(state) },
      {
        format: 3,
        "": "backup bestOf endReason endedAt epoch eventName format lastEvent maps matchId observedAt players receivedAt round rules seen seq seriesScore silence source startedAt status teams timeout unresolvedNames winner",
        lastEvent: "clockSeconds headshot id killerPlayerId round throughSmoke type victimPlayerId weapon",
        maps: "endReason endedAt halves lines name number pickTeamId rounds roundsPlayed score startedAt startingCtTeam status winner",
        "maps.rounds": "ctEquipment ctMoney ctScore endedAt factId round tEquipment tMoney tScore winType winner winnerTeam",
        players: "alive armor connected defuseKit equipmentValue helmet hp id money name nickname round tally team weapon",
        "players.round": "assisted credited died kills traded",
        "players.tally":
          "assists clutchAttempts clutchesWon damage deaths firstDeaths firstKills flashAssists headshots kastRounds kills multiKills tradeKills",
        round:
          "bomb clockEndsAt clockStoppedAt clutches ctEquipment ctMoney ctTeam duels liveAt number openingDone phase startedAt tEquipment tMoney",
        "round.clutches": "opponents playerId team",
        "round.duels": "at killerId victimId",
        rules: "bombSeconds freezeSeconds maxRounds overtimeRounds roundSeconds timeouts",
        seen: "match round",
        teams: "aliases id logoUrl name timeoutsRemaining",
      },
    )
  })
})
