/** Facts about money and equipment, and from the statistics that the server prints before each round. */
import { type PlayerId, playerId } from "../../../rules/ids.ts"
import { DEFUSER_PRICE, HELMET_PRICE, KEVLAR_PRICE, priceOf, weaponOfGame } from "../weapons.ts"
import type { LogReader } from "./LogReader.ts"
import { NOT_IN_PLAY } from "./lineRules.ts"
import type { LogEvent } from "./logLine.ts"
import type { NumberedLine } from "./unreadLines.ts"

type Of<T extends LogEvent["_tag"]> = Extract<LogEvent, { readonly _tag: T }>

export const readMoney = (reader: LogReader, line: NumberedLine, { money, player }: Of<"Money">) => {
  const id = reader.onSheet(line, player)
  if (id === null) return reader.ignoreAbsent()
  reader.report(id, { money: Math.min(money, 1_000_000) })
}

/** The log lists the whole equipment when a player leaves the buy zone. Armor appears as `kevlar(100)`. */
export const readLeftBuyzone = (reader: LogReader, line: NumberedLine, { items, player }: Of<"LeftBuyzone">) => {
  const id = reader.onSheet(line, player)
  if (id === null) return reader.ignoreAbsent()
  const weapons = items.filter((item) => item.startsWith("weapon_")).map(weaponOfGame)
  const armor = Number(items.map((item) => /^kevlar\((\d{1,3})\)$/.exec(item)?.[1]).find((found) => found !== undefined) ?? 0)
  const helmet = items.includes("helmet")
  const defuseKit = items.includes("defuser")
  const equipmentValue =
    weapons.reduce((sum, weapon) => sum + priceOf(weapon), 0) +
    (armor > 0 ? KEVLAR_PRICE : 0) +
    (helmet ? HELMET_PRICE : 0) +
    (defuseKit ? DEFUSER_PRICE : 0)
  reader.report(id, { armor: Math.min(armor, 100), helmet, defuseKit, equipmentValue, weapon: mostValuable(weapons) })
}

const mostValuable = (weapons: ReadonlyArray<string>): string | null => {
  let best: string | null = null
  for (const weapon of weapons) if (best === null || priceOf(weapon) > priceOf(best)) best = weapon
  return best
}

export const readStatsField = (reader: LogReader, { key, value }: Of<"StatsField">) => {
  const { stats } = reader.memory
  if (stats === null) return reader.ignore("statistics")
  reader.memory = { ...reader.memory, stats: { fields: new Map([...stats.fields, [key, value]]) } }
}

/**
 * The block before a round contains the kills, deaths, assists and money of all players. It corrects the known counts
 * if log lines were lost, but only if it is about the current round.
 */
export const readStatsEnd = (reader: LogReader, line: NumberedLine) => {
  const fields = reader.memory.stats?.fields
  reader.memory = { ...reader.memory, stats: null }
  const { round } = reader.state
  const columns = fields
    ?.get("fields")
    ?.split(",")
    .map((name) => name.trim())
  if (fields === undefined || columns === undefined || reader.map === undefined || round?.phase !== "freezetime") {
    return reader.ignore(NOT_IN_PLAY)
  }
  if (Number(fields.get("round_number")) !== round.number) return reader.ignore("statistics")
  for (const [key, value] of fields) {
    if (!key.startsWith("player_")) continue
    const row = value.split(",").map((cell) => Number(cell))
    const cell = (name: string): number | undefined => row[columns.indexOf(name)]
    const id = accountOf(cell("accountid"))
    if (id === undefined) continue
    reader.report(id, {
      ...whole("money", cell("money")),
      ...whole("kills", cell("kills")),
      ...whole("deaths", cell("deaths")),
      ...whole("assists", cell("assists")),
    })
  }
  reader.flushReports(line)
}

const accountOf = (value: number | undefined): PlayerId | undefined =>
  value !== undefined && Number.isInteger(value) && value > 0 && value <= 0xffffffff ? playerId(value) : undefined

/** Only kills may be negative, because a suicide subtracts a kill. */
const whole = <K extends "money" | "kills" | "deaths" | "assists">(key: K, value: number | undefined): { readonly [P in K]?: number } => {
  const fits = value !== undefined && Number.isInteger(value) && Math.abs(value) <= 1_000_000 && (value >= 0 || key === "kills")
  return fits ? ({ [key]: value } as { readonly [P in K]: number }) : {}
}
