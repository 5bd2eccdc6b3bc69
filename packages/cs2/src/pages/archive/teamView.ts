import { list, number, panel, row } from "@matchpoint/game/pages/archive/archiveParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { decimal, percent } from "@matchpoint/game/pages/parts/format"
import type { TeamProfile } from "../types.ts"
import { linkTo, matchList } from "./archiveParts.ts"

export const teamView = (team: TeamProfile) => {
  const { form, roster, stats } = team
  const about = [team.teamTag, team.countryName, team.region, team.worldRanking === null ? null : `World #${team.worldRanking}`]
  const members = [
    ...roster.players.map((one) => ({ one, role: one.primaryRole })),
    ...(roster.coach === null ? [] : [{ one: roster.coach, role: "coach" }]),
  ]
  return h(
    "article",
    { class: "entity" },
    h("h1", {}, team.name),
    h("p", { class: "about" }, about.filter((text) => text !== null).join(" · ")),
    panel(
      "Roster",
      list(
        members.map(({ one, role }) => row(linkTo("players", one.slug, one.nickname), [role, one.realName, one.countryName])),
        "Nobody is known to play for it.",
      ),
    ),
    panel(
      "Form",
      h(
        "p",
        {},
        `${form.results.join(" ") || "–"} · ${number(stats.matches)} matches, ${percent(stats.matchWinRate)} won · rating ${decimal(stats.rating, 2)}`,
      ),
    ),
    panel("Results", matchList(team.recentMatches, "No results within the history of the plan.")),
    panel("Coming up", matchList(team.upcomingMatches, "Nothing is announced.")),
  )
}
