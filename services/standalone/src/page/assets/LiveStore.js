/**
 * What the page knows: the newest document of each match it has seen, rows of those it only read in the list, and what happened in
 * the match being watched. It owns no elements and no socket.
 */

/** @import { LiveSnapshot, LiveUpdate } from "@matchpoint/contracts/cs2/frames" */
/** @import { LiveMatch } from "@matchpoint/contracts/cs2/LiveMatch" */
/** @import { LiveEvents, LiveListItem } from "@matchpoint/contracts/http/cs2/liveModels" */

/**
 * @typedef {LiveEvents["events"][number]} Happening
 * @typedef {{ readonly epoch: number, readonly seq: number, readonly match: LiveMatch }} Known
 * @typedef {object} ListRow
 * @property {string} matchId
 * @property {string} status
 * @property {LiveMatch["feed"]} feed set while no feed reports anything
 * @property {string | null} eventName
 * @property {number} bestOf
 * @property {string | null} map
 * @property {number} mapNumber
 * @property {number} round
 * @property {string | null} phase
 * @property {readonly [ListTeam, ListTeam]} teams
 * @typedef {{ readonly name: string, readonly side: "CT" | "T" | null, readonly series: number, readonly rounds: number | null,
 *   readonly alive: number | null, readonly winner: boolean }} ListTeam
 */

const KEPT_EVENTS = 250

/** A finished match stays in the list this long after its end, for those who look up a moment too late. */
const KEPT_FINISHED_MS = 10 * 60_000

export class LiveStore {
  /** @type {Map<string, Known>} */
  #known = new Map()
  /** @type {Map<string, ListRow>} */
  #listed = new Map()
  /** Of the watched match, newest first. @type {Array<Happening>} */
  #events = []
  /** @type {string | null} */
  #watched = null

  /** @param {string} matchId @returns {Known | undefined} */
  match(matchId) {
    return this.#known.get(matchId)
  }

  /** @returns {ReadonlyArray<Happening>} */
  get events() {
    return this.#events
  }

  /** False for a frame that was passed already. @param {LiveSnapshot | LiveUpdate} frame */
  accept(frame) {
    const before = this.#known.get(frame.matchId)
    const passed = before !== undefined && (before.epoch > frame.epoch || (before.epoch === frame.epoch && before.seq > frame.seq))
    if (passed) return false
    this.#known.set(frame.matchId, { epoch: frame.epoch, seq: frame.seq, match: frame.data })
    if (frame.event !== null && frame.matchId === this.#watched) this.addEvents([frame.event])
    return true
  }

  /** What is live by the list: matches that ended or vanished while we were away are forgotten. @param {ReadonlyArray<LiveListItem>} items */
  list(items) {
    this.#listed = new Map(items.map((item) => [item.matchId, rowOfItem(item)]))
    for (const [matchId, { match }] of this.#known) {
      if (match.status === "live" && !this.#listed.has(matchId) && matchId !== this.#watched) this.#known.delete(matchId)
    }
  }

  /** Live matches by number, then the ones just over. @param {number} now epoch ms by the stream's clock @returns {ReadonlyArray<ListRow>} */
  rows(now) {
    const rows = new Map(this.#listed)
    for (const [matchId, { match }] of this.#known) {
      if (match.endedAt !== null && now - Date.parse(match.endedAt) > KEPT_FINISHED_MS) rows.delete(matchId)
      else rows.set(matchId, rowOfMatch(match))
    }
    const rank = (/** @type {ListRow} */ row) => (row.status === "live" ? 0 : 1)
    return [...rows.values()].sort((a, b) => rank(a) - rank(b) || a.matchId.localeCompare(b.matchId, "en", { numeric: true }))
  }

  /** @param {string | null} matchId */
  watch(matchId) {
    if (this.#watched !== matchId) this.#events = []
    this.#watched = matchId
  }

  /** Told twice counts once. @param {ReadonlyArray<Happening>} happenings */
  addEvents(happenings) {
    const ids = new Set(this.#events.map(({ eventId }) => eventId))
    const added = happenings.filter(({ eventId }) => !ids.has(eventId))
    if (added.length === 0) return
    // Newest first; the sort is stable, so what happened in the same millisecond keeps the order it came in.
    const merged = [...added, ...this.#events].sort((a, b) => Date.parse(b.observedAt) - Date.parse(a.observedAt))
    this.#events = merged.slice(0, KEPT_EVENTS)
  }
}

/** @param {LiveListItem} item @returns {ListRow} */
const rowOfItem = (item) => ({
  matchId: item.matchId,
  status: item.status,
  feed: item.feed,
  eventName: item.eventName,
  bestOf: item.bestOf,
  map: item.currentMap,
  mapNumber: item.currentGame,
  round: item.currentRound,
  phase: null,
  teams: [
    { name: item.team1Name, side: null, series: item.score.team1, rounds: item.currentMapScore?.team1 ?? null, alive: null, winner: false },
    { name: item.team2Name, side: null, series: item.score.team2, rounds: item.currentMapScore?.team2 ?? null, alive: null, winner: false },
  ],
})

/** @param {LiveMatch} match @returns {ListRow} */
const rowOfMatch = (match) => {
  const team = (/** @type {0 | 1} */ index) => {
    const { id, mapScore, name, playersAlive, score, side } = match.teams[index]
    const rounds = match.game === null ? null : mapScore
    return { name, side, series: score, rounds, alive: match.game === null ? null : playersAlive, winner: match.winnerTeamId === id }
  }
  return {
    matchId: match.matchId,
    status: match.status,
    feed: match.feed,
    eventName: match.eventName,
    bestOf: match.bestOf,
    map: match.game?.map ?? null,
    mapNumber: match.currentGame,
    round: match.game?.round ?? 0,
    phase: match.game?.phase ?? null,
    teams: [team(0), team(1)],
  }
}
