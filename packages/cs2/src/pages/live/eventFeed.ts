/** List of a match's events, newest first. */
import { h, keyedRows, setAttribute, show } from "@matchpoint/game/pages/parts/dom"
import { icon, labelledIcon } from "@matchpoint/game/pages/parts/icons"
import { mapName, weaponName, winTypes } from "../format.ts"
import type { Happening, LiveMatch } from "../types.ts"

const SHOWN = 60

export const eventFeed = () => {
  const list = h("ol", { class: "feed", tabindex: "0", "aria-label": "What happened, newest first" })
  const empty = h("p", { class: "feed-empty" }, "Nothing has happened yet.")
  let match: LiveMatch | null = null
  const fill = keyedRows(
    list,
    (happening: Happening) => happening.eventId,
    (happening) => ({ element: line(happening, match), update: () => {} }),
  )
  const element = h(
    "section",
    { class: "panel feed-panel", "aria-labelledby": "feed-heading" },
    h("div", { class: "panel-head" }, h("h2", { id: "feed-heading" }, "Kill feed")),
    list,
    empty,
  )
  return {
    element,
    update(current: LiveMatch, happenings: ReadonlyArray<Happening>) {
      match = current
      const lines = happenings.filter(({ eventType }) => shown.has(eventType)).slice(0, SHOWN)
      fill(lines)
      show(list, lines.length > 0)
      show(empty, lines.length === 0)
    },
  }
}

/** Starts of rounds are not shown, because they are obvious from the events around them. */
const shown = new Set([
  "Kill",
  "BombPlanted",
  "BombDefused",
  "BombExploded",
  "RoundEnd",
  "MapStart",
  "MapRestart",
  "Timeout",
  "MatchEnd",
  "SourceChange",
])

const line = (happening: Happening, match: LiveMatch | null) => {
  const { payload } = happening
  const element = h("li", { class: "happening", "data-type": happening.eventType })
  const teamName = (id: unknown) => match?.teams.find((team) => team.id === id)?.name
  const site = happening.bombSite === null ? "" : ` on ${happening.bombSite}`
  const by = happening.playerNick
  switch (happening.eventType) {
    case "Kill":
      element.append(...kill(payload))
      break
    case "BombPlanted":
      element.append(icon("bomb"), words(`${by ?? "The bomb"} ${by === null ? "was planted" : "planted"}${site}`))
      break
    case "BombDefused":
      element.append(icon("defuse"), words(`${by ?? "The bomb"} ${by === null ? "was defused" : "defused"}${site}`))
      break
    case "BombExploded":
      element.append(icon("explosion"), words(`Bomb exploded${site}`))
      break
    case "RoundEnd": {
      const ct = Number(payload.counterTerroristScore)
      const t = Number(payload.terroristScore)
      const ctWon = payload.winner === "CT"
      const type = Object.entries(winTypes).find(([name]) => name === payload.winType)?.[1] ?? winTypes.Unknown
      setAttribute(element, "data-side", ctWon ? "CT" : "T")
      element.append(
        h("span", { class: "round-number" }, `Round ${ct + t}`),
        h(
          "span",
          { class: "round-winner" },
          teamName(payload.winnerTeamId) ?? String(payload.winner),
          " ",
          labelledIcon(type.icon, type.words),
        ),
        h("span", { class: "round-score" }, ctWon ? `${ct}:${t}` : `${t}:${ct}`),
      )
      break
    }
    case "MapStart":
      element.append(words(`${mapName(String(payload.map ?? "map"))} begins`))
      break
    case "MapRestart":
      element.append(words("The map starts over"))
      break
    case "Timeout":
      element.append(
        icon("time"),
        words(`${payload.kind === "technical" ? "Technical timeout" : "Timeout"} ${teamName(payload.teamId) ?? ""}`),
      )
      break
    case "MatchEnd":
      element.append(icon("trophy"), words(`The match is over. ${teamName(payload.winnerTeamId) ?? ""}`))
      break
    default:
      element.append(words(payload.source === "live_backup" ? "The backup feed took over" : "The main feed is back"))
  }
  return element
}

const words = (text: string) => h("span", {}, text)

const player = (nick: unknown, side: unknown, fallback: string) => {
  const element = h("span", { class: "who" }, typeof nick === "string" ? nick : fallback)
  if (side === "CT" || side === "T") element.setAttribute("data-side", side)
  return element
}

const kill = (payload: Happening["payload"]): ReadonlyArray<Node | string> => {
  const assisted = typeof payload.assisterNick === "string"
  return [
    h(
      "span",
      { class: "killers" },
      player(payload.killerNick, payload.killerSide, "World"),
      ...(assisted
        ? [
            " + ",
            ...(payload.flashAssist === true ? [labelledIcon("flash", "flash assist by")] : []),
            player(payload.assisterNick, payload.killerSide, ""),
          ]
        : []),
    ),
    h(
      "span",
      { class: "means" },
      h("span", { class: "unseen" }, " with "),
      h("span", { class: "weapon" }, weaponName(String(payload.weapon))),
      ...(payload.throughSmoke === true ? [labelledIcon("smoke", "through smoke")] : []),
      ...(payload.wallbang === true ? [labelledIcon("wallbang", "through a wall")] : []),
      ...(payload.headshot === true ? [labelledIcon("headshot", "headshot")] : []),
    ),
    h("span", { class: "unseen" }, " killed "),
    player(payload.victimNick, payload.victimSide, "a bot"),
  ]
}
