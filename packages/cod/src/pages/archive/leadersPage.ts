import type { Client } from "@matchpoint/client"
import type { Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { panel, table } from "@matchpoint/game/pages/archive/archiveParts"
import { chosen, count, filterForm, nothing } from "@matchpoint/game/pages/archive/sectionParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { clockText } from "@matchpoint/game/pages/parts/format"
import { type Board, boardOf, boards } from "./boards.ts"
import { codNav, LEADERS, linkTo } from "./links.ts"
import { simulatedLabel } from "./simulated.ts"

const ROWS = 50

interface Row {
  readonly rank: number
  readonly player: string
  readonly team: string | null
  readonly values: ReadonlyArray<string>
}

interface Shown {
  readonly heads: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
  /** Unit of the listed values, or the reason why the list is empty. */
  readonly words: string
}

export const leadersPage = async (client: Client, query: URLSearchParams): Promise<Page> => {
  const { board, id, title } = boardOf(chosen(query, "board"))
  const [{ heads, rows, words }, label] = await Promise.all([read(client, board), simulatedLabel(client)])
  const choice = { name: "board", label: "Leaderboard", any: null, options: boards.map((one) => [one.id, one.title] as const), value: id }
  const element = h(
    "article",
    { class: "entity cod" },
    codNav(LEADERS),
    h("h1", {}, "Leaders"),
    h("p", { class: "about" }, words, ...label),
    filterForm(LEADERS, [choice]),
    panel(
      title,
      rows.length === 0
        ? nothing("No player is listed. Choose another leaderboard.")
        : table(
            ["Rank", "Player", "Team", ...heads],
            rows.map(({ player, rank, team, values }) => [String(rank), linkTo("players", player, player), team ?? "–", ...values]),
            title,
          ),
    ),
  )
  return { title, element }
}

const read = async (client: Client, board: Board): Promise<Shown> => {
  switch (board.kind) {
    case "mode":
      return readMode(client, board.mode, board.stat)
    case "earnings":
      return readEarnings(client)
    case "analytics":
      return readAnalytics(client, board.stat)
  }
}

const gaps = { stat_not_counted: "No source of the season counts it.", no_players: "No player has a map of the mode." }

const readMode = async (client: Client, mode: string, stat: string): Promise<Shown> => {
  const { body } = await client.get("/cod/leaderboards/:mode", { params: { mode }, query: { stat, limit: ROWS } })
  const { data, reason, season } = body
  return {
    heads: ["Value", "Maps"],
    rows: data.map(({ mapsPlayed, player, rank, value }) => ({
      rank,
      player: player.ign,
      team: player.team,
      values: [stat === "hillTime" ? clockText(value) : valueText(value), String(mapsPlayed)],
    })),
    words: reason === null ? `Sums of the season ${season ?? ""}` : gaps[reason],
  }
}

const readEarnings = async (client: Client): Promise<Shown> => {
  const {
    body: { data, reason },
  } = await client.get("/cod/leaderboards/earnings", { query: { limit: ROWS } })
  return {
    heads: ["Earnings", "Tournaments won"],
    rows: data.map(({ player, rank, totalEarnings, tournamentsWon }) => ({
      rank,
      player: player.ign,
      team: player.team,
      values: [`$${count(totalEarnings)}`, String(tournamentsWon)],
    })),
    words:
      reason === null ? "Prize money of all seasons, in US dollars" : "No source states prize money. An operator can import a table of it.",
  }
}

const readAnalytics = async (client: Client, stat: string): Promise<Shown> => {
  const { body } = await client.get("/cod/analytics/leaderboard/:stat", {
    params: { stat },
    query: { limit: ROWS },
  })
  const { data, formula, minimumSample, reason } = body
  const sample = `at least ${count(minimumSample.value)} ${minimumSample.of}`
  return {
    heads: ["Value", minimumSample.of],
    rows: data.map((row) => ({
      rank: row.rank,
      player: row.player,
      team: row.team,
      values: [valueText(row.value), count(row.sample)],
    })),
    words: reason === null ? `${formula}, with ${sample}` : `No player has ${sample}. Imported matches may not count it.`,
  }
}

const valueText = (value: number) => (Number.isInteger(value) ? count(value) : value.toFixed(value < 10 ? 3 : 1))
