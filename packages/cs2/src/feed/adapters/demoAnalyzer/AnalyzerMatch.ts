/**
 * Schema of the JSON match files of cs-demo-analyzer, limited to the fields that live events need. SteamIDs in these
 * files are numbers above 2^53, which JavaScript numbers cannot represent exactly, so they are taken from the source
 * text and stored as strings of digits. The SteamID "0" stands for bots and for the game world, for example as the
 * cause of fall damage.
 */
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"

const Tick = Schema.Int
const RoundNumber = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 }))
const SteamId = Schema.String.check(Schema.isPattern(/^[0-9]{1,20}$/))
const Letter = Schema.Literals(["A", "B"])
const moment = { tick: Tick, roundNumber: RoundNumber } as const

const Team = Schema.Struct({ name: StorableText, letter: Letter, score: Schema.Natural })

const Player = Schema.Struct({
  steamId: SteamId,
  userId: Schema.Int,
  name: StorableText,
  team: Schema.Struct({ letter: Letter }),
})

const Round = Schema.Struct({
  number: RoundNumber,
  startTick: Tick,
  freezeTimeEndTick: Tick,
  endTick: Tick,
  teamAScore: Schema.Natural,
  teamBScore: Schema.Natural,
  /** 2 means terrorists, 3 means counter-terrorists. */
  teamASide: Schema.Literals([2, 3]),
  winnerSide: Schema.Int,
  endReason: Schema.Int,
})
export type AnalyzerRound = typeof Round.Type

const Kill = Schema.Struct({
  ...moment,
  weaponName: StorableText,
  killerSteamId: SteamId,
  victimSteamId: SteamId,
  assisterSteamId: SteamId,
  isHeadshot: Schema.Boolean,
  isAssistedFlash: Schema.Boolean,
  isThroughSmoke: Schema.Boolean,
  penetratedObjects: Schema.Int,
  isKillerControllingBot: Schema.Boolean,
  isVictimControllingBot: Schema.Boolean,
})
export type AnalyzerKill = typeof Kill.Type

const Damage = Schema.Struct({
  ...moment,
  weaponName: StorableText,
  attackerSteamId: SteamId,
  victimSteamId: SteamId,
  healthDamage: Schema.Int,
  armorDamage: Schema.Int,
  victimNewHealth: Schema.Int,
  victimNewArmor: Schema.Int,
  isAttackerControllingBot: Schema.Boolean,
})
export type AnalyzerDamage = typeof Damage.Type

const Plant = Schema.Struct({ ...moment, site: StorableText, planterSteamId: SteamId })
const DefuseStart = Schema.Struct({ ...moment, defuserSteamId: SteamId })
const Defuse = Schema.Struct({ ...moment, defuserSteamId: SteamId })
const Explosion = Schema.Struct(moment)

const Economy = Schema.Struct({
  roundNumber: RoundNumber,
  steamId: SteamId,
  startMoney: Schema.Int,
  moneySpent: Schema.Int,
  equipmentValue: Schema.Int,
})
export type AnalyzerEconomy = typeof Economy.Type

export const AnalyzerMatch = Schema.Struct({
  mapName: StorableText,
  tickrate: Schema.Finite.check(Schema.isGreaterThan(0)),
  /** ISO 8601, or any other text if the date is unknown. */
  date: StorableText,
  maxRounds: Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 60 })),
  overtimeCount: Schema.Natural,
  teamA: Team,
  teamB: Team,
  players: Schema.Record(Schema.String, Player),
  rounds: Schema.NonEmptyArray(Round),
  kills: Schema.Array(Kill),
  damages: Schema.Array(Damage),
  bombsPlanted: Schema.Array(Plant),
  bombsDefuseStart: Schema.Array(DefuseStart),
  bombsDefused: Schema.Array(Defuse),
  bombsExploded: Schema.Array(Explosion),
  playerEconomies: Schema.Array(Economy),
})
export type AnalyzerMatch = typeof AnalyzerMatch.Type

/** Parses JSON and keeps the digits of SteamIDs. Throws the errors of `JSON.parse`. */
export const parseLosslessly = (text: string): unknown =>
  // The type of `JSON.parse` lacks the reviver's third argument, which contains the source text of a number.
  JSON.parse(text, (key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && /[sS]teamId$/.test(key) ? (context?.source ?? String(value)) : value,
  )
