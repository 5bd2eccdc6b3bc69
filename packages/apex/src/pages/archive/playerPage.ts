import type { Client } from "@matchpoint/client"
import type { Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { facts, joined, notice, panel } from "@matchpoint/game/pages/archive/archiveParts"
import { count, nothing, simulatedMark } from "@matchpoint/game/pages/archive/sectionParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { apexNav } from "./links.ts"
import { transactionsTable } from "./transactionsPage.ts"
import type { PlayerHit, Transaction } from "./types.ts"
import { regionName } from "./words.ts"

/** Search results among which the player is looked for. */
const HITS = 50

export const playerPage = async (client: Client, playerId: string): Promise<Page> => {
  const [found, transactions] = await Promise.all([
    client.get("/apex/algs/players/search", { query: { q: playerId, limit: HITS } }),
    client.get("/apex/algs/transactions", { query: { player: playerId } }),
  ])
  const player = found.data.find((one) => one.playerId === playerId)
  if (player === undefined)
    return {
      title: "Not here",
      element: notice("This player is not here", "The archive has no player with this id. Search for the name in the box above."),
    }
  return { title: player.name, element: playerView(player, transactions.data) }
}

const playerView = (player: PlayerHit, transactions: ReadonlyArray<Transaction>) =>
  h(
    "article",
    { class: "entity apex" },
    apexNav(),
    h("h1", {}, player.name),
    h(
      "p",
      { class: "about" },
      joined([player.team?.name ?? "no team", player.role, ...player.regions.map(regionName)]),
      ...(player.source === "simulator" ? [" ", simulatedMark()] : []),
    ),
    panel(
      "Career",
      facts([
        ["Games", count(player.stats.matchesPlayed)],
        ["Kills", count(player.stats.kills)],
        ["Assists", count(player.stats.assists)],
      ]),
    ),
    panel("Transactions", transactions.length === 0 ? nothing("No transaction of this player is known.") : transactionsTable(transactions)),
  )
