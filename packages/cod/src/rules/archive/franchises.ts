/**
 * Franchises of the league by season, as the league announced them. Standings list all franchises of a season, also
 * those without a match. Other teams, such as those of open brackets, are in no standings.
 */
import { slugOf } from "./names.ts"

export interface Franchise {
  readonly slug: string
  readonly name: string
  readonly shortName: string
  /** First and last season, inclusive. The last one is null if the franchise still has this name. */
  readonly seasons: readonly [number, number | null]
}

const franchise = (name: string, shortName: string, first: number, last: number | null): Franchise => ({
  slug: slugOf(name),
  name,
  shortName,
  seasons: [first, last],
})

/** A new name is a new franchise here, because teams are identified by their names. */
export const franchises: ReadonlyArray<Franchise> = [
  franchise("Atlanta FaZe", "ATL", 2020, 2025),
  franchise("Boston Breach", "BOS", 2022, null),
  franchise("Carolina Royal Ravens", "CAR", 2024, null),
  franchise("Cloud9 New York", "NY", 2025, null),
  franchise("FaZe Vegas", "VGS", 2026, null),
  franchise("Florida Mutineers", "FLA", 2020, 2023),
  franchise("G2 Minnesota", "MIN", 2026, null),
  franchise("Las Vegas Legion", "LV", 2023, 2024),
  franchise("London Royal Ravens", "LDN", 2020, 2023),
  franchise("Los Angeles Guerrillas", "LAG", 2020, 2024),
  franchise("Los Angeles Guerrillas M8", "LAG", 2025, 2025),
  franchise("Los Angeles Thieves", "LAT", 2021, null),
  franchise("Miami Heretics", "MIA", 2024, null),
  franchise("Minnesota RØKKR", "MIN", 2020, 2025),
  franchise("New York Subliners", "NYSL", 2020, 2024),
  franchise("OpTic Texas", "TX", 2022, null),
  franchise("Paris Gentle Mates", "PAR", 2026, null),
  franchise("Riyadh Falcons", "RIY", 2026, null),
  franchise("Seattle Surge", "SEA", 2020, 2024),
  franchise("Toronto KOI", "TOR", 2026, null),
  franchise("Toronto Ultra", "TOR", 2020, 2025),
  franchise("Vancouver Surge", "VAN", 2025, null),
  franchise("Vegas Falcons", "VF", 2025, 2025),
]

/** Spellings of sources that differ from the name of the league. */
const misspelled: Readonly<Record<string, string>> = { "los-angeles-guerillas": "los-angeles-guerrillas" }

/** First season from which the table is complete. */
const FIRST_COMPLETE = 2023
/** The franchises of later seasons are not known. */
const LAST_COMPLETE = 2026

/** Franchises by name. Empty if the table does not cover the season. */
export const franchisesOf = (season: number): ReadonlyArray<Franchise> =>
  season < FIRST_COMPLETE || season > LAST_COMPLETE
    ? []
    : franchises.filter(({ seasons: [first, last] }) => first <= season && (last === null || last >= season))

const bySlug = new Map(franchises.map((one) => [one.slug, one]))

/** `name` is the one of a source. Unknown teams have no abbreviation. */
export const teamNamed = (name: string): Pick<Franchise, "name" | "slug"> & { readonly shortName: string | null } => {
  const slug = slugOf(name)
  return bySlug.get(misspelled[slug] ?? slug) ?? { slug, name: name.trim(), shortName: null }
}
