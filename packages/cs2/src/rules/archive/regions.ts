/**
 * Regions of CS2 teams. Teams and rankings use the three regions of the regional standings. Four smaller regions, each
 * part of one of these, can be used as filters for lists; a team's country determines its smaller region.
 */

export type StandingsRegion = "europe" | "americas" | "asia"
export type RegionPart = "north-america" | "south-america" | "oceania" | "middle-east"

export interface ShownRegion {
  readonly id: StandingsRegion | RegionPart
  readonly slug: string
  readonly name: string
}

interface Part extends ShownRegion {
  readonly partOf: StandingsRegion
  /** Two-letter ISO 3166 codes. */
  readonly countries: ReadonlyArray<string>
}

const region = <Id extends ShownRegion["id"]>(id: Id, name: string) => ({ id, slug: id, name })

const codes = (list: string): ReadonlyArray<string> => list.split(" ")

const parts: ReadonlyArray<Part> = [
  { ...region("north-america", "North America"), partOf: "americas", countries: codes("CA CR CU DO GT HN JM MX NI PA PR SV US") },
  { ...region("south-america", "South America"), partOf: "americas", countries: codes("AR BO BR CL CO EC GY PE PY SR UY VE") },
  { ...region("oceania", "Oceania"), partOf: "asia", countries: codes("AU FJ NC NZ PG WS") },
  { ...region("middle-east", "Middle East"), partOf: "asia", countries: codes("AE BH IQ IR JO KW LB OM PS QA SA SY YE") },
]

export const regions: ReadonlyArray<ShownRegion> = [
  region("europe", "Europe"),
  region("americas", "Americas"),
  region("asia", "Asia"),
  ...parts.map(({ id, name }) => region(id, name)),
]

/** The smaller region with this name, or undefined. */
export const partOfRegion = (name: string): Part | undefined => parts.find(({ id }) => id === name)
