/**
 * Schema of cs-demo-analyzer match files, limited to what statistics need: the fields that the live adapter uses
 * (`../../adapters/demoAnalyzer/AnalyzerMatch.ts`), plus sides, economies, purchases and grenades. Parse the files with
 * `parseLosslessly`, because SteamIDs exceed 2^53.
 */
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"
import { AnalyzerMatch } from "../../adapters/demoAnalyzer/AnalyzerMatch.ts"

const { fields } = AnalyzerMatch
const SteamId = fields.kills.value.fields.killerSteamId
/** 2 means T, 3 means CT, and any other number means no side. */
const SideNumber = Schema.Int

const Kill = Schema.Struct({
  ...fields.kills.value.fields,
  killerSide: SideNumber,
  victimSide: SideNumber,
  assisterSide: SideNumber,
  isAssisterControllingBot: Schema.Boolean,
})
export type AnalyzedKill = typeof Kill.Type

const Damage = Schema.Struct({
  ...fields.damages.value.fields,
  attackerSide: SideNumber,
  victimSide: SideNumber,
  isVictimControllingBot: Schema.Boolean,
})
export type AnalyzedDamage = typeof Damage.Type

const Economy = Schema.Struct({ ...fields.playerEconomies.value.fields, playerSide: SideNumber })
export type AnalyzedEconomy = typeof Economy.Type

const Round = Schema.Struct({ ...fields.rounds.value.fields, overtimeNumber: Schema.Int })
export type AnalyzedRound = typeof Round.Type

const Purchase = Schema.Struct({ roundNumber: Round.fields.number, playerSteamId: SteamId, hasRefunded: Schema.Boolean })

/** A shot, or the throw of a grenade. */
const Shot = Schema.Struct({
  tick: Round.fields.startTick,
  roundNumber: Round.fields.number,
  weaponName: StorableText,
  playerSteamId: SteamId,
  playerSide: SideNumber,
  isPlayerControllingBot: Schema.Boolean,
})
export type AnalyzedShot = typeof Shot.Type

const Explosion = Schema.Struct({ ...fields.bombsExploded.value.fields, site: StorableText })

export const AnalyzedMap = Schema.Struct({
  ...fields,
  checksum: Schema.NonEmptyString,
  demoFileName: StorableText,
  /** `CS2`, `CS2 LT` or `CSGO`. */
  game: StorableText,
  rounds: Schema.NonEmptyArray(Round),
  kills: Schema.Array(Kill),
  damages: Schema.Array(Damage),
  bombsExploded: Schema.Array(Explosion),
  playerEconomies: Schema.Array(Economy),
  playersBuy: Schema.Array(Purchase),
  shots: Schema.Array(Shot),
})
export type AnalyzedMap = typeof AnalyzedMap.Type
