/** Scoreboard table of one team: the team's economy in the caption, and one row per player. */
import { h, keyedRows, setAttribute, setChildren, setText } from "@matchpoint/game/pages/parts/dom"
import { decimal, percent } from "@matchpoint/game/pages/parts/format"
import { labelledIcon } from "@matchpoint/game/pages/parts/icons"
import { money, shortMoney, weaponName } from "../format.ts"
import type { LiveMatch, LivePlayer } from "../types.ts"
import { buyOf } from "./economy.ts"
import { halvesOf, opensHalf } from "./halves.ts"

const columns: ReadonlyArray<readonly [className: string, short: string, long: string]> = [
  ["player", "Player", "Player, weapon and armor"],
  ["hp", "HP", "Health"],
  ["cash", "Money", "Money"],
  ["k", "K", "Kills"],
  ["a", "A", "Assists"],
  ["d", "D", "Deaths"],
  ["adr", "ADR", "Average damage per round"],
  ["kast", "KAST", "Rounds with a kill, an assist, survival or a traded death"],
  ["rating", "Rtg", "Rating"],
]

export const teamTable = (index: 0 | 1) => {
  const name = h("span", { class: "team-name" })
  const side = h("span", { class: "side" })
  const buy = h("span", { class: "buy" })
  const facts = ["Alive", "Equipment", "Money", "Timeouts"].map((words) => ({ words, value: h("dd") }))
  const economy = h("dl", { class: "economy" }, ...facts.map(({ value, words }) => h("div", {}, h("dt", {}, words), value)))
  const head = h("tr", {}, ...columns.map(([className, short, long]) => h("th", { scope: "col", class: className, title: long }, short)))
  const body = h("tbody")
  const caption = h("caption", {}, h("div", { class: "table-head" }, h("span", { class: "table-team" }, name, side, buy), economy))
  const element = h("div", { class: "panel team-panel" }, h("table", {}, caption, h("thead", {}, head), body))
  const fill = keyedRows(body, (player: LivePlayer) => player.id, playerRow)
  return {
    element,
    update(match: LiveMatch) {
      const team = match.teams[index]
      const round = match.game?.round ?? 0
      const bought =
        match.status === "live" && match.game?.phase !== "ended" ? buyOf(match, team, opensHalf(halvesOf(match.rules, round), round)) : null
      setAttribute(element, "data-side", team.side)
      setText(name, team.name)
      setText(side, team.side ?? "")
      setText(buy, bought?.words ?? "")
      setAttribute(buy, "data-buy", bought?.kind ?? null)
      const values = [`${team.playersAlive}`, shortMoney(team.equipmentValue), shortMoney(team.money), `${team.timeoutsRemaining ?? "–"}`]
      for (const [at, { value }] of facts.entries()) setText(value, values[at] ?? "")
      fill(match.players.filter((player) => player.teamId === team.id).sort(byRating))
    },
  }
}

/** Best rating first. During the first round ratings are still null, so kills decide. */
const byRating = (a: LivePlayer, b: LivePlayer) =>
  (b.rating ?? 0) - (a.rating ?? 0) || b.kills - a.kills || a.nickname.localeCompare(b.nickname)

const playerRow = () => {
  const nick = h("span", { class: "nick" })
  const gear = h("span", { class: "gear" })
  const hp = h("span", { class: "hp-number" })
  const bar = h("span", { class: "hp-bar", "aria-hidden": "true" }, h("span"))
  const cells: Record<string, HTMLElement> = {}
  for (const [className] of columns.slice(2)) cells[className] = h("td", { class: className })
  const name = h("th", { scope: "row", class: "player" }, h("span", { class: "player-box" }, nick, gear))
  const element = h("tr", {}, name, h("td", { class: "hp" }, bar, hp), ...Object.values(cells))
  const set = (column: string, value: string | number) => {
    const cell = cells[column]
    if (cell !== undefined) setText(cell, value)
  }
  return {
    element,
    update(player: LivePlayer) {
      setAttribute(element, "data-dead", player.alive ? null : "")
      setText(nick, player.nickname)
      setAttribute(nick, "title", player.name)
      setText(hp, player.alive ? player.hp : "dead")
      setAttribute(bar, "data-low", player.alive && player.hp <= 30 ? "" : null)
      bar.style.setProperty("--hp", String(player.alive ? player.hp / 100 : 0))
      const { armor, defuseKit, helmet, weapon } = player
      setChildren(gear, [player.alive, weapon, armor, helmet, defuseKit].join(), () => (player.alive ? gearOf(player) : []))
      set("cash", money(player.money))
      set("k", player.kills)
      set("a", player.assists)
      set("d", player.deaths)
      set("adr", decimal(player.adr, 1))
      set("kast", percent(player.kast))
      set("rating", decimal(player.rating, 2))
    },
  }
}

const gearOf = ({ armor, defuseKit, helmet, weapon }: LivePlayer): ReadonlyArray<Node | string> => [
  ...(weapon === null ? [] : [h("span", { class: "weapon" }, weaponName(weapon))]),
  ...(armor !== null && armor > 0 ? [labelledIcon("kevlar", `armor ${armor}`)] : []),
  ...(helmet === true ? [labelledIcon("helmet", "helmet")] : []),
  ...(defuseKit === true ? [labelledIcon("defuse", "defuse kit")] : []),
]
