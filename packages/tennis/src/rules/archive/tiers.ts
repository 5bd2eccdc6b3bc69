/** Groups the levels of tournaments, of which archives have about forty, into tiers. */

export const tiers = ["grand_slam", "finals", "masters", "tour", "challenger", "itf", "team", "olympics", "exhibition", "junior"] as const
export type Tier = (typeof tiers)[number]

/** Other levels belong to `tour`; numbers, which state the prize money in thousands, belong to `itf`. */
export const levelsOfTiers: Readonly<Partial<Record<Tier, ReadonlyArray<string>>>> = {
  grand_slam: ["G"],
  finals: ["F"],
  masters: ["M", "PM", "T1"],
  challenger: ["C"],
  itf: ["S", "CC"],
  team: ["D"],
  olympics: ["O"],
  exhibition: ["E"],
  junior: ["J"],
}
