import { pathWith, type SectionLink, sectionNav } from "@matchpoint/game/pages/archive/sectionParts"
import { h } from "@matchpoint/game/pages/parts/dom"

type Page = "matches" | "players" | "teams"

export const pathTo = (page: Page, id: string) => `/cod/${page}/${encodeURIComponent(id)}`

export const linkTo = (page: Page, id: string, text: string) => h("a", { href: pathTo(page, id) }, text)

/** The plain name if the team has no id. */
export const teamLink = ({ name, slug }: { readonly name: string; readonly slug: string | null }): Node | string =>
  slug === null ? name : linkTo("teams", slug, name)

export const STANDINGS = "/cod/standings"
export const SCHEDULE = "/cod/schedule"
export const RESULTS = "/cod/results"
export const LEADERS = "/cod/leaders"
export const TEAMS = "/cod/team-comparison"
export const PLAYERS = "/cod/player-comparison"

const links: ReadonlyArray<SectionLink> = [
  { href: STANDINGS, text: "Standings" },
  { href: SCHEDULE, text: "Schedule" },
  { href: RESULTS, text: "Results" },
  { href: LEADERS, text: "Leaders" },
  { href: TEAMS, text: "Compare teams" },
  { href: PLAYERS, text: "Compare players" },
  { href: "/#/cod", text: "Live matches" },
]

export const codNav = (current = "") => sectionNav("Call of Duty League", links, current)

/** Page with the results of a tournament. */
export const tournamentPath = (tournamentId: string) => pathWith(RESULTS, { tournamentId })
