/**
 * One post (POST request body) of Game State Integration while it is processed: its content, the match state with the
 * facts added so far, and the ids of the new facts. An instance exists only during one adapter call.
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
  /** Largest `provider.timestamp` so far, in seconds. */
  readonly newest: number
  /** Fingerprints of the posts with the largest timestamp so far, to detect repeated posts. */
  readonly read: ReadonlySet<string>
  /** When a server log last added a fact to this match, by this server's clock, or `null`. */
  readonly logAt: number | null
  /** Completed rounds in the newest post, or `null` before the first post. */
  readonly completed: number | null
  /** This adapter has added facts. Only then do differences to the match state count as recent events. */
  readonly synced: boolean
  /** Headshot kills in the current round. */
  readonly headshots: ReadonlyMap<PlayerId, number>
  /** Position in the newest post, or `null` before the first post. */
  readonly shown: ReportedPosition | null
  /**
   * Map in the last post if it differs from the current map. Stored so that a wrong map is reported as a problem only
   * once, and not with each of the ten posts per second.
   */
  readonly stray: string | null
  /** Kinds of unreadable values, so that each kind is reported only once. */
  readonly odd: ReadonlySet<string>
}

/** Milliseconds of silence of the server log after which rounds and kills are derived from posts alone. */
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
   * Arrival in epoch milliseconds. More precise than the timestamp in the post, which has whole seconds and comes from
   * a clock of unknown accuracy.
   */
  get now(): number {
    return this.at
  }

  /** A server log also reports this match. It has priority, because it is earlier and more exact. */
  get withLog(): boolean {
    return isWithLog(this.memory, this.at)
  }

  /** The id does not depend on the post, so that repeated posts do not add the fact again. */
  addFact(id: string, body: FactBody): boolean {
    const map = currentMap(this.state)
    const tag = map === undefined || body.type === "MapStarted" ? "" : `m${map.number}-${map.startedAt.toString(36)}:`
    return this.derivation.addFact({ id: `gsi:${tag}${id}`, at: this.at, raw: `post of round ${this.post.completed}` }, body)
  }

  /** The id contains the timestamp of the post, so that it can be restored from FEED after a restart. */
  addObservation(id: string, body: FactBody): boolean {
    return this.addFact(`t${this.stamp.toString(36)}:${id}`, body)
  }

  /**
   * Team on the CT side, by the team names. If they are unknown, by the sides of the players, and if those give a tie,
   * by the match rules.
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

  /** Neither name is registered, and the players' sides do not identify the teams: their assignment to sides is a guess. */
  noteUnknownNames(): void {
    if (this.#votes() !== 0) return
    const payload = unknownNames(this.state, this.post.names, this.ctTeam)
    if (payload !== undefined) this.addFact("names", { type: "TeamNamesUnknown", payload })
  }

  /** Positive if most players of team 1 are on the CT side, negative if on the T side, 0 for a tie. */
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

  /** Posts of one second may arrive in any order. */
  get isNewer(): boolean {
    return this.stamp > this.memory.newest
  }

  /** For instance `ct_win_time`. Undefined if the post does not contain it. */
  winOf(round: number): string | undefined {
    const first = firstShownRound(this.roundInPlay, this.state.rules)
    return round < first ? undefined : this.post.wins[`${round - first + 1}`]
  }

  /** The round that is being played or has just ended. */
  get roundInPlay(): number {
    return Math.max(1, this.post.roundPhase === "over" ? this.post.completed : this.post.completed + 1)
  }
}

/** The round that `round_wins` counts as its first. In each overtime, it starts again. */
const firstShownRound = (round: number, { maxRounds, overtimeRounds }: MatchRules): number =>
  round <= maxRounds || overtimeRounds === 0 ? 1 : round - ((round - maxRounds - 1) % overtimeRounds)

const ownMoment = /^gsi:(?:m\d+-[0-9a-z]+:)?t([0-9a-z]+):/

/** Timestamp in seconds, from the id of a fact that {@link GamePost.addObservation} added. */
export const secondOfId = (id: string): number | undefined => {
  const match = ownMoment.exec(id)
  return match === null ? undefined : Number.parseInt(match[1] ?? "", 36)
}
