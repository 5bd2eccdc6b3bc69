/**
 * Schema of Game State Integration posts (POST request bodies sent by the game), limited to the fields that are used. A
 * post of an observer (a spectating client) lists all players in `allplayers`. A player's post contains only one player
 * in `player`: the sender or the player being watched. Any section may be missing.
 */

import { type PlayerId, playerIdOfSteamId64 } from "@matchpoint/domain/cs2/ids"
import type { Side } from "@matchpoint/domain/cs2/live/rules"
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"

const optional = Schema.optionalKey

const TeamState = Schema.Struct({
  score: Schema.Natural,
  name: optional(StorableText),
  timeouts_remaining: optional(Schema.Natural),
})

const MapState = Schema.Struct({
  mode: optional(StorableText),
  name: optional(StorableText),
  phase: Schema.Literals(["warmup", "live", "intermission", "gameover"]),
  /** Number of completed rounds on the map. */
  round: optional(Schema.Natural),
  team_ct: optional(TeamState),
  team_t: optional(TeamState),
  round_wins: optional(Schema.Record(Schema.String, StorableText)),
})

const PlayerState = Schema.Struct({
  name: optional(StorableText),
  team: optional(Schema.Literals(["CT", "T"])),
  state: optional(
    Schema.Struct({
      health: Schema.Int,
      armor: Schema.Int,
      helmet: Schema.Boolean,
      defusekit: optional(Schema.Boolean),
      money: Schema.Int,
      round_kills: optional(Schema.Natural),
      round_killhs: optional(Schema.Natural),
      equip_value: Schema.Int,
    }),
  ),
  match_stats: optional(Schema.Struct({ kills: Schema.Int, assists: Schema.Int, deaths: Schema.Int })),
  weapons: optional(Schema.Record(Schema.String, Schema.Struct({ name: StorableText, state: optional(StorableText) }))),
})
export type PlayerState = typeof PlayerState.Type

export const GameState = Schema.Struct({
  /** `timestamp` is in seconds, by the clock of the machine that sends the POST request. */
  provider: optional(Schema.Struct({ timestamp: optional(Schema.Natural) })),
  map: optional(MapState),
  round: optional(
    Schema.Struct({
      phase: Schema.Literals(["freezetime", "live", "over"]),
      bomb: optional(Schema.Literals(["planted", "exploded", "defused"])),
      win_team: optional(Schema.Literals(["CT", "T"])),
    }),
  ),
  phase_countdowns: optional(Schema.Struct({ phase: StorableText, phase_ends_in: optional(StorableText) })),
  bomb: optional(Schema.Struct({ state: StorableText, player: optional(Schema.Union([StorableText, Schema.Finite])) })),
  player: optional(Schema.Struct({ steamid: optional(StorableText), ...PlayerState.fields })),
  allplayers: optional(Schema.Record(Schema.String, PlayerState)),
})
export type GameState = typeof GameState.Type

export const decodeGameState = Schema.decodeUnknownResult(GameState)

/** Post (POST request body) that describes a match, because it contains the map and the progress of the match. */
export interface MatchPost {
  readonly mapName: string
  readonly phase: "live" | "intermission" | "gameover"
  /** Number of completed rounds on the map. */
  readonly completed: number
  readonly score: { readonly ct: number; readonly t: number }
  readonly names: { readonly ct: string | undefined; readonly t: string | undefined }
  readonly timeouts: { readonly ct: number; readonly t: number } | undefined
  readonly roundPhase: "freezetime" | "live" | "over"
  readonly bomb: "planted" | "exploded" | "defused" | undefined
  readonly winner: Side | undefined
  readonly wins: Readonly<Record<string, string>>
  readonly people: ReadonlyArray<SeenPlayer>
  readonly body: GameState
}

export interface SeenPlayer {
  readonly id: PlayerId
  readonly side: Side
  readonly player: PlayerState
}

/**
 * Extracts the data of the match from a post (POST request body). Returns undefined for menus, warmup, and posts that
 * do not contain the progress of the match.
 */
export const matchPostOf = (body: GameState): MatchPost | undefined => {
  const { map, round } = body
  if (map?.name === undefined || map.round === undefined || map.phase === "warmup" || round === undefined) return undefined
  const { team_ct: ct, team_t: t } = map
  if (ct === undefined || t === undefined) return undefined
  const timeouts =
    ct.timeouts_remaining === undefined || t.timeouts_remaining === undefined
      ? undefined
      : { ct: ct.timeouts_remaining, t: t.timeouts_remaining }
  return {
    mapName: map.name,
    phase: map.phase,
    completed: map.round,
    score: { ct: ct.score, t: t.score },
    names: { ct: ct.name, t: t.name },
    timeouts,
    roundPhase: round.phase,
    bomb: round.bomb,
    winner: round.win_team,
    wins: map.round_wins ?? {},
    people: peopleIn(body),
    body,
  }
}

const peopleIn = ({ allplayers, player }: GameState): ReadonlyArray<SeenPlayer> => {
  const everybody: ReadonlyArray<readonly [string, PlayerState]> =
    allplayers !== undefined ? Object.entries(allplayers) : player?.steamid !== undefined ? [[player.steamid, player]] : []
  return everybody.flatMap(([steamId, entry]) => {
    const id = playerIdOfSteamId64(steamId)
    return id === undefined || entry.team === undefined ? [] : [{ id, side: entry.team, player: entry }]
  })
}
