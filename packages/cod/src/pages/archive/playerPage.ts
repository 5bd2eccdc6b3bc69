import type { Client } from "@matchpoint/client"
import type { Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { facts, panel, table } from "@matchpoint/game/pages/archive/archiveParts"
import { chosen, count, filterForm, nothing, pathWith } from "@matchpoint/game/pages/archive/sectionParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { decimal, percent } from "@matchpoint/game/pages/parts/format"
import { gapWords } from "./gapWords.ts"
import { codNav, PLAYERS, pathTo } from "./links.ts"
import { simulatedLabel } from "./simulated.ts"
import { trendPanel } from "./trendPanel.ts"
import type { Clutches } from "./types.ts"

const stats = [
  ["kd", "K/D"],
  ["kills", "Kills a map"],
  ["damage", "Damage a map"],
  ["slaying", "Slaying"],
  ["hill_time", "Hill time a map"],
  ["first_blood_rate", "First blood rate"],
  ["trade_efficiency", "Trade efficiency"],
] as const

const periods = [
  ["match", "Matches"],
  ["tournament", "Tournaments"],
  ["season", "Seasons"],
] as const

/** Newest points that the curve shows. */
const POINTS = 40

export const playerPage = async (client: Client, id: string, query: URLSearchParams): Promise<Page> => {
  const params = { id }
  const stat = stats.find(([name]) => name === chosen(query, "stat"))?.[0] ?? "kd"
  const period = periods.find(([name]) => name === chosen(query, "period"))?.[0] ?? "match"
  const [{ body: trends }, { body: clutches }, { body: compared }, label] = await Promise.all([
    client.get("/cod/analytics/players/:id/trends", { params, query: { stat, period, limit: POINTS } }),
    client.get("/cod/analytics/players/:id/clutch-factor", { params }),
    client.get("/cod/analytics/compare", { query: { players: [id] } }),
    simulatedLabel(client),
  ])
  const self = compared.players[0]
  const path = pathTo("players", id)
  const element = h(
    "article",
    { class: "entity cod" },
    codNav(),
    h("h1", {}, trends.player),
    h("p", { class: "about" }, self?.team ?? "", ...label),
    h(
      "p",
      { class: "actions" },
      h("a", { class: "action", href: pathWith(PLAYERS, { player1: trends.player }) }, "Compare with another player"),
    ),
    ...(self === undefined
      ? []
      : [
          panel(
            "Career",
            facts([
              ["Maps", count(self.mapsPlayed)],
              ["K/D", decimal(self.stats.kd, 2)],
              ["Kills a map", decimal(self.stats.kills, 1)],
              ["Damage a map", decimal(self.stats.damage, 0)],
            ]),
          ),
        ]),
    trendPanel(
      trends,
      filterForm(path, [
        { name: "stat", label: "Statistic", any: null, options: stats, value: stat },
        { name: "period", label: "By", any: null, options: periods, value: period },
      ]),
    ),
    clutchPanel(clutches),
  )
  return { title: trends.player, element }
}

const situations = ["1v1", "1v2", "1v3"] as const

const clutchPanel = ({ clutchFactor: { breakdown, firstBloods, overall, rank, tradedDeaths }, gaps }: Clutches) =>
  panel(
    "Clutch factor",
    facts([
      ["Clutch factor", rankedText(decimal(overall, 2), rank)],
      ["First bloods", count(firstBloods.total)],
      ["A round", rankedText(decimal(firstBloods.perRound, 2), firstBloods.rank)],
      ["Traded deaths", rankedText(percent(tradedDeaths.rate), tradedDeaths.rank)],
    ]),
    overall === null
      ? nothing(gapWords(gaps, "clutchFactor.overall") ?? "There is no value.")
      : table(
          ["Situation", "Attempts", "Won", "Won %"],
          situations.map((situation) => {
            const { attempts, winPct, wins } = breakdown[situation]
            return [situation, String(attempts), String(wins), percent(winPct)]
          }),
          "Clutches by situation",
        ),
    h("p", { class: "hint" }, "1 is what an average player would have won in the same situations."),
  )

const rankedText = (value: string, rank: number | null) => (rank === null ? value : `${value} (${rank}.)`)
