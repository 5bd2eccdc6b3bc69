/** Builds rounds of two teams for tests: a, b, c start as CT (team 1), x, y, z as T (team 2). */
import type { Side } from "../../../src/rules/live/rules.ts"
import type { Actor, EconomyRecord, KillRecord, MapRecord, RoundRecord } from "../../../src/rules/statistics/MapRecord.ts"

const team1 = ["a", "b", "c"]

export const sideOf = (player: string, ct: 0 | 1 = 0): Side => (team1.includes(player) === (ct === 0) ? "CT" : "T")

export const actor = (player: string, more: Partial<Actor> = {}): Actor => ({ player, side: sideOf(player), controlsBot: false, ...more })

export const world: Actor = { player: null, side: null, controlsBot: false }

/** `at` is in milliseconds. The `killer` "world" is the world. */
export const kill = (at: number, killer: string, victim: string, more: Partial<KillRecord> = {}): KillRecord => ({
  at,
  killer: killer === "world" ? world : actor(killer),
  victim: actor(victim),
  assister: null,
  weapon: killer === "world" ? "world" : "ak47",
  headshot: false,
  flashAssist: false,
  throughSmoke: false,
  wallbang: false,
  ...more,
})

export const round = (kills: ReadonlyArray<KillRecord>, more: Partial<RoundRecord> = {}): RoundRecord => ({
  number: 1,
  overtime: false,
  ct: 0,
  liveAt: 0,
  endedAt: 100_000,
  winner: "CT",
  winType: "elimination",
  present: everybody(),
  kills,
  damages: [],
  grenades: [],
  bombs: [],
  ...more,
})

export const everybody = (economy?: EconomyRecord): RoundRecord["present"] =>
  ["a", "b", "c", "x", "y", "z"].map((player) => ({ player, side: sideOf(player), economy }))

export const mapOf = (rounds: ReadonlyArray<RoundRecord>): MapRecord => ({
  map: "de_nuke",
  players: ["a", "b", "c", "x", "y", "z"].map((key) => ({ key, player: { key, nickname: key }, team: team1.includes(key) ? 0 : 1 })),
  rounds,
})
