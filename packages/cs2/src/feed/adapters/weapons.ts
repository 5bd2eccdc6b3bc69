/**
 * Weapons and equipment: the names in server logs and Game State Integration, the display names that demo analyzers
 * print, and prices in in-game dollars as of 2026. Prices change with game updates; they are used only for the value of
 * a player's equipment.
 */
import { clipped } from "./text.ts"

const table: ReadonlyArray<readonly [name: string, printed: string, price: number]> = [
  ["glock", "Glock-18", 200],
  ["hkp2000", "P2000", 200],
  ["usp_silencer", "USP-S", 200],
  ["elite", "Dual Berettas", 300],
  ["p250", "P250", 300],
  ["tec9", "Tec-9", 500],
  ["fiveseven", "Five-SeveN", 500],
  ["cz75a", "CZ75 Auto", 500],
  ["cz75a", "CZ75-Auto", 500],
  ["deagle", "Desert Eagle", 700],
  ["revolver", "R8 Revolver", 600],
  ["mac10", "MAC-10", 1050],
  ["mp9", "MP9", 1250],
  ["mp7", "MP7", 1400],
  ["mp5sd", "MP5-SD", 1400],
  ["ump45", "UMP-45", 1200],
  ["bizon", "PP-Bizon", 1300],
  ["p90", "P90", 2350],
  ["nova", "Nova", 1050],
  ["sawedoff", "Sawed-Off", 1100],
  ["mag7", "MAG-7", 1300],
  ["xm1014", "XM1014", 2000],
  ["galilar", "Galil AR", 1800],
  ["famas", "FAMAS", 1950],
  ["ak47", "AK-47", 2700],
  ["m4a1", "M4A4", 2900],
  ["m4a1_silencer", "M4A1", 2900],
  ["m4a1_silencer", "M4A1-S", 2900],
  ["ssg08", "SSG 08", 1700],
  ["sg556", "SG 553", 3000],
  ["aug", "AUG", 3300],
  ["awp", "AWP", 4750],
  ["g3sg1", "G3SG1", 5000],
  ["scar20", "SCAR-20", 5000],
  ["negev", "Negev", 1700],
  ["m249", "M249", 5200],
  ["taser", "Zeus x27", 200],
  ["hegrenade", "HE Grenade", 300],
  ["flashbang", "Flashbang", 200],
  ["smokegrenade", "Smoke Grenade", 300],
  ["decoy", "Decoy Grenade", 50],
  ["molotov", "Molotov", 400],
  ["incgrenade", "Incendiary Grenade", 500],
  ["c4", "C4", 0],
  ["knife", "Knife", 0],
  ["world", "World", 0],
]

const byPrinted = new Map(table.map(([name, printed]) => [printed, name]))
const prices = new Map(table.map(([name, , price]) => [name, price]))

export const KEVLAR_PRICE = 650
export const HELMET_PRICE = 350
export const DEFUSER_PRICE = 400

/** Deaths without an attacker: a fall, being crushed, or leaving the game. */
export const WORLD = "world"
/** Deaths by the explosion of the bomb. */
export const BOMB = "c4"

const plain = (text: string): string => clipped(text.toLowerCase().replace(/[^a-z0-9_]+/g, "_"), 60) || WORLD

/** `ak47` for both `weapon_ak47` and `ak47`. */
export const weaponOfGame = (name: string): string => plain(name.startsWith("weapon_") ? name.slice("weapon_".length) : name)

/** `AK-47` becomes `ak47`. Unknown names are converted to lower case. */
export const weaponPrinted = (printed: string): string => byPrinted.get(printed) ?? plain(printed)

/** In-game dollars, or 0 for items that cannot be bought, such as knives. */
export const priceOf = (weapon: string): number => prices.get(weapon) ?? 0
