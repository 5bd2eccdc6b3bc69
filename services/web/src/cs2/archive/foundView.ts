/** Page with the results of a search: one list of links for each kind of result. */

import { h } from "../../parts/dom.ts"
import type { Found } from "../types.ts"
import { linkTo, list, matchList, panel, row } from "./archiveParts.ts"

export const foundView = (question: string, { events, matches, players, teams }: Found) => {
  const count = teams.length + players.length + events.length + matches.length
  const kinds = [
    ...(teams.length === 0
      ? []
      : [
          panel(
            "Teams",
            list(
              teams.map((one) => row(linkTo("teams", one.slug, one.name), [one.teamTag, one.countryName])),
              "",
            ),
          ),
        ]),
    ...(players.length === 0
      ? []
      : [
          panel(
            "Players",
            list(
              players.map((one) => row(linkTo("players", one.slug, one.nickname), [one.realName, one.countryName])),
              "",
            ),
          ),
        ]),
    ...(events.length === 0
      ? []
      : [
          panel(
            "Events",
            list(
              events.map((one) => row(linkTo("events", one.slug, one.name), [one.status, one.location])),
              "",
            ),
          ),
        ]),
    ...(matches.length === 0 ? [] : [panel("Matches", matchList(matches, ""))]),
  ]
  const words = count === 0 ? `Nothing is found for “${question}”.` : `${count} found for “${question}”.`
  return { words, element: h("div", { class: "entity" }, h("h1", {}, "Search"), h("p", { class: "about" }, words), ...kinds) }
}
