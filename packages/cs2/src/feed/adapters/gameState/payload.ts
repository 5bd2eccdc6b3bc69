/**
 * Format of Game State Integration posts, limited to the fields that are used. A post of an observer (a spectating
 * client) lists all players in `allplayers`. A player's post contains only one player in `player`: the sender or the
 * player being watched. Any section may be missing.
 */
import { StorableText } from "@matchpoint/domain/storableText"
import { Result, Schema } from "effect"
import { type PlayerId, playerIdOfSteamId64 } from "../../../rules/ids.ts"
import type { Side } from "../../../rules/live/rules.ts"
import { decodedBy, entriesOf, fieldsOf, type Note } from "./lenient.ts"

const text = decodedBy(StorableText)
const natural = decodedBy(Schema.Natural)
const integer = decodedBy(Schema.Int)
const flag = decodedBy(Schema.Boolean)

const teamState = fieldsOf({ score: natural, name: text, timeouts_remaining: natural, matches_won_this_series: natural })

const playerFields = {
  name: text,
  /** `CT`, `T`, or another text for people that play for no team. */
  team: text,
  /** Key with which observers watch a player, 0 to 9. */
  observer_slot: natural,
  state: fieldsOf({
    health: integer,
    armor: integer,
    helmet: flag,
    defusekit: flag,
    money: integer,
    round_kills: natural,
    round_killhs: natural,
    equip_value: integer,
  }),
  match_stats: fieldsOf({ kills: integer, assists: integer, deaths: integer }),
  weapons: entriesOf(fieldsOf({ name: text, state: text })),
} as const
const playerState = fieldsOf(playerFields)
export type PlayerState = NonNullable<ReturnType<typeof playerState>>

const gameState = fieldsOf({
  /** Seconds, by the clock of the machine that sends the post. */
  provider: fieldsOf({ timestamp: natural }),
  map: fieldsOf({
    mode: text,
    name: text,
    phase: decodedBy(Schema.Literals(["warmup", "live", "intermission", "gameover"])),
    /** Completed rounds on the map. */
    round: natural,
    team_ct: teamState,
    team_t: teamState,
    round_wins: entriesOf(text),
  }),
  round: fieldsOf({
    phase: decodedBy(Schema.Literals(["freezetime", "live", "over"])),
    bomb: decodedBy(Schema.Literals(["planted", "exploded", "defused"])),
    win_team: decodedBy(Schema.Literals(["CT", "T"])),
  }),
  phase_countdowns: fieldsOf({ phase: text, phase_ends_in: decodedBy(Schema.Union([StorableText, Schema.Finite])) }),
  // As a number, a SteamID loses its last digits, so it would name another player.
  bomb: fieldsOf({ state: text, player: text }),
  player: fieldsOf({ steamid: text, ...playerFields }),
  allplayers: entriesOf(playerState),
})
export type GameState = NonNullable<ReturnType<typeof gameState>>

/** A value that could not be read. `path` are the keys that lead to it. */
export interface OddValue {
  readonly path: ReadonlyArray<string>
  readonly issue: string
}

export interface ReadGameState {
  readonly body: GameState
  readonly odd: ReadonlyArray<OddValue>
}

/** Odd values that are noted per post. */
const MOST_ODD_VALUES = 20

/** Fails only if the post is no object: other unexpected values are only noted. */
export const decodeGameState = (input: unknown): Result.Result<ReadGameState, string> => {
  const odd: Array<OddValue> = []
  const note: Note = (path, issue) => {
    if (odd.length < MOST_ODD_VALUES) odd.push({ path, issue: String(issue) })
  }
  const body = gameState(input, note, [])
  return body === undefined ? Result.fail("Expected an object") : Result.succeed({ body, odd })
}

/** A post with the map and the progress of the match. */
export interface MatchPost {
  readonly mapName: string
  /** `null` if the post contains none of the known phases. */
  readonly phase: "live" | "intermission" | "gameover" | null
  /** Completed rounds on the map. */
  readonly completed: number
  readonly score: { readonly ct: number; readonly t: number }
  readonly names: { readonly ct: string | undefined; readonly t: string | undefined }
  readonly timeouts: { readonly ct: number; readonly t: number } | undefined
  /** Maps of the series won, if the post contains them. */
  readonly mapsWon: { readonly ct: number; readonly t: number } | undefined
  /** `null` if the post contains none of the known phases. */
  readonly roundPhase: "freezetime" | "live" | "over" | null
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

/** Undefined for menus, warmup, and posts without the progress of the match. */
export const matchPostOf = (body: GameState): MatchPost | undefined => {
  const { map, round } = body
  if (map?.name === undefined || map.round === undefined || map.phase === "warmup" || round === undefined) return undefined
  const { team_ct: ct, team_t: t } = map
  if (ct?.score === undefined || t?.score === undefined) return undefined
  return {
    mapName: map.name,
    phase: map.phase ?? null,
    completed: map.round,
    score: { ct: ct.score, t: t.score },
    names: { ct: ct.name, t: t.name },
    timeouts: bothOf(ct.timeouts_remaining, t.timeouts_remaining),
    mapsWon: bothOf(ct.matches_won_this_series, t.matches_won_this_series),
    roundPhase: round.phase ?? null,
    bomb: round.bomb,
    winner: round.win_team,
    wins: map.round_wins ?? {},
    people: peopleIn(body),
    body,
  }
}

const bothOf = (ct: number | undefined, t: number | undefined) => (ct === undefined || t === undefined ? undefined : { ct, t })

const peopleIn = ({ allplayers, player }: GameState): ReadonlyArray<SeenPlayer> => {
  const everybody: ReadonlyArray<readonly [string, PlayerState]> =
    allplayers !== undefined ? Object.entries(allplayers) : player?.steamid !== undefined ? [[player.steamid, player]] : []
  return everybody.flatMap(([steamId, entry]) => {
    const id = playerIdOfSteamId64(steamId)
    const { observer_slot: slot, team } = entry
    // The ten players have the keys 0 to 9. Others with a team are its coaches.
    const isPlayer = (team === "CT" || team === "T") && (slot === undefined || slot < OBSERVER_KEYS)
    return id === undefined || !isPlayer ? [] : [{ id, side: team, player: entry }]
  })
}

const OBSERVER_KEYS = 10
