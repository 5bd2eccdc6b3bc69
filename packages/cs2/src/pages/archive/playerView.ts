import { number, panel, table } from "@matchpoint/game/pages/archive/archiveParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { decimal, percent } from "@matchpoint/game/pages/parts/format"
import type { PlayerProfile } from "../types.ts"
import { linkTo, matchList } from "./archiveParts.ts"

export const playerView = (player: PlayerProfile) => {
  const { stats, team } = player
  const about = [player.realName, player.countryName, player.age === null ? null : `${player.age} years`, player.status]
  const sums = [stats.maps, stats.kills, stats.deaths, stats.assists].map(number)
  return h(
    "article",
    { class: "entity" },
    h("h1", {}, player.nickname),
    h("p", { class: "about" }, about.filter((text) => text !== null).join(" · ")),
    panel("Team", h("p", {}, team === null ? "Without a team" : linkTo("teams", team.slug, team.name))),
    panel(
      "Statistics",
      table(
        ["Maps", "Kills", "Deaths", "Assists", "ADR", "KAST", "Rating"],
        [[...sums, decimal(stats.adr, 1), percent(stats.kast), decimal(stats.rating, 2)]],
      ),
    ),
    panel("Matches", matchList(player.recentMatches, "No matches within the history of the plan.")),
  )
}
