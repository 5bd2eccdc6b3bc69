/**
 * Weapons and equipment, with their effects. Prices, kill rewards, damage and armor penetration are the game's values,
 * from community tables of the CS2 item files. `power` and `headRate` are specific to this simulator: the strength that
 * a weapon adds in a duel, and the share of its hits that land on the head.
 */
export interface Weapon {
  /** As in game server logs. */
  readonly name: string
  readonly kind: "pistol" | "smg" | "shotgun" | "rifle" | "sniper" | "knife" | "grenade"
  readonly price: number
  readonly reward: number
  /** Damage of a hit on an unarmored chest at close range. */
  readonly damage: number
  /** Share of the damage that passes through armor, 0 to 1. */
  readonly penetration: number
  readonly headRate: number
  /** Mean time between two hits of one player. */
  readonly hitMs: number
  /** Strength that the weapon adds in a duel, as log-odds of winning. */
  readonly power: number
}

// biome-ignore format: a table
const weapon = (name: string, kind: Weapon["kind"], price: number, reward: number, damage: number, penetration: number, headRate: number, hitMs: number, power: number): Weapon =>
  ({ name, kind, price, reward, damage, penetration, headRate, hitMs, power })

// biome-ignore format: a table
export const arsenal = {
  glock:     weapon("glock",         "pistol",   200,  300,  30, 0.47,  0.30,  220, -0.85),
  usp:       weapon("usp_silencer",  "pistol",   200,  300,  35, 0.505, 0.32,  260, -0.75),
  p250:      weapon("p250",          "pistol",   300,  300,  38, 0.64,  0.30,  230, -0.70),
  tec9:      weapon("tec9",          "pistol",   500,  300,  33, 0.906, 0.28,  200, -0.60),
  fiveseven: weapon("fiveseven",     "pistol",   500,  300,  32, 0.912, 0.28,  220, -0.60),
  deagle:    weapon("deagle",        "pistol",   700,  300,  53, 0.932, 0.38,  380, -0.45),
  mac10:     weapon("mac10",         "smg",     1050,  600,  29, 0.575, 0.20,  130, -0.20),
  mp9:       weapon("mp9",           "smg",     1250,  600,  26, 0.60,  0.20,  120, -0.12),
  mag7:      weapon("mag7",          "shotgun", 1300,  900,  95, 0.75,  0.05,  800, -0.25),
  galil:     weapon("galilar",       "rifle",   1800,  300,  30, 0.775, 0.18,  160,  0.12),
  famas:     weapon("famas",         "rifle",   1950,  300,  30, 0.70,  0.18,  160,  0.12),
  ak47:      weapon("ak47",          "rifle",   2700,  300,  36, 0.775, 0.20,  170,  0.38),
  m4a4:      weapon("m4a1",          "rifle",   2900,  300,  33, 0.70,  0.19,  160,  0.36),
  m4a1s:     weapon("m4a1_silencer", "rifle",   2900,  300,  38, 0.70,  0.19,  170,  0.36),
  scout:     weapon("ssg08",         "sniper",  1700,  300,  88, 0.85,  0.40, 1300, -0.15),
  awp:       weapon("awp",           "sniper",  4750,  100, 115, 0.975, 0.06, 1500,  0.55),
  knife:     weapon("knife",         "knife",      0, 1500,  90, 0.85,  0.00,  900, -3.00),
  he:        weapon("hegrenade",     "grenade",  300,  300,  98, 0.575, 0.00,    0, -3.00),
  molotov:   weapon("inferno",       "grenade",  400,  300,   8, 1.00,  0.00,    0, -3.00),
  flashbang: weapon("flashbang",     "grenade",  200,  300,   1, 1.00,  0.00,    0, -3.00),
  smoke:     weapon("smokegrenade",  "grenade",  300,  300,   1, 1.00,  0.00,    0, -3.00),
} as const

export const KEVLAR_PRICE = 650
export const HELMET_PRICE = 350
export const KIT_PRICE = 400
/** Costs more than the attackers' molotov. */
export const INCENDIARY_PRICE = 500
