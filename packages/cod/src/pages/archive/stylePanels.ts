/** Playstyle and tendencies of a team. */
import { joined, panel } from "@matchpoint/game/pages/archive/archiveParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { gapWords } from "./gapWords.ts"
import type { TeamStyle } from "./types.ts"

const scales: ReadonlyArray<readonly [name: keyof TeamStyle["playstyle"], title: string]> = [
  ["aggression", "Aggression"],
  ["rotationSpeed", "Rotation speed"],
  ["mapControl", "Map control"],
  ["slayingPower", "Slaying power"],
  ["objectivePlay", "Objective play"],
]

export const stylePanels = (style: TeamStyle) => [
  panel(
    "Playstyle",
    h(
      "dl",
      { class: "scales" },
      ...scales.flatMap(([name, title]) => scale(title, style.playstyle[name], gapWords(style.gaps, `playstyle.${name}`))),
    ),
    h(
      "p",
      { class: "hint" },
      `From ${style.mapsPlayed} maps, compared with all teams: 50 is the average, 10 more is one standard deviation.`,
    ),
  ),
  panel("Tendencies", h("p", {}, tendencyWords(style))),
]

const scale = (title: string, value: number | null, gap: string | null) => {
  if (value === null) return [h("dt", {}, title), h("dd", { class: "beside" }, gap ?? "–")]
  const bar = h("span", { class: "scale-bar", "aria-hidden": "true" })
  bar.style.setProperty("--at", String(Math.min(100, Math.max(0, value)) / 100))
  return [h("dt", {}, title), h("dd", {}, bar, h("strong", {}, value.toFixed(0)))]
}

const tendencyWords = ({ tendencies }: TeamStyle) => {
  const { preferredBy, preferredMaps, strongestMode, weakestMode } = tendencies
  const words = joined([
    preferredMaps.length === 0 ? null : `${preferredBy === "picks" ? "Picks" : "Plays"} ${preferredMaps.join(", ")} most`,
    strongestMode === null ? null : `strongest in ${strongestMode}`,
    weakestMode === null ? null : `weakest in ${weakestMode}`,
  ])
  return words === "" ? "Too few maps are known." : `${words}.`
}
