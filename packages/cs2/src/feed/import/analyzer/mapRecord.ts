/** Converts a demo analyzed by cs-demo-analyzer to a map record. Team A of the file becomes team 1. Does not validate. */
import type { TeamSlot } from "../../../rules/archive/ArchivedMatch.ts"
import { playerIdOfSteamId64, playerNumber } from "../../../rules/ids.ts"
import type { Side } from "../../../rules/live/rules.ts"
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
import { winTypes } from "../../adapters/demoAnalyzer/DemoAnalyzerAdapter.ts"
import { clipped, mapNameOf } from "../../adapters/text.ts"
import { weaponPrinted } from "../../adapters/weapons.ts"
import type { AnalyzedDamage, AnalyzedKill, AnalyzedMap, AnalyzedRound, AnalyzedShot } from "./AnalyzedMap.ts"

/** Players are identified by their Steam accounts, which are the same in every file. */
export const mapRecordOf = (file: AnalyzedMap): MapRecord => ({
  map: mapNameOf(file.mapName),
  players: playersOf(file),
  rounds: [...file.rounds].sort((a, b) => a.number - b.number).map(roundOf(file)),
})

const playersOf = ({ players }: AnalyzedMap): ReadonlyArray<PlayerOnMap> =>
  Object.values(players)
    .sort((a, b) => a.userId - b.userId)
    .flatMap(({ name, steamId, team }) => {
      const id = playerIdOfSteamId64(steamId)
      if (id === undefined) return []
      const slot: TeamSlot = team.letter === "A" ? 0 : 1
      return [
        { key: steamId, player: { key: steamId, nickname: clipped(name.trim() || steamId), playerNumber: playerNumber(id) }, team: slot },
      ]
    })

const roundOf = (file: AnalyzedMap) => {
  const at = (tick: number) => Math.round((tick * 1000) / file.tickrate)
  const kills = byRound(file.kills)
  const damages = byRound(file.damages)
  const shots = byRound(file.shots)
  const bombs = byRound(bombsOf(file))
  const presentIn = presentOf(file)
  return (round: AnalyzedRound): RoundRecord => ({
    number: round.number,
    overtime: round.overtimeNumber > 0,
    ct: round.teamASide === 3 ? 0 : 1,
    liveAt: at(Math.max(round.startTick, round.freezeTimeEndTick)),
    endedAt: at(round.endTick),
    winner: round.winnerSide === 3 ? "CT" : "T",
    winType: winTypes.get(round.endReason) ?? "unknown",
    present: presentIn(round.number),
    kills: inTime(kills.get(round.number)).map((kill) => killOf(kill, at)),
    damages: inTime(damages.get(round.number)).map((damage) => damageOf(damage, at)),
    grenades: inTime(shots.get(round.number)).flatMap((shot) => grenadeOf(shot, at)),
    bombs: inTime(bombs.get(round.number)).map(({ bomb, tick }): BombRecord => ({ ...bomb, at: at(tick) })),
  })
}

const byRound = <A extends { readonly roundNumber: number }>(entries: ReadonlyArray<A>): ReadonlyMap<number, ReadonlyArray<A>> =>
  Map.groupBy(entries, ({ roundNumber }) => roundNumber)

/** Entries with equal ticks keep their order in the file. */
const inTime = <A extends { readonly tick: number }>(entries: ReadonlyArray<A> | undefined): ReadonlyArray<A> =>
  [...(entries ?? [])].sort((a, b) => a.tick - b.tick)

const sideOf = (side: number): Side | null => (side === 3 ? "CT" : side === 2 ? "T" : null)

/** The SteamID "0" means a bot if `side` is CT or T, and the game world otherwise. */
const actor = (steamId: string, side: number, controlsBot: boolean): Actor => ({
  player: steamId === "0" ? null : steamId,
  side: sideOf(side),
  controlsBot,
})

const killOf = (kill: AnalyzedKill, at: (tick: number) => number): KillRecord => ({
  at: at(kill.tick),
  killer: actor(kill.killerSteamId, kill.killerSide, kill.isKillerControllingBot),
  victim: actor(kill.victimSteamId, kill.victimSide, kill.isVictimControllingBot),
  assister: kill.assisterSteamId === "0" ? null : actor(kill.assisterSteamId, kill.assisterSide, kill.isAssisterControllingBot),
  weapon: weaponPrinted(kill.weaponName),
  headshot: kill.isHeadshot,
  flashAssist: kill.isAssistedFlash,
  throughSmoke: kill.isThroughSmoke,
  wallbang: kill.penetratedObjects > 0,
})

/** The file already limits the damage to the health that the victim had left. */
const damageOf = (damage: AnalyzedDamage, at: (tick: number) => number): DamageRecord => ({
  at: at(damage.tick),
  attacker: actor(damage.attackerSteamId, damage.attackerSide, damage.isAttackerControllingBot),
  victim: actor(damage.victimSteamId, damage.victimSide, damage.isVictimControllingBot),
  weapon: weaponPrinted(damage.weaponName),
  health: Math.max(0, damage.healthDamage),
})

const grenades: ReadonlyMap<string, Grenade> = new Map([
  ["flashbang", "flash"],
  ["smokegrenade", "smoke"],
  ["molotov", "fire"],
  ["incgrenade", "fire"],
  ["hegrenade", "he"],
  ["decoy", "decoy"],
])

const grenadeOf = (shot: AnalyzedShot, at: (tick: number) => number): ReadonlyArray<GrenadeRecord> => {
  const grenade = grenades.get(weaponPrinted(shot.weaponName))
  return grenade === undefined
    ? []
    : [{ at: at(shot.tick), thrower: actor(shot.playerSteamId, shot.playerSide, shot.isPlayerControllingBot), grenade }]
}

interface BombMoment {
  readonly roundNumber: number
  readonly tick: number
  readonly bomb: Omit<BombRecord, "at">
}

const bombsOf = (file: AnalyzedMap): ReadonlyArray<BombMoment> => {
  const planted = new Map(file.bombsPlanted.map(({ roundNumber, site }) => [roundNumber, siteOf(site)]))
  const siteIn = (roundNumber: number) => planted.get(roundNumber) ?? null
  return [
    ...file.bombsPlanted.map(({ planterSteamId, roundNumber, site, tick }): BombMoment => {
      return { roundNumber, tick, bomb: { type: "BombPlanted", player: planterSteamId, site: siteOf(site) } }
    }),
    ...file.bombsDefused.map(({ defuserSteamId, roundNumber, tick }): BombMoment => {
      return { roundNumber, tick, bomb: { type: "BombDefused", player: defuserSteamId, site: siteIn(roundNumber) } }
    }),
    ...file.bombsExploded.map(({ roundNumber, tick }): BombMoment => {
      return { roundNumber, tick, bomb: { type: "BombExploded", player: null, site: siteIn(roundNumber) } }
    }),
  ]
}

const siteOf = (site: string): "A" | "B" | null => (site === "A" || site === "B" ? site : null)

/** A player takes part in a round if the file has an economy row of that player for it. */
const presentOf = (file: AnalyzedMap): ((round: number) => ReadonlyArray<PresentPlayer>) => {
  const economies = byRound(file.playerEconomies)
  const kept = Map.groupBy(
    file.playersBuy.filter(({ hasRefunded }) => !hasRefunded),
    ({ playerSteamId, roundNumber }) => `${roundNumber}:${playerSteamId}`,
  )
  return (round) =>
    (economies.get(round) ?? []).flatMap(({ equipmentValue, moneySpent, playerSide, startMoney, steamId }) => {
      const side = sideOf(playerSide)
      if (side === null) return []
      const purchases = kept.get(`${round}:${steamId}`)?.length ?? 0
      return [{ player: steamId === "0" ? null : steamId, side, economy: { startMoney, spent: moneySpent, equipmentValue, purchases } }]
    })
}
