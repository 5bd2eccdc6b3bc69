/** A fictional match for the examples of the documentation. It conforms to the schema. */
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { matchIdOf } from "@matchpoint/domain/ids"
import { exampleHead } from "@matchpoint/game/contract/matchChannels"
import { COD } from "../../rules/game.ts"
import { PlayerId, TeamSlug, TournamentId } from "../../rules/live/registry.ts"
import { type CompactCodMatch, codDocument } from "../CompactCodMatch.ts"
import type { LiveCodEvent, LiveCodMatch } from "../LiveCodMatch.ts"

const id = matchIdOf(COD, 1001)

export const head = exampleHead(id, 158)
const at = head.observedAt

const [able, baker] = [PlayerId.make("able"), PlayerId.make("baker")]

export const event: LiveCodEvent = {
  eventId: "1-158",
  type: "kill",
  at,
  mapNumber: 1,
  team: 1,
  attacker: able,
  victim: baker,
  weapon: "AMES 85",
  assists: [],
  isTrade: false,
  isFirstBlood: false,
  streak: 2,
}

const total = (kills: number, deaths: number, hillTime: number) => ({
  kills,
  deaths,
  assists: 3,
  hillTime,
  firstBloods: 0,
  firstDeaths: 0,
  plants: 0,
  defuses: 0,
  captures: 0,
  highestStreak: 4,
  tradeKills: 1,
  tradedDeaths: 1,
  clutchAttempts: 0,
  clutchWins: 0,
})

export const compact: CompactCodMatch = {
  matchId: id,
  status: "live",
  source: "live",
  bestOf: 5,
  isComplete: true,
  tournament: { tournamentId: TournamentId.make("2026-example-major"), name: "Example Major" },
  round: "Winners Round 1",
  team1: {
    slug: TeamSlug.make("example-kestrels"),
    name: "Example Kestrels",
    score: 0,
    timeouts: 0,
    players: {
      [able]: { ign: "Able", isActive: true, map: { kills: 9, deaths: 7, assists: 3, hillTime: 41, streak: 2 }, total: total(9, 7, 41) },
    },
  },
  team2: {
    name: "Example Wolves",
    score: 0,
    timeouts: 1,
    players: {
      [baker]: { ign: "Baker", isActive: true, map: { kills: 8, deaths: 9, assists: 3, hillTime: 30, streak: 0 }, total: total(8, 9, 30) },
    },
  },
  currentMap: { mapNumber: 1, hill: { hill: 3, holder: 1, isContested: false } },
  maps: {
    1: {
      mapName: "Quarry",
      gameMode: "Hardpoint",
      team1Score: 96,
      team2Score: 71,
      status: "live",
      pickedBy: 1,
      startedAt: "2026-03-01T18:19:02.000Z",
    },
    2: { mapName: "Harbor", gameMode: "Search and Destroy", team1Score: 0, team2Score: 0, status: "upcoming", pickedBy: 2 },
  },
  startedAt: "2026-03-01T18:15:00.000Z",
}

export const match: LiveCodMatch = codDocument.fullOf({ document: compact, extras: {}, observedAt: at })

const patch: JsonObject = {
  maps: { 1: { team1Score: 97 } },
  team1: { players: { able: { map: { hillTime: 42 }, total: { hillTime: 42 } } } },
}

/** A delta: a patch of the example match, and the hash of the document after the patch. */
export const change = { patch, hash: stateHash(applyPatch(compact, patch)) }
