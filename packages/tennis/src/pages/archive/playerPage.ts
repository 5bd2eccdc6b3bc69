import { type Client, RequestError } from "@matchpoint/client"
import type { Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { facts, joined, panel, table } from "@matchpoint/game/pages/archive/archiveParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { headToHeadPath } from "../links.ts"
import type { MatchRow, PlayerStats, Profile, RankingCareer, RankingRow } from "../types.ts"
import { gapWords } from "../words.ts"
import { matchLog, percentText } from "./archiveParts.ts"
import { rankingPanel } from "./rankingPanel.ts"
import { statisticsTable } from "./statisticsTable.ts"

/** Rows of a page of the ranking history, and pages that are read: enough for 40 years of weekly lists. */
const RANKS = { limit: 500, pages: 4 }
const RECENT = 20

export const playerPage = async (client: Client, playerId: string): Promise<Page> => {
  const params = { playerId }
  const [profile, stats, matches, ranking] = await Promise.all([
    client.get("/tennis/players/:playerId", { params }),
    client.get("/tennis/players/:playerId/stats", { params }),
    client.get("/tennis/players/:playerId/matches", { params, query: { limit: RECENT } }),
    readRanking(client, playerId),
  ])
  return { title: profile.data.name, element: playerView(profile.data, stats.data, matches.data, ranking) }
}

interface Ranking {
  readonly rows: ReadonlyArray<RankingRow>
  readonly career: RankingCareer | null
}

const readRanking = async (client: Client, playerId: string): Promise<Ranking> => {
  const rows: Array<RankingRow> = []
  let career: RankingCareer | null = null
  let cursor: string | null | undefined
  try {
    for (let page = 0; page < RANKS.pages && cursor !== null; page++) {
      const query = { limit: RANKS.limit, ...(cursor === undefined ? {} : { cursor }) }
      const { data, meta } = await client.get("/tennis/rankings/history/:playerId", { params: { playerId }, query })
      for (const row of data) rows.push(row)
      career = meta.career
      cursor = meta.nextCursor ?? null
    }
  } catch (error) {
    // Players of early years are on no list.
    if (!(error instanceof RequestError && error.status === 404)) throw error
  }
  return { rows, career }
}

const playerView = (player: Profile, stats: PlayerStats, matches: ReadonlyArray<MatchRow>, ranking: Ranking) =>
  h(
    "article",
    { class: "entity tennis" },
    h("h1", {}, player.name),
    h("p", { class: "about" }, aboutWords(player)),
    h("p", { class: "actions" }, h("a", { class: "action", href: headToHeadPath(player.id, undefined) }, "Compare with another player")),
    h("div", { class: "columns" }, careerPanel(stats), surfacePanel(stats)),
    rankingPanel(ranking.rows, ranking.career),
    panel(
      "Recent matches",
      matches.length === 0
        ? h("p", { class: "beside" }, "No matches within the history of the plan.")
        : matchLog(matches, player.id, "Recent matches"),
    ),
    panel(
      "Serve and return",
      ...(stats.serve === null || stats.return === null
        ? [h("p", { class: "beside" }, gapWords(stats.statistics_reason))]
        : [
            h("p", { class: "beside" }, `Of ${stats.statistics_matches} matches with statistics.`),
            statisticsTable({ serve: stats.serve, return: stats.return }, "Serve and return"),
          ]),
    ),
  )

const hands = { right: "right-handed", left: "left-handed", both: "both hands" }

const aboutWords = ({ career_high, country, current_rank, dob, hand, height_cm, tour }: Profile) =>
  joined([
    tour,
    country,
    dob === null ? null : `born ${dob}`,
    hand === null ? null : hands[hand],
    height_cm === null ? null : `${height_cm} cm`,
    current_rank === null ? null : `ranked ${current_rank.rank}`,
    career_high === null ? null : `career high ${career_high.rank}`,
  ])

const careerPanel = ({ by_circuit, deciding_sets, finals, losses, matches, other_titles, tiebreaks, titles, win_pct, wins }: PlayerStats) =>
  panel(
    "Career",
    facts([
      ["Matches", String(matches)],
      ["Won", String(wins)],
      ["Lost", String(losses)],
      ["Won %", percentText(win_pct)],
      ["Titles", String(titles)],
      ["Finals", String(finals)],
    ]),
    h(
      "p",
      { class: "beside" },
      joined([
        `Tie-breaks ${tiebreaks.won}–${tiebreaks.lost}`,
        `deciding sets ${deciding_sets.won}–${deciding_sets.lost}`,
        other_titles === 0 ? null : `${other_titles} titles of lower circuits`,
        by_circuit.length > 1 ? "all circuits" : null,
      ]),
    ),
  )

const surfacePanel = ({ by_surface }: PlayerStats) =>
  panel(
    "Surfaces",
    table(
      ["Surface", "Won", "Lost", "Won %", "Titles"],
      by_surface.map(({ losses, surface, titles, win_pct, wins }) => [
        surface ?? "Unknown",
        String(wins),
        String(losses),
        percentText(win_pct),
        String(titles),
      ]),
      "Record by surface",
    ),
  )
