/**
 * Silhouettes of weapons and equipment on a 64 x 24 grid, composed of basic shapes. Guns differ in length, magazine and
 * attachments. All shapes are original work, drawn from the numbers in this file.
 */
import { box, disc, type Picture, polygon } from "./svg.ts"

type Magazine = "none" | "straight" | "curved" | "long" | "box" | "drum" | "top" | "tube"
type Stock = "none" | "full" | "skeleton" | "short"

interface Gun {
  readonly title: string
  /** Length of the receiver (`body`) and of the barrel in front of it (`barrel`), in grid units. */
  readonly body: number
  readonly barrel: number
  readonly magazine: Magazine
  readonly stock: Stock
  readonly scope?: boolean
  readonly suppressor?: boolean
  /** True if the magazine is behind the grip. */
  readonly bullpup?: boolean
}

const gun = (title: string, body: number, barrel: number, magazine: Magazine, stock: Stock, rest: Partial<Gun> = {}): Gun => ({
  title,
  body,
  barrel,
  magazine,
  stock,
  ...rest,
})

const suppressor = true
const scope = true

const guns: Readonly<Record<string, Gun>> = {
  glock: gun("Glock-18", 15, 1, "none", "none"),
  hkp2000: gun("P2000", 14, 2, "none", "none"),
  usp_silencer: gun("USP-S", 14, 1, "none", "none", { suppressor }),
  elite: gun("Dual Berettas", 15, 3, "none", "none"),
  p250: gun("P250", 13, 1, "none", "none"),
  tec9: gun("Tec-9", 12, 6, "straight", "none"),
  fiveseven: gun("Five-SeveN", 16, 1, "none", "none"),
  cz75a: gun("CZ75-Auto", 14, 3, "straight", "none"),
  deagle: gun("Desert Eagle", 19, 1, "none", "none"),
  revolver: gun("R8 Revolver", 9, 10, "drum", "none"),
  mac10: gun("MAC-10", 13, 3, "long", "skeleton"),
  mp9: gun("MP9", 14, 4, "long", "skeleton"),
  mp7: gun("MP7", 15, 4, "long", "short"),
  mp5sd: gun("MP5-SD", 17, 2, "curved", "full", { suppressor }),
  ump45: gun("UMP-45", 19, 4, "straight", "skeleton"),
  bizon: gun("PP-Bizon", 18, 6, "tube", "skeleton"),
  p90: gun("P90", 24, 3, "top", "none", { bullpup: true }),
  nova: gun("Nova", 16, 18, "tube", "full"),
  sawedoff: gun("Sawed-Off", 14, 9, "tube", "none"),
  mag7: gun("MAG-7", 18, 7, "straight", "none"),
  xm1014: gun("XM1014", 17, 16, "tube", "full"),
  galilar: gun("Galil AR", 18, 12, "curved", "skeleton"),
  famas: gun("FAMAS", 27, 8, "straight", "short", { bullpup: true }),
  ak47: gun("AK-47", 18, 14, "curved", "full"),
  m4a1: gun("M4A4", 19, 11, "straight", "short"),
  m4a1_silencer: gun("M4A1-S", 19, 7, "straight", "short", { suppressor }),
  ssg08: gun("SSG 08", 17, 20, "straight", "full", { scope }),
  sg556: gun("SG 553", 18, 10, "curved", "skeleton", { scope }),
  aug: gun("AUG", 26, 9, "straight", "short", { scope, bullpup: true }),
  awp: gun("AWP", 20, 19, "straight", "full", { scope }),
  g3sg1: gun("G3SG1", 19, 15, "straight", "full", { scope }),
  scar20: gun("SCAR-20", 21, 14, "straight", "skeleton", { scope }),
  negev: gun("Negev", 21, 12, "box", "skeleton"),
  m249: gun("M249", 22, 13, "box", "full"),
  taser: gun("Zeus x27", 12, 3, "box", "none"),
}

const TOP = 8

const silhouette = (shape: Gun): Picture => {
  const stockLength = { none: 0, full: 13, skeleton: 12, short: 8 }[shape.stock]
  const length = stockLength + shape.body + shape.barrel + (shape.suppressor ? 9 : 0)
  const left = (64 - length) / 2
  const from = left + stockLength
  const front = from + shape.body
  const muzzle = front + shape.barrel
  const grip = shape.bullpup ? from + shape.body * 0.55 : from + (shape.stock === "none" ? 0 : 2)
  const pistol = shape.stock === "none" && !shape.bullpup
  const feed = shape.bullpup ? from + 2 : grip + (pistol && shape.magazine === "straight" ? 9 : 7)
  return {
    width: 64,
    height: 24,
    title: shape.title,
    path: [
      box(from, TOP, shape.body, 4.5),
      shape.barrel > 0 ? box(front, TOP + 1, shape.barrel, 1.8) : "",
      shape.barrel > 6 ? box(front, TOP + 3.2, shape.barrel * 0.55, 1.3) : "",
      shape.suppressor ? box(muzzle, TOP + 0.2, 9, 3.4) : "",
      polygon([grip, TOP + 4.5], [grip + 4.2, TOP + 4.5], [grip + 2.6, TOP + 12], [grip - 1.6, TOP + 12]),
      magazines[shape.magazine](feed, front),
      stocks[shape.stock](left, from),
      shape.scope
        ? box(from + 3, TOP - 4, 11, 2.6) + box(from + 5, TOP - 1.4, 1.5, 1.4) + box(from + 10.5, TOP - 1.4, 1.5, 1.4)
        : box(front - 2, TOP - 1.4, 1.4, 1.4),
    ].join(""),
  }
}

const UNDER = TOP + 4.5

const magazines: Readonly<Record<Magazine, (x: number, front: number) => string>> = {
  none: () => "",
  straight: (x) => polygon([x, UNDER], [x + 3.6, UNDER], [x + 4.4, UNDER + 6.5], [x + 0.8, UNDER + 6.5]),
  curved: (x) =>
    polygon([x, UNDER], [x + 3.8, UNDER], [x + 5.2, UNDER + 4], [x + 8, UNDER + 7.6], [x + 5, UNDER + 9], [x + 1.6, UNDER + 5]),
  long: (x) => box(x - 4.5, UNDER, 2.8, 10.5),
  box: (x) => box(x, UNDER, 8, 6),
  drum: (x) => disc(x + 1, TOP + 3, 3.2),
  top: (_, front) => box(front - 18, TOP - 2.4, 16, 2),
  tube: (x, front) => box(front - 6, UNDER + 0.3, Math.max(8, 14 - (x % 3)), 1.8),
}

const stocks: Readonly<Record<Stock, (left: number, right: number) => string>> = {
  none: () => "",
  full: (left, right) => polygon([right, TOP + 0.5], [right, TOP + 4], [left, TOP + 8.5], [left, TOP + 1.5]),
  skeleton: (left, right) =>
    box(left + 1, TOP + 1, right - left - 1, 1.4) + box(left, TOP + 1, 1.8, 7) + box(left + 1, TOP + 6.4, (right - left) * 0.6, 1.4),
  short: (left, right) => box(left, TOP + 0.5, right - left, 4) + box(left, TOP + 0.5, 2, 6.5),
}

const canister = (title: string, marks: string): Picture => ({
  width: 64,
  height: 24,
  title,
  path: box(28, 7, 8, 13) + box(29.5, 4, 5, 2.4) + polygon([34.5, 3], [39, 4.5], [37.5, 12], [36.4, 12], [36.4, 5.5], [34.5, 5]) + marks,
})

const bottle = polygon([30, 9], [34, 9], [36, 13], [36, 22], [28, 22], [28, 13]) + box(31, 5, 2, 4)
const flame = polygon([32, 0.5], [34.6, 3.4], [33, 5], [31, 5], [29.6, 3])

const blade = (title: string, path: string): Picture => ({ width: 64, height: 24, title, path })
const handle = box(12, 10.5, 15, 4) + box(26.5, 8.5, 2, 8)

const others: Readonly<Record<string, Picture>> = {
  hegrenade: {
    width: 64,
    height: 24,
    title: "HE grenade",
    path: disc(32, 14, 7) + box(30, 4, 4, 3.5) + polygon([34, 4], [39, 6], [38.5, 11], [37.4, 11], [36, 6.6]),
  },
  flashbang: canister("Flashbang", box(30, 9.5, 4, 1.6) + box(30, 13, 4, 1.6)),
  smokegrenade: canister("Smoke grenade", box(30, 9.5, 4, 5)),
  decoy: canister("Decoy grenade", disc(32, 12, 2)),
  molotov: blade("Molotov", bottle + flame),
  incgrenade: canister("Incendiary grenade", polygon([32, 9], [34.6, 13], [33, 16], [31, 16], [29.4, 13])),
  inferno: blade(
    "Fire",
    polygon([32, 2], [38, 9], [40, 16], [36, 22], [28, 22], [24, 16], [27, 11], [29, 13]) +
      polygon([32, 13], [34.5, 17], [33, 20], [31, 20], [29.6, 17]),
  ),
  c4: blade("C4", box(22, 6, 20, 13) + box(24, 8, 9, 4) + box(35, 8, 5, 2) + box(35, 12, 5, 2) + box(24, 14.5, 16, 2)),
  knife: blade("Knife", handle + polygon([28.5, 9.8], [50, 9.8], [55, 12], [48, 15], [28.5, 15])),
  bayonet: blade("Knife", handle + polygon([28.5, 9.8], [54, 9.8], [58, 12.4], [28.5, 14.6])),
  karambit: blade(
    "Knife",
    disc(14, 12.5, 4) +
      disc(14, 12.5, 2) +
      box(18, 10.5, 13, 4) +
      polygon([31, 10], [42, 6.5], [50, 10], [53, 18], [46, 12.4], [40, 11.6], [31, 14.8]),
  ),
  world: blade("World", disc(32, 12, 9) + disc(32, 12, 7) + box(24, 11.2, 16, 1.6) + polygon([32, 3], [36.5, 12], [32, 21], [27.5, 12])),
}

const unknown: Picture = {
  width: 64,
  height: 24,
  title: "Weapon",
  path: disc(32, 12, 8) + disc(32, 12, 6) + box(31, 1, 2, 7) + box(31, 16, 2, 7) + box(21, 11, 7, 2) + box(36, 11, 7, 2),
}

/** A `Map`, because in a plain object a requested name such as `constructor` would find an inherited property. */
const pictures: ReadonlyMap<string, Picture> = new Map([
  ...Object.entries(guns).map(([name, shape]) => [name, silhouette(shape)] as const),
  ...Object.entries(others),
])

export const drawnWeapons: ReadonlyArray<string> = [...pictures.keys()]

/** A generic weapon icon if the weapon has none of its own. */
export const weaponPicture = (weapon: string): Picture =>
  pictures.get(weapon) ??
  (weapon.startsWith("knife") ? pictures.get(weapon.includes("karambit") ? "karambit" : "knife") : undefined) ??
  unknown
