/** Parses item names of the skin market, such as `★ StatTrak™ Flip Knife | Gamma Doppler (Minimal Wear)`. */

export const wears = ["Factory New", "Minimal Wear", "Field-Tested", "Well-Worn", "Battle-Scarred"] as const
export type Wear = (typeof wears)[number]

export interface ItemName {
  readonly marketName: string
  /** Weapon, knife or gloves; null for items without a skin, such as cases and stickers. */
  readonly weapon: string | null
  readonly skinName: string | null
  readonly wear: Wear | null
  readonly statTrak: boolean
  readonly souvenir: boolean
  readonly category: "weapon" | "knife" | "gloves" | "sticker" | "graffiti" | "patch" | "music-kit" | "agent" | "container" | "other"
}

const byPrefix: ReadonlyArray<readonly [RegExp, ItemName["category"]]> = [
  [/^Sticker \|/, "sticker"],
  [/^Sealed Graffiti \||^Graffiti \|/, "graffiti"],
  [/^Patch \|/, "patch"],
  [/^Music Kit \|/, "music-kit"],
  [/ (Case|Capsule|Package|Pin|Box)$|^Autograph Capsule/, "container"],
]

export const readMarketName = (marketName: string): ItemName => {
  const wearIndex = wears.findIndex((wear) => marketName.endsWith(` (${wear})`))
  const wear = wears[wearIndex] ?? null
  const bare = wear === null ? marketName : marketName.slice(0, -(wear.length + 3))
  const statTrak = bare.includes("StatTrak™")
  const souvenir = bare.startsWith("Souvenir ") && !bare.endsWith(" Package")
  const plain = bare
    .replace("★", "")
    .replace("StatTrak™", "")
    .replace(souvenir ? /^\s*Souvenir / : /^$/, "")
    .replaceAll(/\s+/g, " ")
    .trim()
  const named = { marketName, wear, statTrak, souvenir }
  const other = byPrefix.find(([pattern]) => pattern.test(plain))
  if (other !== undefined) return { ...named, weapon: null, skinName: null, category: other[1] }
  const [carrier = plain, ...skin] = plain.split(" | ")
  const skinName = skin.length === 0 ? null : skin.join(" | ")
  if (bare.startsWith("★")) {
    return { ...named, weapon: carrier, skinName, category: /Gloves|Wraps/.test(carrier) ? "gloves" : "knife" }
  }
  if (wear !== null) return { ...named, weapon: carrier, skinName, category: "weapon" }
  // Agents are `Name | Faction`, without a wear level.
  return skinName === null
    ? { ...named, weapon: null, skinName: null, category: "other" }
    : { ...named, weapon: null, skinName: null, category: "agent" }
}
