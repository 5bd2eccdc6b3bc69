/** Page of a tournament: dates, location, participants, standings, bracket and matches. */
import { list, number, panel, row, table } from "@matchpoint/game/pages/archive/archiveParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import type { EventParticipant, EventRow, MatchSummary } from "../types.ts"
import { linkTo, matchList } from "./archiveParts.ts"

type Stage = NonNullable<EventRow["eventStructure"]>["stages"][number]

/** `2026-11-18 – 2026-11-22`, or a single date if both are the same. */
const days = ({ endsAt, startsAt }: EventRow) => {
  const [from, to] = [startsAt, endsAt].map((at) => (at === null ? null : at.slice(0, 10)))
  return from === to || to === null ? from : `${from ?? "?"} – ${to}`
}

const prizePool = ({ currency, prizePool: amount }: EventRow) =>
  amount === null ? null : `Prize pool ${amount.toLocaleString("en")} ${currency ?? ""}`.trim()

const standings = ({ currency, standings: places }: EventRow) =>
  places.length === 0
    ? h("p", { class: "beside" }, "No places are known yet.")
    : table(
        ["Place", "Team", "Matches", "Maps", "Prize"],
        places.map((one) => [
          one.place,
          linkTo("teams", one.teamId, one.teamName),
          `${one.matchesWon}–${one.matchesLost}`,
          `${one.mapsWon}–${one.mapsLost}`,
          one.prize === null ? "–" : `${one.prize.toLocaleString("en")} ${currency ?? ""}`.trim(),
        ]),
      )

const bracket = ({ name, rounds }: Stage) =>
  panel(
    name,
    h(
      "div",
      { class: "bracket" },
      ...rounds.map((round) =>
        h("section", {}, h("h3", {}, round.name), list(round.matches.map(bracketMatch), "Who meets is not known yet.")),
      ),
    ),
  )

const bracketMatch = (match: Stage["rounds"][number]["matches"][number]) => {
  const teams = `${match.team1Name ?? "to be decided"} – ${match.team2Name ?? "to be decided"}`
  const score = match.team1Score === null || match.team2Score === null ? null : `${match.team1Score}:${match.team2Score}`
  return match.matchId === null ? h("li", {}, teams) : row(linkTo("matches", match.matchId, teams), [score])
}

const participant = ({ matchesPlayed, players, seed, team }: EventParticipant) =>
  row(linkTo("teams", team.slug, team.name), [
    seed === null ? null : `seed ${seed}`,
    `${number(matchesPlayed)} matches`,
    players.map(({ nickname }) => nickname).join(", "),
  ])

export const eventView = (event: EventRow, participants: ReadonlyArray<EventParticipant>, matches: ReadonlyArray<MatchSummary>) => {
  const about = [
    days(event),
    event.status,
    event.location,
    event.isLan ? "LAN" : null,
    event.tier && `Tier ${event.tier}`,
    prizePool(event),
  ]
  return h(
    "article",
    { class: "entity" },
    h("h1", {}, event.name),
    h("p", { class: "about" }, about.filter((text) => text !== null).join(" · ")),
    panel("Standings", standings(event)),
    ...(event.eventStructure?.stages ?? []).map(bracket),
    panel("Teams", list(participants.map(participant), "Nobody is known to take part.")),
    panel("Matches", matchList(matches, "No matches within the history of the plan.")),
  )
}
