/**
 * Converts a lobby from message format v2 to v1: absent fields become null, and objects by number become arrays. Has no
 * side effects.
 */
import type { LiveState } from "@matchpoint/contracts/game/LiveContract"
import type { Layout } from "@matchpoint/contracts/stream/compact/mergePatch"
import { CompactApexMatch, compactParts } from "./CompactApexMatch.ts"
import type { LiveApexMatch } from "./LiveApexMatch.ts"

const keysOf = (schema: { readonly fields: object }): ReadonlyArray<string> => Object.keys(schema.fields)

/** Key order of the v2 document. */
export const layout: Layout = {
  keys: keysOf(CompactApexMatch),
  fields: {
    silence: { keys: ["status", "since"] },
    tournament: { keys: keysOf(compactParts.tournament) },
    format: { keys: keysOf(compactParts.format) },
    teams: { each: { keys: keysOf(compactParts.team), fields: { players: { each: { keys: ["id", "name"] } } } } },
    standings: { each: { keys: keysOf(compactParts.standing) } },
    game: {
      keys: keysOf(compactParts.game),
      fields: {
        ring: { keys: keysOf(compactParts.ring), fields: { centre: { keys: ["x", "y"] } } },
        teams: { each: { keys: keysOf(compactParts.teamGame), fields: { players: { each: { keys: keysOf(compactParts.playerGame) } } } } },
      },
    },
    games: { each: { keys: keysOf(compactParts.pastGame), fields: { teams: { each: { keys: ["placement", "kills", "points"] } } } } },
  },
}

export const fullOf = ({ document, observedAt }: LiveState<CompactApexMatch>): LiveApexMatch => ({
  id: document.id,
  status: document.status,
  source: document.source,
  silence: document.silence ?? null,
  name: document.name,
  stage: document.stage ?? null,
  region: document.region ?? null,
  tournament: { id: document.tournament.id ?? null, name: document.tournament.name },
  format: { games: document.format.games, matchPoint: document.format.matchPoint ?? null },
  teams: listOf(document.teams, (team, { id, name, players }) => ({
    team,
    id: id ?? null,
    name,
    players: listOf(players, (player, sheet) => ({ player, id: sheet.id ?? null, name: sheet.name })),
  })),
  standings: listOf(document.standings, (team, { hms, ...row }) => ({ team, ...row, hms: hms ?? null })).toSorted(
    (one, other) => one.rank - other.rank || one.team - other.team,
  ),
  readyFor: document.readyFor ?? null,
  game: document.game === undefined ? null : gameOf(document.game),
  games: listOf(document.games, (number, { bannedLegends, teams, ...game }) => ({
    number,
    ...game,
    bannedLegends: bannedLegends ?? null,
    teams: listOf(teams, (team, result) => ({ team, ...result })),
  })),
  suspendedAt: document.suspendedAt ?? null,
  winner: document.winner ?? null,
  startedAt: document.startedAt ?? null,
  endedAt: document.endedAt ?? null,
  updatedAt: observedAt,
})

const gameOf = (game: NonNullable<CompactApexMatch["game"]>): NonNullable<LiveApexMatch["game"]> => ({
  ...game,
  bannedLegends: game.bannedLegends ?? null,
  ring:
    game.ring === undefined
      ? null
      : {
          ring: game.ring.ring,
          state: game.ring.state,
          damagePerTick: game.ring.damagePerTick ?? null,
          centre: game.ring.centre ?? null,
          radius: game.ring.radius ?? null,
        },
  teams: listOf(game.teams, (team, { alive, kills, placement, players }) => ({
    team,
    placement: placement ?? null,
    kills,
    alive,
    players: listOf(players, (player, { damage, legend, ...line }) => ({
      player,
      ...line,
      legend: legend ?? null,
      damage: damage ?? null,
    })),
  })),
})

/** Returns the values of an object by number as a list. Keys that are integers are always in ascending order. */
const listOf = <A, B>(record: Readonly<Record<string, A>>, of: (number: number, value: A) => B): ReadonlyArray<B> =>
  Object.entries(record).map(([number, value]) => of(Number(number), value))
