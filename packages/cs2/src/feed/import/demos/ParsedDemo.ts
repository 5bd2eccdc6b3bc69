/** Output of `parseDemo.ts` for one demo. Field names are those of the parser and the game. */
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"

const maybe = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const Tick = Schema.Int
/** 2 means T, 3 means CT. */
const TeamNumber = maybe(Schema.Int)
const SteamId = maybe(StorableText)
const happened = { tick: Tick, is_warmup_period: maybe(Schema.Boolean) }
const user = {
  user_steamid: SteamId,
  user_name: maybe(StorableText),
  user_team_num: TeamNumber,
  user_is_controlling_bot: maybe(Schema.Boolean),
}
const attacker = { attacker_steamid: SteamId, attacker_team_num: TeamNumber, attacker_is_controlling_bot: maybe(Schema.Boolean) }

const named = <const Name extends string, F extends Schema.Struct.Fields>(name: Name, fields: F) =>
  Schema.Struct({ event_name: Schema.Literal(name), ...happened, ...fields })

const bombFields = { ...user, user_last_place_name: maybe(StorableText) }

const Death = named("player_death", {
  ...user,
  ...attacker,
  assister_steamid: SteamId,
  assister_team_num: TeamNumber,
  assister_is_controlling_bot: maybe(Schema.Boolean),
  weapon: StorableText,
  headshot: maybe(Schema.Boolean),
  assistedflash: maybe(Schema.Boolean),
  thrusmoke: maybe(Schema.Boolean),
  penetrated: maybe(Schema.Int),
})
export type Death = typeof Death.Type

const Hurt = named("player_hurt", { ...user, ...attacker, weapon: StorableText, dmg_health: Schema.Int, health: Schema.Int })
export type Hurt = typeof Hurt.Type

const RoundEnd = named("round_end", {
  /** "CT", "T", 3 (CT) or 2 (T), or `null` for a round without a winner. */
  winner: maybe(Schema.Union([StorableText, Schema.Int])),
  reason: maybe(Schema.Union([StorableText, Schema.Int])),
})
export type RoundEnd = typeof RoundEnd.Type

const DemoEvent = Schema.Union([
  Death,
  Hurt,
  RoundEnd,
  named("weapon_fire", { ...user, weapon: StorableText }),
  named("bomb_planted", bombFields),
  named("bomb_defused", bombFields),
  named("bomb_exploded", bombFields),
  named("round_start", {}),
  named("round_freeze_end", {}),
  named("begin_new_match", {}),
])
export type DemoEvent = typeof DemoEvent.Type

/** A player who belongs to a team, once per round, at the end of the time in which players can buy. */
const Present = Schema.Struct({
  tick: Tick,
  steamid: StorableText,
  name: maybe(StorableText),
  team_num: TeamNumber,
  team_clan_name: maybe(StorableText),
  balance: maybe(Schema.Int),
  cash_spent_this_round: maybe(Schema.Int),
  current_equip_value: maybe(Schema.Int),
})
export type Present = typeof Present.Type

export const ParsedDemo = Schema.Struct({
  header: Schema.Struct({ map_name: StorableText, patch_version: maybe(StorableText), server_name: maybe(StorableText) }),
  /** Rounds in regulation, or `null` if the demo does not contain them. */
  maxRounds: Schema.NullOr(Schema.Int),
  events: Schema.Array(DemoEvent),
  present: Schema.Array(Present),
})
export type ParsedDemo = typeof ParsedDemo.Type
