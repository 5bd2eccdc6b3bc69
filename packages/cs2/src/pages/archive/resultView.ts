/** Archive page of a match. For a live match, it links to the live page. */
import { list, number, panel, row, table, when } from "@matchpoint/game/pages/archive/archiveParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { mapName } from "../format.ts"
import type { MatchDetail } from "../types.ts"
import { linkTo, score } from "./archiveParts.ts"

export const resultView = (match: MatchDetail) => {
  const { team1, team2 } = match.teams
  const nameOf = (id: string | null) => (id === null ? "–" : id === team1.id ? team1.name : team2.name)
  const about = [match.stageName, when(match.startsAt), match.status, match.bestOf === null ? null : `Bo${match.bestOf}`]
  const lineup = (side: "team1" | "team2") =>
    panel(
      match.teams[side].name,
      list(
        match.lineups[side].map((one) =>
          row(linkTo("players", one.slug, one.nickname), [one.role === "coach" ? "coach" : null, one.countryName]),
        ),
        "The line-up is not known.",
      ),
    )
  return h(
    "article",
    { class: "entity" },
    h("h1", {}, linkTo("teams", team1.slug, team1.name), ` ${score(match) ?? "–"} `, linkTo("teams", team2.slug, team2.name)),
    h(
      "p",
      { class: "about" },
      ...(match.eventSlug === null ? [] : [linkTo("events", match.eventSlug, match.eventName ?? match.eventSlug), " · "]),
      about.filter((text) => text !== null).join(" · "),
    ),
    ...(match.status === "live" ? [panel("Live", h("p", {}, h("a", { href: `/#/match/${match.id}` }, "Follow it live")))] : []),
    panel(
      "Maps",
      match.maps.length === 0
        ? h("p", { class: "beside" }, "No map is known.")
        : table(
            ["Map", team1.name, team2.name, "Winner"],
            match.maps.map((map) => [mapName(map.map), number(map.team1Score), number(map.team2Score), nameOf(map.winnerTeamId)]),
          ),
    ),
    ...(match.vetoOrder === null
      ? []
      : [
          panel(
            "Veto",
            list(
              match.vetoOrder.map((step) =>
                h("li", {}, `${step.action} ${mapName(step.mapName)}${step.teamId === null ? "" : ` · ${nameOf(step.teamId)}`}`),
              ),
              "–",
            ),
          ),
        ]),
    lineup("team1"),
    lineup("team2"),
  )
}
