import type { IconName } from "@matchpoint/game/pages/parts/icons"
import type { WinTypeName } from "./types.ts"

/** Display names by the weapon names of server logs. */
const weapons = new Map([
  ["ak47", "AK-47"],
  ["aug", "AUG"],
  ["awp", "AWP"],
  ["bizon", "PP-Bizon"],
  ["c4", "Bomb"],
  ["cz75a", "CZ75"],
  ["deagle", "Deagle"],
  ["decoy", "Decoy"],
  ["elite", "Dualies"],
  ["famas", "FAMAS"],
  ["fiveseven", "Five-SeveN"],
  ["flashbang", "Flashbang"],
  ["g3sg1", "G3SG1"],
  ["galilar", "Galil"],
  ["glock", "Glock"],
  ["hegrenade", "HE grenade"],
  ["hkp2000", "P2000"],
  ["incgrenade", "Incendiary"],
  ["inferno", "Fire"],
  ["knife", "Knife"],
  ["m249", "M249"],
  ["m4a1", "M4A4"],
  ["m4a1_silencer", "M4A1-S"],
  ["mac10", "MAC-10"],
  ["mag7", "MAG-7"],
  ["molotov", "Molotov"],
  ["mp5sd", "MP5"],
  ["mp7", "MP7"],
  ["mp9", "MP9"],
  ["negev", "Negev"],
  ["nova", "Nova"],
  ["p250", "P250"],
  ["p90", "P90"],
  ["planted_c4", "Bomb"],
  ["revolver", "R8"],
  ["sawedoff", "Sawed-Off"],
  ["scar20", "SCAR-20"],
  ["sg556", "SG 553"],
  ["smokegrenade", "Smoke"],
  ["ssg08", "Scout"],
  ["taser", "Zeus"],
  ["tec9", "Tec-9"],
  ["ump45", "UMP-45"],
  ["usp_silencer", "USP-S"],
  ["world", "Fall"],
  ["worldspawn", "Fall"],
  ["xm1014", "XM1014"],
])

export const weaponName = (name: string) => {
  const plain = name.startsWith("weapon_") ? name.slice("weapon_".length) : name
  return weapons.get(plain) ?? (plain.startsWith("knife") ? "Knife" : plain.replaceAll("_", " "))
}

/** `de_mirage` becomes Mirage and `de_dust2` becomes Dust II. */
export const mapName = (name: string) => {
  if (name === "de_dust2") return "Dust II"
  const plain = name.replace(/^(de|cs|ar)_/, "").replaceAll("_", " ")
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

export const money = (dollars: number | null) => (dollars === null ? "–" : `$${dollars.toLocaleString("en-US")}`)

/** Rounded, for team totals: 21,350 becomes $21.4k. */
export const shortMoney = (dollars: number | null) =>
  dollars === null ? "–" : dollars < 1000 ? `$${dollars}` : `$${(dollars / 1000).toFixed(dollars < 99_950 ? 1 : 0)}k`

export const winTypes: Readonly<Record<WinTypeName, { readonly icon: IconName; readonly words: string }>> = {
  CTs_Win: { icon: "elimination", words: "elimination" },
  Terrorists_Win: { icon: "elimination", words: "elimination" },
  Target_Bombed: { icon: "explosion", words: "bomb exploded" },
  Bomb_Defused: { icon: "defuse", words: "bomb defused" },
  Target_Saved: { icon: "time", words: "time ran out" },
  CTs_Surrender: { icon: "surrender", words: "surrender" },
  Terrorists_Surrender: { icon: "surrender", words: "surrender" },
  Unknown: { icon: "unknown", words: "won" },
}
