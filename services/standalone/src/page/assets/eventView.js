/** A tournament's page: when and where, who takes part, places, bracket, and its matches. */

import { linkTo, list, matchList, number, panel, row, table } from "./archiveParts.js"
import { h } from "./dom.js"

/** @import { EventRow, MatchSummary } from "@matchpoint/contracts/http/cs2/data/models" */
/** @import { EventParticipant } from "@matchpoint/contracts/http/cs2/data/eventModels" */

/** @typedef {NonNullable<EventRow["eventStructure"]>["stages"][number]} Stage */

/** `2026-11-18 – 2026-11-22`; one day once. @param {EventRow} event */
const days = ({ endsAt, startsAt }) => {
  const [from, to] = [startsAt, endsAt].map((at) => (at === null ? null : at.slice(0, 10)))
  return from === to || to === null ? from : `${from ?? "?"} – ${to}`
}

/** @param {EventRow} event */
const prizePool = ({ currency, prizePool: amount }) =>
  amount === null ? null : `Prize pool ${amount.toLocaleString("en")} ${currency ?? ""}`.trim()

/** @param {EventRow} event */
const standings = ({ currency, standings: places }) =>
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

/** @param {Stage} stage */
const bracket = ({ name, rounds }) =>
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

/** @param {Stage["rounds"][number]["matches"][number]} match */
const bracketMatch = (match) => {
  const teams = `${match.team1Name ?? "to be decided"} – ${match.team2Name ?? "to be decided"}`
  const score = match.team1Score === null || match.team2Score === null ? null : `${match.team1Score}:${match.team2Score}`
  return match.matchId === null ? h("li", {}, teams) : row(linkTo("matches", match.matchId, teams), [score])
}

/** @param {EventParticipant} participant */
const participant = ({ matchesPlayed, players, seed, team }) =>
  row(linkTo("teams", team.slug, team.name), [
    seed === null ? null : `seed ${seed}`,
    `${number(matchesPlayed)} matches`,
    players.map(({ nickname }) => nickname).join(", "),
  ])

/** @param {EventRow} event @param {ReadonlyArray<EventParticipant>} participants @param {ReadonlyArray<MatchSummary>} matches */
export const eventView = (event, participants, matches) => {
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
