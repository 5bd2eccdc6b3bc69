/** Changes of rosters, roles and team names, newest first. */
import type { Client } from "@matchpoint/client"
import type { Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { panel, table } from "@matchpoint/game/pages/archive/archiveParts"
import { chosen, nothing, pageLinks, pathWith } from "@matchpoint/game/pages/archive/sectionParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { apexNav, linkTo, TRANSACTIONS } from "./links.ts"
import type { Transaction } from "./types.ts"
import { regionName } from "./words.ts"

export const transactionsPage = async (client: Client, query: URLSearchParams): Promise<Page> => {
  const cursor = chosen(query, "cursor")
  const { data, meta } = await client.get("/apex/algs/transactions", { query: cursor === null ? {} : { cursor } })
  const element = h(
    "article",
    { class: "entity apex" },
    apexNav(TRANSACTIONS),
    h("h1", {}, "Transactions"),
    h("p", { class: "about" }, "Changes of rosters, roles and team names, newest first."),
    panel(
      "Transactions",
      data.length === 0
        ? nothing("No transaction is known within the history of the plan. An operator can import a file of transactions.")
        : transactionsTable(data),
    ),
    ...pageLinks(
      cursor === null ? undefined : TRANSACTIONS,
      meta.nextCursor === null ? undefined : pathWith(TRANSACTIONS, { cursor: meta.nextCursor }),
    ),
  )
  return { title: "Apex transactions", element }
}

export const transactionsTable = (rows: ReadonlyArray<Transaction>) =>
  table(
    ["Day", "What", "Player", "Team", "Before", "After", "Region"],
    rows.map(({ after, before, day, player, region, teamName, type }) => [
      day,
      type.replaceAll("_", " "),
      playerText(player),
      teamName ?? "–",
      before ?? "–",
      after ?? "–",
      region === null ? "–" : regionName(region),
    ]),
    "Transactions, newest first",
    "texts",
  )

const playerText = (player: Transaction["player"]) => {
  if (player === null) return "–"
  const name = player.name ?? player.playerId ?? "–"
  return player.playerId === null ? name : linkTo("players", player.playerId, name)
}
