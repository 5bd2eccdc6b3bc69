import { panel, table } from "@matchpoint/game/pages/archive/archiveParts"
import { count, nothing } from "@matchpoint/game/pages/archive/sectionParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { percent } from "@matchpoint/game/pages/parts/format"
import { linkTo } from "./links.ts"
import type { Bans, Composition, Legend, SeriesPlayer } from "./types.ts"
import { gapWords } from "./words.ts"

type Reasons = Bans["reasons"]

export const playersPanel = (players: ReadonlyArray<SeriesPlayer>, reasons: Reasons) =>
  panel(
    "Players",
    players.length === 0
      ? nothing(gapWords(reasons, "playerStats"))
      : table(
          ["Player", "Team", "Kills", "Assists", "Damage", "Knockdowns", "Revives", "Games", "Legends"],
          players.map((one) => [
            linkTo("players", one.playerId, one.playerName),
            one.teamName,
            count(one.kills),
            count(one.assists),
            count(one.damage),
            count(one.knockdowns),
            count(one.revives),
            String(one.gamesPlayed),
            one.legends.join(", "),
          ]),
          "Players of the series",
        ),
  )

export const legendsPanel = (legends: ReadonlyArray<Legend>, reasons: Reasons) =>
  panel(
    "Legends",
    legends.length === 0
      ? nothing(gapWords(reasons, "legendStats"))
      : table(
          ["Legend", "Pick rate", "Picks", "Kills", "Damage", "Wins", "Ban rate"],
          legends.map((one) => [
            one.legend,
            h("span", { class: "rate" }, rateBar(one.pickRate), percent(one.pickRate)),
            String(one.picks),
            count(one.kills),
            count(one.damage),
            String(one.wins),
            percent(one.banRate),
          ]),
          "Picks and bans of legends",
        ),
  )

const rateBar = (rate: number) => {
  const bar = h("span", { class: "rate-bar", "aria-hidden": "true" })
  bar.style.setProperty("--rate", String(rate))
  return bar
}

const COMPOSITIONS = 10

export const compositionsPanel = (compositions: ReadonlyArray<Composition>, reasons: Reasons) =>
  panel(
    "Compositions",
    compositions.length === 0
      ? nothing(gapWords(reasons, "compositions"))
      : table(
          ["Legends", "Pick rate", "Picks", "Wins", "Mean placement"],
          compositions
            .slice(0, COMPOSITIONS)
            .map(({ averagePlacement, legends, pickRate, picks, wins }) => [
              legends.join(" · "),
              percent(pickRate),
              String(picks),
              String(wins),
              averagePlacement === null ? "–" : averagePlacement.toFixed(1),
            ]),
          "Team compositions picked most often",
        ),
  )

export const bansPanel = ({ games, reasons }: Bans) =>
  panel(
    "Maps and bans",
    games.length === 0
      ? nothing(gapWords(reasons, "games"))
      : table(
          ["Game", "Map", "Banned legends", "Winner"],
          games.map(({ bannedLegends, gameNumber, map, winner }) => [
            String(gameNumber),
            map ?? "–",
            bannedLegends.length === 0 ? "–" : bannedLegends.join(", "),
            winner === null ? "–" : `${winner.teamName}${winner.kills === null ? "" : ` · ${winner.kills} kills`}`,
          ]),
          "Map, banned legends and winner of each game",
          "texts",
        ),
  )
