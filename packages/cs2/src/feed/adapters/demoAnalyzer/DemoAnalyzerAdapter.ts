/**
 * Derives facts from a demo analyzed by cs-demo-analyzer, one timeline entry at a time. An analyzed file is complete
 * and in order, so this adapter only translates and needs no memory between calls.
 */
import { type PlayerId, playerIdOfSteamId64 } from "../../../rules/ids.ts"
import type { PlayerReport, WinType } from "../../../rules/live/feedEvents.ts"
import type { Side } from "../../../rules/live/rules.ts"
import { currentMap, playerOf } from "../../../rules/live/state.ts"
import type { Adapter } from "../Adapter.ts"
import { Derivation, type FactBody } from "../Derivation.ts"
import { mapNameOf } from "../text.ts"
import { weaponPrinted } from "../weapons.ts"
import type { AnalyzerEconomy, AnalyzerRound } from "./AnalyzerMatch.ts"
import type { Entry } from "./timeline.ts"

export const demoAnalyzer: Adapter<Entry, null> = {
  name: "demo",
  initial: () => null,
  recall: () => null,
  step: ({ state }, entry, receivedAt) => {
    const derivation = new Derivation(state, receivedAt)
    for (const [id, body] of factsOf(derivation, entry)) {
      derivation.addFact({ id: `demo:r${entry.round}:${id}`, at: entry.at, raw: `${entry._tag} at tick ${entry.tick}` }, body)
    }
    return derivation.done(null)
  },
}

function* factsOf({ state }: Derivation, entry: Entry): Generator<readonly [id: string, body: FactBody]> {
  const playing = currentMap(state)
  const mapNumber = playing?.number ?? 1
  const where = { mapNumber, round: entry.round }
  const sheet = (steamId: string): PlayerId | null => {
    const id = playerIdOfSteamId64(steamId)
    return id !== undefined && playerOf(state, id) !== undefined ? id : null
  }
  const ctTeamOf = (round: AnalyzerRound) => (round.teamASide === 3 ? state.teams[0].id : state.teams[1].id)
  switch (entry._tag) {
    case "MapStarted":
      return yield [
        "map",
        { type: "MapStarted", payload: { mapNumber: 1, mapName: mapNameOf(entry.mapName), ctTeamId: ctTeamOf(entry.first) } },
      ]
    case "RoundStarted": {
      const players = reports(entry.economies, sheet, (economy) => ({ money: amount(economy.startMoney) }))
      return yield ["start", { type: "RoundStarted", payload: { ...where, ctTeamId: ctTeamOf(entry.of), players } }]
    }
    case "RoundLive": {
      const players = reports(entry.economies, sheet, ({ startMoney, moneySpent, equipmentValue }) => ({
        money: amount(startMoney - moneySpent),
        equipmentValue: amount(equipmentValue),
      }))
      if (players.length > 0) yield ["bought", { type: "PlayersReported", payload: { ...where, players } }]
      return yield ["live", { type: "RoundLive", payload: where }]
    }
    case "Damage": {
      const victimId = sheet(entry.of.victimSteamId)
      if (victimId === null) return
      const { attackerSteamId, healthDamage, armorDamage, victimNewArmor, victimNewHealth, weaponName } = entry.of
      const id = `hurt:${entry.tick}:${attackerSteamId}:${victimId}:${victimNewHealth}:${entry.copy}`
      const payload = {
        ...where,
        attackerId: sheet(attackerSteamId),
        victimId,
        weapon: weaponPrinted(weaponName),
        damage: points(healthDamage),
        armorDamage: points(armorDamage),
        hpLeft: points(victimNewHealth),
        armorLeft: points(victimNewArmor),
        attackerControlsBot: entry.of.isAttackerControllingBot,
      }
      return yield [id, { type: "PlayerHurt", payload }]
    }
    case "Kill": {
      const kill = entry.of
      const payload = {
        ...where,
        killerId: sheet(kill.killerSteamId),
        victimId: sheet(kill.victimSteamId),
        assisterId: sheet(kill.assisterSteamId),
        flashAssist: kill.isAssistedFlash,
        weapon: weaponPrinted(kill.weaponName),
        headshot: kill.isHeadshot,
        throughSmoke: kill.isThroughSmoke,
        wallbang: kill.penetratedObjects > 0,
        killerControlsBot: kill.isKillerControllingBot,
        victimControlsBot: kill.isVictimControllingBot,
      }
      return yield [`kill:${entry.tick}:${kill.killerSteamId}:${kill.victimSteamId}`, { type: "PlayerKilled", payload }]
    }
    case "Planted": {
      const site = entry.site === "A" || entry.site === "B" ? entry.site : null
      return yield [`plant:${entry.tick}`, { type: "BombPlanted", payload: { ...where, playerId: sheet(entry.steamId), site } }]
    }
    case "DefuseStarted": {
      const playerId = sheet(entry.steamId)
      if (playerId === null) return
      const withKit = playerOf(state, playerId)?.defuseKit === true
      return yield [`defusing:${entry.tick}`, { type: "BombDefuseStarted", payload: { ...where, playerId, withKit } }]
    }
    case "Defused":
      return yield [`defused:${entry.tick}`, { type: "BombDefused", payload: { ...where, playerId: sheet(entry.steamId) } }]
    case "Exploded":
      return yield [`exploded:${entry.tick}`, { type: "BombExploded", payload: where }]
    case "RoundEnded": {
      const { teamAScore, teamASide, teamBScore, winnerSide } = entry.of
      const winner: Side = winnerSide === 3 ? "CT" : "T"
      const score = teamASide === 3 ? { ct: teamAScore, t: teamBScore } : { ct: teamBScore, t: teamAScore }
      return yield [
        "end",
        { type: "RoundEnded", payload: { ...where, winner, winType: winTypes.get(entry.of.endReason) ?? "unknown", score } },
      ]
    }
    case "MapOver": {
      if (playing?.status !== "live") return
      // The demo ends before a team has won enough rounds: a team surrendered or both agreed to stop.
      const [a, b] = playing.score
      const winnerTeamId = a === b ? null : state.teams[a > b ? 0 : 1].id
      const surrendered = playing.rounds.at(-1)?.winType === "surrender"
      return yield ["over", { type: "MapEnded", payload: { mapNumber, winnerTeamId, reason: surrendered ? "surrender" : "forfeit" } }]
    }
  }
}

/** Win types by the game's numeric codes. */
export const winTypes: ReadonlyMap<number, WinType> = new Map([
  [1, "bomb_exploded"],
  [7, "bomb_defused"],
  [8, "elimination"],
  [9, "elimination"],
  [12, "time_expired"],
  [17, "surrender"],
  [18, "surrender"],
] as const)

const reports = (
  economies: ReadonlyArray<AnalyzerEconomy>,
  sheet: (steamId: string) => PlayerId | null,
  report: (economy: AnalyzerEconomy) => Omit<PlayerReport, "playerId">,
): ReadonlyArray<PlayerReport> =>
  economies.flatMap((economy) => {
    const playerId = sheet(economy.steamId)
    return playerId === null ? [] : [{ playerId, ...report(economy) }]
  })

const points = (value: number): number => Math.min(100, Math.max(0, value))
const amount = (value: number): number => Math.max(0, value)
