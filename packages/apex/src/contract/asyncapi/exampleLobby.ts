/** A fictional lobby for the examples of the documentation. It conforms to the schema. */
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { matchIdOf } from "@matchpoint/domain/ids"
import { exampleHead } from "@matchpoint/game/contract/matchChannels"
import { APEX } from "../../rules/game.ts"
import { apexDocument, type CompactApexMatch } from "../CompactApexMatch.ts"
import type { LiveApexEvent, LiveApexMatch } from "../LiveApexMatch.ts"

const id = matchIdOf(APEX, 1001)

export const head = exampleHead(id, 58)
const at = head.observedAt

export const event: LiveApexEvent = {
  eventId: "1-58",
  type: "knockdown",
  at,
  game: 2,
  victim: { team: 2, player: 1 },
  attacker: { team: 1, player: 1 },
  weapon: "R-301 Carbine",
}

const alive = { state: "alive", isConnected: true, kills: 0, assists: 0, knockdowns: 0, revives: 0, respawns: 0 } as const

export const compact: CompactApexMatch = {
  id,
  status: "live",
  source: "live",
  name: "Example Lobby",
  stage: "Day 1",
  region: "emea",
  tournament: { name: "Example Series" },
  format: { games: 6 },
  teams: {
    1: { id: "able", name: "Able", players: { 1: { name: "ace" } } },
    2: { name: "Baker", players: { 1: { name: "bolt" } } },
  },
  standings: {
    1: { rank: 1, points: 21, kills: 0, hms: 12, wins: 1, isOnMatchPoint: false },
    2: { rank: 2, points: 18, kills: 0, hms: 9, wins: 0, isOnMatchPoint: false },
  },
  game: {
    number: 2,
    map: "Storm Point",
    startedAt: "2026-03-01T18:10:02.000Z",
    ring: { ring: 2, state: "closing", damagePerTick: 3 },
    teamsLeft: 2,
    playersLeft: 2,
    teams: {
      1: { kills: 0, alive: 1, players: { 1: { legend: "Alter", ...alive, knockdowns: 1 } } },
      2: { kills: 0, alive: 1, players: { 1: { legend: "Newcastle", ...alive, state: "knocked" } } },
    },
  },
  games: {
    1: {
      status: "completed",
      map: "World's Edge",
      startedAt: "2026-03-01T17:45:02.000Z",
      endedAt: "2026-03-01T18:07:02.000Z",
      isCorrected: false,
      teams: { 1: { placement: 1, kills: 0, points: 12 }, 2: { placement: 2, kills: 0, points: 9 } },
    },
  },
  startedAt: "2026-03-01T17:45:02.000Z",
}

export const match: LiveApexMatch = apexDocument.fullOf({ document: compact, extras: {}, observedAt: at })

const patch: JsonObject = {
  standings: { 1: { points: 25, kills: 1, hms: 13 } },
  game: {
    teamsLeft: 1,
    playersLeft: 1,
    teams: { 1: { kills: 1, players: { 1: { kills: 1 } } }, 2: { placement: 2, alive: 0, players: { 1: { state: "dead" } } } },
  },
}

/** A delta: a patch of the example lobby, and the hash of the document after the patch. */
export const change = { patch, hash: stateHash(applyPatch(compact, patch)) }
