import { joined, table, when } from "@matchpoint/game/pages/archive/archiveParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { linkTo, tournamentPath } from "./links.ts"
import type { MatchItem, UpcomingMatch } from "./types.ts"

type Dated = Pick<MatchItem, "startsAt" | "startTimeKnown">

/** Start, or only the day if the time is not known. */
export const startText = ({ startTimeKnown, startsAt }: Dated) => (startTimeKnown ? (when(startsAt) ?? "–") : startsAt.slice(0, 10))

const tournamentLink = ({ tournament }: Pick<MatchItem, "tournament">) =>
  h("a", { href: tournamentPath(tournament.tournamentId) }, tournament.name)

export const scoreText = ({ team1, team2 }: Pick<MatchItem, "team1" | "team2">) => `${team1.score ?? "–"} : ${team2.score ?? "–"}`

const teamLink = (team: MatchItem["team1"], winnerSlug: string | null) =>
  h("span", team.slug === winnerSlug ? { class: "set-won" } : {}, linkTo("teams", team.slug, team.name))

export const resultsTable = (matches: ReadonlyArray<MatchItem>, caption: string) =>
  table(
    ["Date", "Team", "Score", "Team", "Tournament", "Round"],
    matches.map((match) => [
      startText(match),
      teamLink(match.team1, match.winnerSlug),
      linkTo("matches", match.id, match.status === "completed" ? scoreText(match) : match.status),
      teamLink(match.team2, match.winnerSlug),
      tournamentLink(match),
      match.round ?? "–",
    ]),
    caption,
    "texts",
  )

/** Results of one team, with the opponents. */
export const teamLog = (matches: ReadonlyArray<MatchItem>, slug: string, caption: string) =>
  table(
    ["Date", "", "Opponent", "Score", "Tournament", "Round"],
    matches.map((match) => {
      const [own, other] = match.team1.slug === slug ? [match.team1, match.team2] : [match.team2, match.team1]
      return [
        startText(match),
        outcome(match.winnerSlug, slug),
        linkTo("teams", other.slug, other.name),
        linkTo("matches", match.id, `${own.score ?? "–"} : ${other.score ?? "–"}`),
        tournamentLink(match),
        match.round ?? "–",
      ]
    }),
    caption,
    "texts",
  )

const outcome = (winnerSlug: string | null, slug: string) => {
  if (winnerSlug === null) return "–"
  const isWon = winnerSlug === slug
  return h("span", { class: isWon ? "won" : "lost", title: isWon ? "won" : "lost" }, isWon ? "W" : "L")
}

export const upcomingTable = (matches: ReadonlyArray<UpcomingMatch>, caption: string) =>
  table(
    ["Start", "Teams", "Tournament", "Round"],
    matches.map((match) => [
      startText(match),
      h(
        "span",
        {},
        linkTo("teams", match.team1.slug, match.team1.name),
        " – ",
        linkTo("teams", match.team2.slug, match.team2.name),
        ...(match.status === "live" ? [" ", h("a", { class: "live-mark", href: "/#/cod" }, "live")] : []),
      ),
      tournamentLink(match),
      joined([match.round, match.bestOf === null ? null : `best of ${match.bestOf}`]),
    ]),
    caption,
    "texts",
  )
