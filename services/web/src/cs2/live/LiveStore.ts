/**
 * Holds the data of the live page: the newest document of each followed match, the rows of the match list, and the
 * events of the match that is shown. Drawing the page and connecting to the API are left to other modules.
 */
import type { Change, Happening, LiveListItem, LiveMatch } from "../types.ts"

export interface Known {
  readonly epoch: number
  readonly seq: number
  readonly match: LiveMatch
}

export interface ListTeam {
  readonly name: string
  readonly side: "CT" | "T" | null
  readonly series: number
  readonly rounds: number | null
  readonly alive: number | null
  readonly winner: boolean
}

export interface ListRow {
  readonly matchId: string
  readonly status: string
  /** Status of the match's feed. Present only while no feed is reporting. */
  readonly feed: LiveMatch["feed"]
  readonly eventName: string | null
  readonly bestOf: number
  readonly map: string | null
  readonly mapNumber: number
  readonly round: number
  readonly phase: string | null
  readonly teams: readonly [ListTeam, ListTeam]
}

const KEPT_EVENTS = 250

/** How long a finished match stays in the list, in milliseconds. */
const KEPT_FINISHED_MS = 10 * 60_000

export class LiveStore {
  #known: Map<string, Known> = new Map()
  #listed: Map<string, ListRow> = new Map()
  /** Events of the match that is shown, newest first. */
  #events: Array<Happening> = []
  #watched: string | undefined

  match(matchId: string): Known | undefined {
    return this.#known.get(matchId)
  }

  get events(): ReadonlyArray<Happening> {
    return this.#events
  }

  /** Stores a change of a match. Returns false if the change was ignored because it is older than the stored state. */
  accept({ epoch, events, match, matchId, seq }: Pick<Change, "epoch" | "events" | "match" | "matchId" | "seq">): boolean {
    const before = this.#known.get(matchId)
    if (before !== undefined && (before.epoch > epoch || (before.epoch === epoch && before.seq > seq))) return false
    this.#known.set(matchId, { epoch, seq, match })
    if (matchId === this.#watched) this.addEvents(events)
    return true
  }

  /**
   * Replaces the list of live matches. Stored live matches that are not in the new list are removed, except the match
   * that is currently shown.
   */
  list(items: ReadonlyArray<LiveListItem>) {
    this.#listed = new Map(items.map((item) => [item.matchId, rowOfItem(item)]))
    for (const [matchId, { match }] of this.#known) {
      if (match.status === "live" && !this.#listed.has(matchId) && matchId !== this.#watched) this.#known.delete(matchId)
    }
  }

  /**
   * Returns the rows of the match list: live matches by number, then finished ones. `now` is the current stream time in
   * epoch milliseconds.
   */
  rows(now: number): ReadonlyArray<ListRow> {
    const rows = new Map(this.#listed)
    for (const [matchId, { match }] of this.#known) {
      if (match.endedAt !== null && now - Date.parse(match.endedAt) > KEPT_FINISHED_MS) rows.delete(matchId)
      else rows.set(matchId, rowOfMatch(match))
    }
    const rank = (row: ListRow) => (row.status === "live" ? 0 : 1)
    return [...rows.values()].sort((a, b) => rank(a) - rank(b) || a.matchId.localeCompare(b.matchId, "en", { numeric: true }))
  }

  watch(matchId: string | undefined) {
    if (this.#watched !== matchId) this.#events = []
    this.#watched = matchId
  }

  /** Adds events to the match that is shown. Events that are already stored are ignored. */
  addEvents(happenings: ReadonlyArray<Happening>) {
    const ids = new Set(this.#events.map(({ eventId }) => eventId))
    const added = happenings.filter(({ eventId }) => !ids.has(eventId))
    if (added.length === 0) return
    // Sorts events newest first. The sort is stable, so events of the same millisecond keep their order.
    const merged = [...added, ...this.#events].sort((a, b) => Date.parse(b.observedAt) - Date.parse(a.observedAt))
    this.#events = merged.slice(0, KEPT_EVENTS)
  }
}

const rowOfItem = (item: LiveListItem): ListRow => ({
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

const rowOfMatch = (match: LiveMatch): ListRow => {
  const team = (index: 0 | 1) => {
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
