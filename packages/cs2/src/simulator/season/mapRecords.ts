/**
 * Converts the facts and grenade throws of a simulated match to map records, from which statistics are computed.
 * Assumes that both are complete and in order.
 */
import type { PlayerRef, TeamSlot } from "../../rules/archive/ArchivedMatch.ts"
import { type PlayerId, playerNumber } from "../../rules/ids.ts"
import type { FeedEventOf, PlayerReport } from "../../rules/live/feedEvents.ts"
import type { Side } from "../../rules/live/rules.ts"
import type {
  Actor,
  BombRecord,
  DamageRecord,
  EconomyRecord,
  GrenadeRecord,
  KillRecord,
  MapRecord,
  PlayerOnMap,
  RoundRecord,
} from "../../rules/statistics/MapRecord.ts"
import type { VetoStep } from "../mapPool.ts"
import type { Throw } from "../script.ts"
import { type MatchHooks, type MatchOptions, simulateMatch } from "../simulateMatch.ts"
import type { TimedFact } from "../timedFact.ts"

/** Simulates a match. Times in its records are milliseconds since the first event of the match. */
export const mapRecordsOf = (options: Omit<MatchOptions, "hooks">): PlayedMatch => {
  const book = new Book()
  let veto: ReadonlyArray<VetoStep> = []
  const hooks: MatchHooks = {
    onThrow: (thrown) => book.addThrow(thrown),
    onPurchase: (player, items) => book.addPurchases(player, items),
    onVeto: (steps) => {
      veto = steps
    },
  }
  for (const fact of simulateMatch({ ...options, hooks })) book.take(fact)
  return { maps: book.maps, veto }
}

export interface PlayedMatch {
  readonly maps: ReadonlyArray<SimulatedMap>
  readonly veto: ReadonlyArray<VetoStep>
}

export interface SimulatedMap {
  readonly mapNumber: number
  readonly pickedBy: TeamSlot | null
  readonly startedAt: number
  readonly record: MapRecord
}

interface Wealth {
  readonly startMoney: number
  money: number
  equipmentValue: number
}

class Book {
  readonly maps: Array<SimulatedMap> = []
  #players: ReadonlyArray<PlayerOnMap> = []
  readonly #teamOf = new Map<PlayerId, TeamSlot>()
  #teamIds: readonly [string, string] = ["", ""]
  #maxRounds = 24
  #rounds: Array<RoundRecord> = []
  #ct: TeamSlot = 0
  #liveAt = 0
  #isFrozen = false
  #kills: Array<KillRecord> = []
  #damages: Array<DamageRecord> = []
  #bombs: Array<BombRecord> = []
  /** Grenades of the round whose events come next: the simulator completes a round before it yields the round's events. */
  #thrown: Array<Throw> = []
  readonly #bought = new Map<PlayerId, number>()
  readonly #wealth = new Map<PlayerId, Wealth>()

  addThrow(thrown: Throw): void {
    this.#thrown.push(thrown)
  }

  addPurchases(player: PlayerId, items: number): void {
    this.#bought.set(player, items)
  }

  take(fact: TimedFact): void {
    switch (fact.type) {
      case "MatchCreated":
        this.#created(fact.payload)
        break
      case "MapStarted":
        this.#mapStarted(fact.payload, fact.offsetMs)
        break
      case "RoundStarted":
        this.#roundStarted(fact.payload)
        break
      case "RoundLive":
        this.#liveAt = fact.offsetMs
        this.#isFrozen = false
        break
      case "PlayersReported":
        if (this.#isFrozen) for (const report of fact.payload.players) this.#reported(report)
        break
      case "PlayerHurt":
        this.#damages.push({
          at: fact.offsetMs,
          attacker: this.#actor(fact.payload.attackerId),
          victim: this.#actor(fact.payload.victimId),
          weapon: fact.payload.weapon,
          health: fact.payload.damage,
        })
        break
      case "PlayerKilled":
        this.#killed(fact.payload, fact.offsetMs)
        break
      case "BombPlanted":
      case "BombDefused":
        this.#bombs.push({
          at: fact.offsetMs,
          type: fact.type,
          player: fact.payload.playerId,
          site: fact.type === "BombPlanted" ? fact.payload.site : this.#site(),
        })
        break
      case "BombExploded":
        this.#bombs.push({ at: fact.offsetMs, type: "BombExploded", player: null, site: this.#site() })
        break
      case "RoundEnded":
        this.#roundEnded(fact.payload, fact.offsetMs)
        break
      default:
        break
    }
  }

  #created({ roster = [], rules, teams }: FeedEventOf<"MatchCreated">["payload"]): void {
    this.#teamIds = [teams[0].id, teams[1].id]
    this.#maxRounds = rules.maxRounds
    this.#players = roster.map(({ nickname, playerId, teamId }) => {
      const team = this.#slot(teamId)
      this.#teamOf.set(playerId, team)
      const player: PlayerRef = { key: playerId, nickname, playerNumber: playerNumber(playerId) }
      return { key: playerId, player, team }
    })
  }

  #mapStarted({ mapName, mapNumber, pickTeamId }: FeedEventOf<"MapStarted">["payload"], at: number): void {
    this.#rounds = []
    this.maps.push({
      mapNumber,
      pickedBy: pickTeamId == null ? null : this.#slot(pickTeamId),
      startedAt: at,
      record: { map: mapName, players: this.#players, rounds: this.#rounds },
    })
  }

  #roundStarted({ ctTeamId, players = [] }: FeedEventOf<"RoundStarted">["payload"]): void {
    this.#ct = this.#slot(ctTeamId)
    this.#isFrozen = true
    this.#kills = []
    this.#damages = []
    this.#bombs = []
    this.#wealth.clear()
    for (const { equipmentValue = 0, money = 0, playerId } of players)
      this.#wealth.set(playerId, { startMoney: money, money, equipmentValue })
  }

  #reported({ equipmentValue, money, playerId }: PlayerReport): void {
    const wealth = this.#wealth.get(playerId)
    if (wealth === undefined) return
    if (money !== undefined) wealth.money = money
    if (equipmentValue !== undefined) wealth.equipmentValue = equipmentValue
  }

  #killed(payload: FeedEventOf<"PlayerKilled">["payload"], at: number): void {
    this.#kills.push({
      at,
      killer: this.#actor(payload.killerId),
      victim: this.#actor(payload.victimId),
      assister: payload.assisterId === null ? null : this.#actor(payload.assisterId),
      weapon: payload.weapon,
      headshot: payload.headshot,
      flashAssist: payload.flashAssist === true,
      throughSmoke: payload.throughSmoke === true,
      wallbang: payload.wallbang === true,
    })
  }

  #roundEnded({ round, winType, winner }: FeedEventOf<"RoundEnded">["payload"], at: number): void {
    this.#rounds.push({
      number: round,
      overtime: round > this.#maxRounds,
      ct: this.#ct,
      liveAt: this.#liveAt,
      endedAt: at,
      winner,
      winType,
      present: this.#players.map(({ key, team }) => ({ player: key, side: this.#side(team), economy: this.#economy(key as PlayerId) })),
      kills: this.#kills,
      damages: this.#damages,
      grenades: this.#grenades(),
      bombs: this.#bombs,
    })
  }

  #grenades(): ReadonlyArray<GrenadeRecord> {
    const thrown = this.#thrown
    this.#thrown = []
    return thrown.map(({ grenade, offsetMs, thrower }) => ({ at: offsetMs, thrower: this.#actor(thrower), grenade }))
  }

  #economy(player: PlayerId): EconomyRecord | undefined {
    const wealth = this.#wealth.get(player)
    if (wealth === undefined) return undefined
    const { equipmentValue, money, startMoney } = wealth
    return { startMoney, spent: Math.max(0, startMoney - money), equipmentValue, purchases: this.#bought.get(player) ?? 0 }
  }

  #actor(player: PlayerId | null): Actor {
    const team = player === null ? undefined : this.#teamOf.get(player)
    return { player, side: team === undefined ? null : this.#side(team), controlsBot: false }
  }

  #site(): "A" | "B" | null {
    return this.#bombs.find(({ type }) => type === "BombPlanted")?.site ?? null
  }

  #slot(teamId: string): TeamSlot {
    return teamId === this.#teamIds[0] ? 0 : 1
  }

  #side(team: TeamSlot): Side {
    return team === this.#ct ? "CT" : "T"
  }
}
