/** The regions of CS2: Valve's three of the regional standings, which teams and rankings carry. Data. */

export interface ShownRegion {
  readonly id: "europe" | "americas" | "asia"
  readonly slug: string
  readonly name: string
}

export const regions: ReadonlyArray<ShownRegion> = [
  { id: "europe", slug: "europe", name: "Europe" },
  { id: "americas", slug: "americas", name: "Americas" },
  { id: "asia", slug: "asia", name: "Asia" },
]
