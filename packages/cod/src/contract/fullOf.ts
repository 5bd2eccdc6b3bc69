/**
 * Converts a Call of Duty match from message format v2 to v1: absent fields become null, and players and maps become
 * arrays. Has no side effects.
 */
import type { LiveState } from "@matchpoint/contracts/game/LiveContract"
import type { Layout } from "@matchpoint/contracts/stream/compact/mergePatch"
import type { PlayerId } from "../rules/live/registry.ts"
import { CompactCodMatch, CompactTeam } from "./CompactCodMatch.ts"
import type { CodMap, CodPlayer, CodTeam, LiveCodMatch } from "./LiveCodMatch.ts"

const keysOf = (schema: { readonly fields: object }): ReadonlyArray<string> => Object.keys(schema.fields)
const { currentMap, maps, suspension, tournament } = CompactCodMatch.fields
const player = CompactTeam.fields.players.value

const teamLayout: Layout = {
  keys: keysOf(CompactTeam),
  fields: {
    players: {
      each: {
        keys: keysOf(player),
        fields: { map: { keys: keysOf(player.fields.map.schema) }, total: { keys: keysOf(player.fields.total) } },
      },
    },
  },
}

/** Key order of the v2 document. */
export const layout: Layout = {
  keys: keysOf(CompactCodMatch),
  fields: {
    silence: { keys: ["status", "since"] },
    tournament: { keys: keysOf(tournament) },
    team1: teamLayout,
    team2: teamLayout,
    currentMap: {
      keys: keysOf(currentMap.schema),
      fields: {
        hill: { keys: keysOf(currentMap.schema.fields.hill.schema) },
        round: { keys: keysOf(currentMap.schema.fields.round.schema), fields: { bomb: { keys: ["site", "status"] } } },
      },
    },
    maps: { each: { keys: keysOf(maps.value) } },
    suspension: { keys: keysOf(suspension.schema) },
  },
}

export const fullOf = ({ document, observedAt }: LiveState<CompactCodMatch>): LiveCodMatch => ({
  matchId: document.matchId,
  status: document.status,
  source: document.source,
  silence: document.silence ?? null,
  tournament: { tournamentId: document.tournament.tournamentId ?? null, name: document.tournament.name },
  round: document.round ?? null,
  bestOf: document.bestOf,
  team1: teamOf(document.team1),
  team2: teamOf(document.team2),
  currentMap: currentOf(document),
  maps: Object.entries(document.maps).map(([number, map]) => mapOf(Number(number), map)),
  isComplete: document.isComplete,
  suspension:
    document.suspension === undefined
      ? null
      : { reason: document.suspension.reason, team: document.suspension.team ?? null, since: document.suspension.since },
  winner: document.winner ?? null,
  endReason: document.endReason ?? null,
  startedAt: document.startedAt ?? null,
  endedAt: document.endedAt ?? null,
  updatedAt: observedAt,
})

const teamOf = ({ name, players, score, slug, timeouts }: CompactCodMatch["team1"]): CodTeam => ({
  slug: slug ?? null,
  name,
  score,
  timeouts,
  players: Object.entries(players).map(
    ([playerId, { ign, isActive, isAlive, map, total }]): CodPlayer => ({
      playerId: playerId as PlayerId,
      ign,
      isActive,
      isAlive: isAlive ?? null,
      map: map === undefined ? null : withDamage(map),
      total: withDamage(total),
    }),
  ),
})

/** Adds the damage at its place in the order of fields, null if it is unknown. */
const withDamage = <Stats extends { readonly kills: number; readonly deaths: number; readonly assists: number; readonly damage?: number }>({
  assists,
  damage = undefined,
  deaths,
  kills,
  ...rest
}: Stats) => ({ kills, deaths, assists, damage: damage ?? null, ...rest })

const mapOf = (mapNumber: number, map: CompactCodMatch["maps"][string]): CodMap => ({
  mapNumber,
  mapName: map.mapName,
  gameMode: map.gameMode,
  team1Score: map.team1Score,
  team2Score: map.team2Score,
  status: map.status,
  pickedBy: map.pickedBy ?? null,
  winner: map.winner ?? null,
  startedAt: map.startedAt ?? null,
  endedAt: map.endedAt ?? null,
})

const currentOf = ({ currentMap: current, maps: all }: CompactCodMatch): LiveCodMatch["currentMap"] => {
  const map = current === undefined ? undefined : all[current.mapNumber]
  if (current === undefined || map === undefined) return null
  const { hill, mapNumber, round } = current
  return {
    mapNumber,
    mapName: map.mapName,
    gameMode: map.gameMode,
    team1Score: map.team1Score,
    team2Score: map.team2Score,
    startedAt: map.startedAt ?? "",
    attacker: current.attacker ?? null,
    hill: hill === undefined ? null : { hill: hill.hill, holder: hill.holder ?? null, isContested: hill.isContested },
    round:
      round === undefined
        ? null
        : {
            round: round.round,
            alive: round.alive ?? null,
            lives: round.lives ?? null,
            zones: round.zones ?? null,
            bomb: round.bomb ?? null,
          },
  }
}
