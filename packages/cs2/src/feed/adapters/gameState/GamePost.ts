/**
 * One POST request body of Game State Integration while it is processed: its content, the match state including the
 * events added so far, and the ids of the new events. An instance exists only during one adapter call.
 */
import type { ReportedPosition } from "@matchpoint/game/feed/GameFeed"
import type { PlayerId } from "../../../rules/ids.ts"
import type { MatchRules, TeamIndex } from "../../../rules/live/rules.ts"
import { onStartingSides, otherTeam } from "../../../rules/live/rules.ts"
import { currentMap, type GameMap, type MatchState, playerOf } from "../../../rules/live/state.ts"
import { teamNamed } from "../../../rules/live/teamNames.ts"
import type { Derivation, FactBody } from "../Derivation.ts"
import { unknownNames } from "../teams.ts"
import type { MatchPost } from "./payload.ts"

export interface GameMemory {
  /** Largest `provider.timestamp` of the posts (POST request bodies) so far, in seconds. */
  readonly newest: number
  /**
   * Fingerprints of the posts (POST request bodies) that had the largest timestamp so far, used to detect repeated
   * posts.
   */
  readonly read: ReadonlySet<string>
  /**
   * Time at which a server log last added an event to this match, by this server's clock, or `null` if no server log
   * has.
   */
  readonly logAt: number | null
  /** Number of completed rounds in the newest post (POST request body), or `null` before the first post. */
  readonly completed: number | null
  /**
   * True if this adapter has already added events to the match. Only in that case do differences between a post (POST
   * request body) and the match state count as recent events.
   */
  readonly synced: boolean
  /** Number of headshot kills in the current round, by player. */
  readonly headshots: ReadonlyMap<PlayerId, number>
  /** Current map and round according to the newest post (POST request body), or `null` before the first post. */
  readonly shown: ReportedPosition | null
  /**
   * Name of the map in the last post (POST request body) if it differs from the current map, otherwise `null`. The name
   * is stored so that a wrong map is reported as a problem only once, and not with each of the ten posts per second.
   */
  readonly stray: string | null
  /** Kinds of values that could not be read and have been reported, so that each kind is reported only once. */
  readonly odd: ReadonlySet<string>
}

/**
 * How long a server log must be silent before it is considered gone, in milliseconds. After that, the rounds and kills
 * are derived from Game State Integration posts alone.
 */
const LOG_QUIET_MS = 60_000

export const isWithLog = ({ logAt }: GameMemory, now: number): boolean => logAt !== null && now - logAt <= LOG_QUIET_MS

export class GamePost {
  readonly derivation: Derivation
  readonly post: MatchPost
  readonly memory: GameMemory
  private readonly at: number
  private readonly stamp: number

  constructor(derivation: Derivation, post: MatchPost, memory: GameMemory, stamp: number) {
    this.derivation = derivation
    this.post = post
    this.memory = memory
    this.at = derivation.receivedAt
    this.stamp = stamp
  }

  get state(): MatchState {
    return this.derivation.state
  }

  get liveMap(): GameMap | undefined {
    const map = currentMap(this.state)
    return map?.status === "live" ? map : undefined
  }

  /**
   * Arrival time of the post (POST request body), in epoch milliseconds. It is more precise than the timestamp in the
   * post, which has whole seconds and comes from a clock of unknown accuracy.
   */
  get now(): number {
    return this.at
  }

  /**
   * True if a server log also reports this match. In that case the log has priority, because it reports rounds, shots
   * and deaths earlier and more exactly.
   */
  get withLog(): boolean {
    return isWithLog(this.memory, this.at)
  }

  /**
   * Adds an event whose id does not depend on the post (POST request body), so that repeated posts do not add it again.
   */
  addFact(id: string, body: FactBody): boolean {
    const map = currentMap(this.state)
    const tag = map === undefined || body.type === "MapStarted" ? "" : `m${map.number}-${map.startedAt.toString(36)}:`
    return this.derivation.addFact({ id: `gsi:${tag}${id}`, at: this.at, raw: `post of round ${this.post.completed}` }, body)
  }

  /**
   * Adds an event that depends on the time of the post (POST request body). The event's id contains the timestamp of
   * the post, so that the timestamp can be restored from the FEED stream after a restart.
   */
  addObservation(id: string, body: FactBody): boolean {
    return this.addFact(`t${this.stamp.toString(36)}:${id}`, body)
  }

  /**
   * Team on the CT side in this post (POST request body). It is determined by the team names. If the names are unknown,
   * it is determined by the sides of the players, and if those give a tie, by the match rules.
   */
  get ctTeam(): TeamIndex {
    const { names } = this.post
    const byCt = names.ct === undefined ? undefined : teamNamed(this.state, names.ct)
    if (byCt !== undefined) return byCt
    const byT = names.t === undefined ? undefined : teamNamed(this.state, names.t)
    if (byT !== undefined) return otherTeam(byT)
    const votes = this.#votes()
    if (votes !== 0) return votes > 0 ? 0 : 1
    return this.ctTeamByRules(this.roundInPlay)
  }

  /**
   * Reports the team names in the post if they are unknown: neither name is registered, and the players' sides do not
   * identify the teams either. The assignment of teams to sides is then a guess.
   */
  noteUnknownNames(): void {
    if (this.#votes() !== 0) return
    const payload = unknownNames(this.state, this.post.names, this.ctTeam)
    if (payload !== undefined) this.addFact("names", { type: "TeamNamesUnknown", payload })
  }

  /**
   * Returns a positive number if most players of team 1 are on the CT side, a negative number if most are on the T
   * side, and 0 for a tie.
   */
  #votes(): number {
    let votes = 0
    for (const { id, side } of this.post.people) {
      const team = playerOf(this.state, id)?.team
      if (team !== undefined) votes += (team === 0) === (side === "CT") ? 1 : -1
    }
    return votes
  }

  ctTeamByRules(round: number): TeamIndex {
    const starting = this.liveMap?.startingCtTeam ?? 0
    return onStartingSides(round, this.state.rules) ? starting : otherTeam(starting)
  }

  /** True if the post was sent in a later second than all before it. Posts of one second may arrive in any order. */
  get isNewer(): boolean {
    return this.stamp > this.memory.newest
  }

  /** How a round was won, for instance `ct_win_time`, or undefined if the post does not contain it. */
  winOf(round: number): string | undefined {
    const first = firstShownRound(this.roundInPlay, this.state.rules)
    return round < first ? undefined : this.post.wins[`${round - first + 1}`]
  }

  /** Round that is being played or has just ended. */
  get roundInPlay(): number {
    return Math.max(1, this.post.roundPhase === "over" ? this.post.completed : this.post.completed + 1)
  }
}

/** Returns the round that `round_wins` counts as its first. In each overtime, it starts again. */
const firstShownRound = (round: number, { maxRounds, overtimeRounds }: MatchRules): number =>
  round <= maxRounds || overtimeRounds === 0 ? 1 : round - ((round - maxRounds - 1) % overtimeRounds)

const ownMoment = /^gsi:(?:m\d+-[0-9a-z]+:)?t([0-9a-z]+):/

/**
 * Returns the timestamp of a post (POST request body), in seconds, from the id of an event that {@link
 * GamePost.addObservation} added.
 */
export const secondOfId = (id: string): number | undefined => {
  const match = ownMoment.exec(id)
  return match === null ? undefined : Number.parseInt(match[1] ?? "", 36)
}
