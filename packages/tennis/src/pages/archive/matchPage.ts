import type { Client } from "@matchpoint/client"
import type { Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { archivedOrLive } from "@matchpoint/game/pages/archive/archivedOrLive"
import { joined, panel, table } from "@matchpoint/game/pages/archive/archiveParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { headToHeadPath, linkTo } from "../links.ts"
import type { MatchDetail } from "../types.ts"
import { gapWords, levelName, roundName } from "../words.ts"
import { dayText, entryText, playerLink } from "./archiveParts.ts"
import { versusTable } from "./statisticsTable.ts"

export const matchPage = (client: Client, matchId: string): Promise<Page> =>
  archivedOrLive(matchId, "tennis", "match", async () => {
    const { data } = await client.get("/tennis/matches/:matchId", { params: { matchId } })
    return { title: `${data.winner.name ?? ""} – ${data.loser.name ?? ""}`, element: matchView(data) }
  })

const endings: Readonly<Record<string, string>> = {
  retired: "retired",
  walkover: "walkover",
  defaulted: "defaulted",
  unfinished: "unfinished",
}

const matchView = (match: MatchDetail) => {
  const { loser, score, statistics, tournament, winner } = match
  return h(
    "article",
    { class: "entity tennis" },
    h("h1", {}, playerLink(winner), entryText(winner), " – ", playerLink(loser), entryText(loser)),
    h(
      "p",
      { class: "about" },
      linkTo("tournaments", tournament.id, tournament.name ?? tournament.id),
      " · ",
      joined([
        levelName(tournament.level),
        tournament.surface,
        roundName(match.round),
        dayText(match),
        match.minutes === null ? null : `${match.minutes} minutes`,
        endings[match.status] ?? null,
      ]),
    ),
    h("p", { class: "actions" }, h("a", { class: "action", href: headToHeadPath(winner.id, loser.id) }, "Head-to-head")),
    panel("Sets", match.set_lines.length === 0 ? h("p", {}, score.text) : setTable(match)),
    panel(
      "Statistics",
      statistics === null
        ? h("p", { class: "beside" }, gapWords(match.statistics_reason))
        : versusTable(statistics.winner, statistics.loser, "Statistics of both players"),
    ),
  )
}

const setTable = ({ loser, set_lines, winner }: MatchDetail) => {
  const cells = (side: "winner" | "loser") =>
    set_lines.map((line) => {
      const games = String(side === "winner" ? line.winner_games : line.loser_games)
      const isLost = line.won_by !== null && line.won_by !== side
      const points = isLost && line.tiebreak_points !== null ? [h("sup", {}, String(line.tiebreak_points))] : []
      return h("span", line.won_by === side ? { class: "set-won" } : {}, games, ...points)
    })
  return table(
    ["Player", ...set_lines.map(({ set }) => `Set ${set}`)],
    [
      [playerLink(winner), ...cells("winner")],
      [playerLink(loser), ...cells("loser")],
    ],
    "Games by set",
  )
}
