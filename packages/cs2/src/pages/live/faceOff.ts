/** Header of the match page: both teams, and the score, round, clock and bomb of the current map. */
import { h, setAttribute, setChildren, setText, show } from "@matchpoint/game/pages/parts/dom"
import { ageText, clockText, initials } from "@matchpoint/game/pages/parts/format"
import { icon } from "@matchpoint/game/pages/parts/icons"
import { mapName } from "../format.ts"
import type { LiveBomb, LiveGame, LiveMatch } from "../types.ts"
import { seriesPips } from "./series.ts"

/** Milliseconds from plant to explosion in competitive play. Scales the countdown bar. */
const FUSE_MS = 40_000

export const faceOff = () => {
  const title = h("h1")
  const about = h("p", { class: "about" })
  const teams = [teamSide("left"), teamSide("right")]
  const place = h("p", { class: "place" })
  const clock = h("p", { class: "clock", role: "timer", "aria-live": "off" })
  const phase = h("p", { class: "phase-line" })
  const bomb = bombLine()
  const silence = h("p", { class: "doubt", role: "status" })
  const names = h("p", { class: "doubt" })
  const element = h(
    "section",
    { class: "face-off", "aria-label": "Score" },
    h("div", { class: "face-head" }, title, about),
    teams[0]?.element ?? "",
    h("div", { class: "middle" }, place, clock, phase),
    teams[1]?.element ?? "",
    bomb.element,
    silence,
    names,
  )
  return {
    element,
    update(match: LiveMatch) {
      const [team1, team2] = match.teams
      setText(title, `${team1.name} vs ${team2.name}`)
      setText(about, [match.eventName, `Best of ${match.bestOf}`, statusWords(match)].filter((part) => part !== null).join(" · "))
      setAttribute(element, "data-status", match.status)
      for (const [index, team] of teams.entries()) team.update(match, index)
      const unknown = match.unresolvedTeamNames ?? []
      setText(names, unknown.length === 0 ? "" : `Not certain which team is which: the server calls them ${unknown.join(" and ")}.`)
      show(names, unknown.length > 0)
      const { game } = match
      setText(place, game === null ? "" : game.round > 0 ? `${mapName(game.map)} · Round ${game.round}` : mapName(game.map))
      setText(phase, phaseWords(match))
    },
    /** Called ten times a second. `now` is the current stream time in epoch milliseconds. */
    tick(match: LiveMatch, now: number) {
      setText(clock, clockWords(match, now))
      const { feed } = match
      const age = feed === undefined ? "" : ageText(now - Date.parse(feed.lastReportAt))
      setText(
        silence,
        feed === undefined ? "" : `${feed.status === "stale" ? "Stale" : "Interrupted"}: no report from the match for ${age}.`,
      )
      show(silence, feed !== undefined)
      const left = secondsLeft(match.game, now)
      setAttribute(clock, "data-low", match.game?.phase === "live" && left !== null && left <= 10 ? "" : null)
      bomb.tick(match, now)
    },
  }
}

const statusWords = (match: LiveMatch) => {
  if (match.status === "live" && match.feed !== undefined) return match.feed.status
  if (match.status === "live") return match.source === "live_backup" ? "live from the backup feed" : "live"
  if (match.status === "upcoming") return "not started"
  return match.status === "completed" ? "final" : "cancelled"
}

const phaseWords = (match: LiveMatch) => {
  const nameOf = (id: string | null) => match.teams.find((team) => team.id === id)?.name
  if (match.status === "completed") {
    const winner = nameOf(match.winnerTeamId)
    return winner === undefined ? "Drawn" : `${winner} won the match`
  }
  if (match.timeout !== null) {
    const caller = nameOf(match.timeout.teamId)
    return `${match.timeout.kind === "technical" ? "Technical timeout" : "Timeout"}${caller === undefined ? "" : `, ${caller}`}`
  }
  switch (match.game?.phase) {
    case "warmup":
      return "Warm-up"
    case "freezetime":
      return "Freeze time"
    case "over":
      return "Round over"
    case "ended":
      return "Map over"
    case "timeout":
      return "Timeout"
    default:
      return ""
  }
}

const secondsLeft = (game: LiveGame | null, now: number) => {
  if (game === null) return null
  return game.clockEndsAt === null ? game.clockSeconds : Math.max(0, (Date.parse(game.clockEndsAt) - now) / 1000)
}

const clockWords = (match: LiveMatch, now: number) => {
  if (match.status !== "live") return match.status === "upcoming" ? "Soon" : "Final"
  if (match.timeout !== null) return clockText((now - Date.parse(match.timeout.since)) / 1000)
  const left = secondsLeft(match.game, now)
  if (left === null || match.game?.phase === "ended") return "–:––"
  return clockText(left)
}

const teamSide = (place: "left" | "right") => {
  const badge = h("span", { class: "badge", "aria-hidden": "true" })
  const name = h("span", { class: "team-name" })
  const side = h("span", { class: "side" })
  const pips = h("span", { class: "pips" })
  const score = h("span", { class: "big-score" })
  const identity = h(
    "div",
    { class: "identity" },
    badge,
    h("div", { class: "team-label" }, name, h("span", { class: "under-name" }, side, pips)),
  )
  const element = h("div", { class: `team team-${place}` }, identity, score)
  return {
    element,
    update(match: LiveMatch, index: number) {
      const team = match.teams[index]
      if (team === undefined) return
      setAttribute(element, "data-side", team.side)
      setAttribute(element, "data-winner", match.winnerTeamId === team.id ? "" : null)
      setText(badge, initials(team.name))
      setText(name, team.name)
      setText(side, team.side ?? "")
      setChildren(pips, `${team.score}/${match.bestOf}`, () => seriesPips(team.score, match.bestOf))
      setText(score, match.status === "completed" && match.bestOf > 1 ? team.score : team.mapScore)
    },
  }
}

const bombLine = () => {
  const words = h("span", { class: "bomb-words" })
  const seconds = h("span", { class: "bomb-seconds", "aria-hidden": "true" })
  const fuse = h("span", { class: "fuse", "aria-hidden": "true" }, h("span"))
  const element = h("div", { class: "bomb" }, icon("bomb"), words, seconds, fuse)
  return {
    element,
    tick(match: LiveMatch, now: number) {
      const bomb = match.status === "live" && match.game?.phase !== "ended" ? (match.game?.bomb ?? null) : null
      show(element, bomb !== null)
      if (bomb === null) return
      setAttribute(element, "data-state", bomb.state)
      setText(words, bombWords(match, bomb))
      const leftMs = bomb.explodesAt === null ? null : Math.max(0, Date.parse(bomb.explodesAt) - now)
      setText(seconds, leftMs === null ? "" : (leftMs / 1000).toFixed(1))
      show(fuse, leftMs !== null)
      fuse.style.setProperty("--left", String(Math.min(1, (leftMs ?? 0) / FUSE_MS)))
    },
  }
}

const bombWords = (match: LiveMatch, bomb: LiveBomb) => {
  const nickname = match.players.find((player) => player.id === bomb.playerId)?.nickname
  const where = bomb.site === null ? "" : ` on ${bomb.site}`
  switch (bomb.state) {
    case "carried":
      return nickname === undefined ? "Bomb carried" : `${nickname} carries the bomb`
    case "dropped":
      return "Bomb dropped"
    case "planted":
      return `Bomb planted${where}`
    case "defusing":
      return `${nickname ?? "A defuser"} is defusing${where}`
    case "defused":
      return `Bomb defused${where}${nickname === undefined ? "" : ` by ${nickname}`}`
    case "exploded":
      return `Bomb exploded${where}`
  }
}
