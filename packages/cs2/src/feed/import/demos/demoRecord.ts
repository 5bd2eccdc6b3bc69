/** Converts a parsed demo to a map record. Team 1 is the team that started as counter-terrorists. */
import type { TeamSlot } from "../../../rules/archive/ArchivedMatch.ts"
import { playerIdOfSteamId64, playerNumber } from "../../../rules/ids.ts"
import type { WinType } from "../../../rules/live/feedEvents.ts"
import { competitiveRules, otherTeam, type Side } from "../../../rules/live/rules.ts"
import { healthTaken } from "../../../rules/statistics/damage.ts"
import type {
  Actor,
  BombRecord,
  DamageRecord,
  Grenade,
  GrenadeRecord,
  KillRecord,
  MapRecord,
  PlayerOnMap,
  PresentPlayer,
  RoundRecord,
} from "../../../rules/statistics/MapRecord.ts"
import { clipped, mapNameOf } from "../../adapters/text.ts"
import { weaponOfGame } from "../../adapters/weapons.ts"
import { type PlayedRound, playedRounds } from "./demoRounds.ts"
import type { Death, DemoEvent, Hurt, ParsedDemo, Present } from "./ParsedDemo.ts"

/** CS2 always runs at 64 ticks per second. */
const at = (tick: number): number => Math.round((tick * 1000) / 64)

export interface DemoRecord {
  readonly record: MapRecord
  /** Undefined if the demo does not contain them. */
  readonly teamNames: readonly [string | undefined, string | undefined]
}

/** Contains only rounds that were played to their end after the last restart of the match. */
export const demoRecordOf = (demo: ParsedDemo): DemoRecord => {
  const sheet = new Map<string, PlayerOnMap>()
  const teamNames: [string | undefined, string | undefined] = [undefined, undefined]
  const maxRounds = demo.maxRounds ?? competitiveRules.maxRounds
  const rounds = playedRounds(demo).map((played, index): RoundRecord => {
    const ct = ctOf(played.present, sheet)
    for (const row of played.present) {
      const side = sideOf(row.team_num)
      if (side === null) continue
      const team = side === "CT" ? ct : otherTeam(ct)
      if (row.steamid !== "0" && !sheet.has(row.steamid)) sheet.set(row.steamid, playerOf(row, team))
      teamNames[team] ??= row.team_clan_name?.trim() || undefined
    }
    return roundOf(played, index + 1, ct, maxRounds)
  })
  return { record: { map: mapNameOf(demo.header.map_name), players: [...sheet.values()], rounds }, teamNames }
}

const sideOf = (team: number | null | undefined): Side | null => (team === 3 ? "CT" : team === 2 ? "T" : null)

/** The team to which most of the current CT players belonged in earlier rounds. */
const ctOf = (present: ReadonlyArray<Present>, sheet: ReadonlyMap<string, PlayerOnMap>): TeamSlot => {
  let ofTeam1 = 0
  for (const { steamid, team_num } of present) {
    const team = sheet.get(steamid)?.team
    const side = sideOf(team_num)
    if (team !== undefined && side !== null) ofTeam1 += (team === 0) === (side === "CT") ? 1 : -1
  }
  return ofTeam1 >= 0 ? 0 : 1
}

const playerOf = ({ name, steamid }: Present, team: TeamSlot): PlayerOnMap => {
  const id = playerIdOfSteamId64(steamid)
  const nickname = clipped(name?.trim() || steamid)
  return { key: steamid, player: { key: steamid, nickname, playerNumber: id === undefined ? undefined : playerNumber(id) }, team }
}

const roundOf = (played: PlayedRound, number: number, ct: TeamSlot, maxRounds: number): RoundRecord => {
  const health = new Map<string, number>()
  const kills: Array<KillRecord> = []
  const damages: Array<DamageRecord> = []
  const grenades: Array<GrenadeRecord> = []
  const bombs: Array<BombRecord> = []
  for (const event of played.events) {
    switch (event.event_name) {
      case "player_death":
        kills.push(killOf(event))
        break
      case "player_hurt":
        damages.push(damageOf(event, health))
        break
      case "weapon_fire": {
        const grenade = grenadeNames.get(weaponOfGame(event.weapon))
        if (grenade !== undefined) grenades.push({ at: at(event.tick), thrower: userOf(event), grenade })
        break
      }
      case "bomb_planted":
        bombs.push({ at: at(event.tick), type: "BombPlanted", player: keyOf(event.user_steamid), site: siteOf(event.user_last_place_name) })
        break
      case "bomb_defused":
        bombs.push({ at: at(event.tick), type: "BombDefused", player: keyOf(event.user_steamid), site: bombs.at(-1)?.site ?? null })
        break
      case "bomb_exploded":
        bombs.push({ at: at(event.tick), type: "BombExploded", player: null, site: bombs.at(-1)?.site ?? null })
        break
    }
  }
  return {
    number,
    overtime: number > maxRounds,
    ct,
    liveAt: at(played.liveTick),
    endedAt: at(played.endTick),
    winner: played.winner,
    winType: winTypes.get(played.reason) ?? "unknown",
    present: played.present.flatMap(presentOf),
    kills,
    damages,
    grenades,
    bombs,
  }
}

const keyOf = (steamId: string | null | undefined): string | null =>
  steamId === null || steamId === undefined || steamId === "0" || steamId === "" ? null : steamId

type User = Extract<DemoEvent, { readonly event_name: "weapon_fire" }>

const userOf = (event: Pick<User, "user_steamid" | "user_team_num" | "user_is_controlling_bot">): Actor => ({
  player: keyOf(event.user_steamid),
  side: sideOf(event.user_team_num),
  controlsBot: event.user_is_controlling_bot === true,
})

const attackerOf = (event: Death | Hurt): Actor => ({
  player: keyOf(event.attacker_steamid),
  side: sideOf(event.attacker_team_num),
  controlsBot: event.attacker_is_controlling_bot === true,
})

const killOf = (event: Death): KillRecord => {
  const assister = keyOf(event.assister_steamid)
  const controlsBot = event.assister_is_controlling_bot === true
  return {
    at: at(event.tick),
    killer: attackerOf(event),
    victim: userOf(event),
    assister: assister === null ? null : { player: assister, side: sideOf(event.assister_team_num), controlsBot },
    weapon: weaponOfGame(event.weapon),
    headshot: event.headshot === true,
    flashAssist: event.assistedflash === true,
    throughSmoke: event.thrusmoke === true,
    wallbang: (event.penetrated ?? 0) > 0,
  }
}

/** The damage in the demo may exceed the victim's remaining health. */
const damageOf = (event: Hurt, health: Map<string, number>): DamageRecord => {
  const victim = userOf(event)
  const victimKey = victim.player ?? `bot ${event.user_name ?? ""}`
  const taken = healthTaken(event.dmg_health, health.get(victimKey) ?? 100)
  health.set(victimKey, event.health)
  return { at: at(event.tick), attacker: attackerOf(event), victim, weapon: weaponOfGame(event.weapon), health: taken }
}

const presentOf = (row: Present): ReadonlyArray<PresentPlayer> => {
  const side = sideOf(row.team_num)
  if (side === null) return []
  const { balance, cash_spent_this_round: spent, current_equip_value: equipmentValue } = row
  if (balance == null || spent == null || equipmentValue == null) return [{ player: keyOf(row.steamid), side }]
  return [{ player: keyOf(row.steamid), side, economy: { startMoney: balance + spent, spent, equipmentValue } }]
}

const siteOf = (place: string | null | undefined): "A" | "B" | null => (place === "BombsiteA" ? "A" : place === "BombsiteB" ? "B" : null)

const grenadeNames: ReadonlyMap<string, Grenade> = new Map([
  ["flashbang", "flash"],
  ["smokegrenade", "smoke"],
  ["molotov", "fire"],
  ["incgrenade", "fire"],
  ["hegrenade", "he"],
  ["decoy", "decoy"],
])

/** Win types by the parser's names and the game's numeric codes. */
const winTypes: ReadonlyMap<string, WinType> = new Map([
  ["bomb_exploded", "bomb_exploded"],
  ["bomb_defused", "bomb_defused"],
  ["t_killed", "elimination"],
  ["ct_killed", "elimination"],
  ["time_ran_out", "time_expired"],
  ["t_surrender", "surrender"],
  ["ct_surrender", "surrender"],
  ["1", "bomb_exploded"],
  ["7", "bomb_defused"],
  ["8", "elimination"],
  ["9", "elimination"],
  ["12", "time_expired"],
  ["17", "surrender"],
  ["18", "surrender"],
] as const)
