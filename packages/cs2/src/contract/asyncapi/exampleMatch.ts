/** A fictional match for the documentation: small, started recently, and valid by the schema. */
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { matchId, playerId, teamId } from "../../rules/ids.ts"
import { compactOf } from "../compactOf.ts"
import type { LiveEvent } from "../LiveEvent.ts"
import type { LiveMatch, LivePlayer } from "../LiveMatch.ts"

export const id = matchId(1001)
const [home, away] = [teamId(1), teamId(2)]

const player: LivePlayer = {
  id: playerId(7),
  nickname: "ember",
  name: null,
  teamId: home,
  side: "CT",
  alive: true,
  hp: 100,
  armor: 100,
  helmet: true,
  defuseKit: null,
  money: 4_150,
  equipmentValue: 5_200,
  weapon: "m4a1_silencer",
  kills: 12,
  assists: 3,
  deaths: 8,
  adr: 84.5,
  kast: 0.72,
  rating: 1.18,
  headshots: 6,
  flashAssists: 1,
  firstKills: 2,
  firstDeaths: 1,
  tradeKills: 1,
  clutchAttempts: 1,
  clutchesWon: 0,
}

const team = {
  logoUrl: null,
  score: 0,
  playersAlive: 5,
  equipmentValue: 24_800,
  money: 14_300,
  timeoutsRemaining: 3,
} as const

export const match: LiveMatch = {
  matchId: id,
  status: "live",
  source: "live",
  bestOf: 3,
  rules: { maxRounds: 24, overtimeRounds: 6, roundSeconds: 115, freezeSeconds: 20, bombSeconds: 40 },
  eventName: "Example Cup",
  startedAt: "2026-03-01T18:00:00.000Z",
  endedAt: null,
  updatedAt: "2026-03-01T18:22:10.400Z",
  seriesScore: { team1: 0, team2: 0 },
  winnerTeamId: null,
  currentGame: 1,
  teams: [
    { ...team, id: home, name: "Home", side: "CT", mapScore: 6 },
    { ...team, id: away, name: "Away", side: "T", mapScore: 5, playersAlive: 4 },
  ],
  maps: [],
  game: {
    id: `${id}-map-1`,
    map: "de_mirage",
    round: 12,
    phase: "live",
    clockSeconds: 72,
    clockEndsAt: "2026-03-01T18:23:22.400Z",
    bomb: null,
    score: { ct: 6, t: 5 },
    sides: { ctTeamId: home, tTeamId: away },
  },
  players: [player],
  rounds: [],
  timeout: null,
  lastEvent: null,
  unavailableFields: ["players.name"],
}

export const event: LiveEvent = {
  eventId: `${id}-event-318`,
  eventType: "Kill",
  mapNumber: 1,
  round: 12,
  clockSeconds: 72,
  playerId: player.id,
  playerName: null,
  playerNick: player.nickname,
  ctPlayers: 5,
  tPlayers: 4,
  bombSite: null,
  payload: { weapon: "m4a1_silencer", headshot: true },
  source: "live",
  observedAt: "2026-03-01T18:22:10.400Z",
}

/** Fields of an example message about a match, without the match document. */
export const head = {
  publishedAt: "2026-03-01T18:22:10.452Z",
  position: 90_211,
  matchId: id,
  epoch: 1,
  seq: 412,
  observedAt: "2026-03-01T18:22:10.400Z",
  receivedAt: "2026-03-01T18:22:10.440Z",
} as const

export const compact = compactOf(match)

const patch: JsonObject = { players: { [player.id]: { kills: 13 } }, team2: { playersAlive: 3 } }

/** Example of a delta: a patch of the example match, and the hash of the document after the patch. */
export const change = { patch, hash: stateHash(applyPatch(compact, patch)) }
