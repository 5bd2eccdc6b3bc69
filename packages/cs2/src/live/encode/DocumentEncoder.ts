/**
 * Builds the documents of one match in message format v2. Consecutive match states share most of their objects, so the
 * encoder caches the converted sections of the latest state. The cache affects only the cost of encoding, never the
 * output, which is byte for byte equal to that of `projectMatch` and `compactOf`.
 */
import type { CompactMatch } from "../../contract/CompactMatch.ts"
import { compactFrom, compactGame, compactOf, type SharedFields, withoutNulls } from "../../contract/compactOf.ts"
import type { LiveGame, LiveMatch } from "../../contract/LiveMatch.ts"
import { currentMap, type GameMap, type MatchState } from "../../rules/live/state.ts"
import { projectGame, projectHead, projectScore, projectTimeout, unavailable } from "../projectMain.ts"
import { projectMatch } from "../projectMatch.ts"
import { isoTime } from "./isoTime.ts"
import { type MapParts, mapSlots, type PlayerParts, PlayerSlots, type RoundParts, roundSlots, type TeamPart, TeamSlot } from "./slots.ts"

/** The sections of a match document that are cached separately. */
export interface DocumentParts {
  readonly shared: SharedFields
  readonly team1: TeamPart
  readonly team2: TeamPart
  readonly maps: MapParts
  readonly game: LiveGame | null
  readonly players: PlayerParts
  readonly rounds: RoundParts
  readonly timeout: LiveMatch["timeout"]
  readonly unavailableFields: ReadonlyArray<string>
}

export interface Document {
  /** Undefined if the document was not built from cached sections. */
  readonly parts: DocumentParts | undefined
  readonly compact: () => CompactMatch
  /** `updatedAt`, `lastEvent` and `game` are needed only for message format v1. */
  readonly updatedAt: string
  readonly lastEvent: LiveMatch["lastEvent"]
  readonly game: LiveGame | null
}

export class DocumentEncoder {
  readonly #team1 = new TeamSlot(0)
  readonly #team2 = new TeamSlot(1)
  readonly #players = new PlayerSlots()
  readonly #maps = mapSlots()
  readonly #rounds = roundSlots()
  #shared: SharedFields | undefined
  #rulesOf: MatchState["rules"] | undefined
  #unavailable: ReadonlyArray<string> = []

  encode(state: MatchState): Document {
    // Documents from a backup feed are rare and have other sections, so they do not use the cache.
    if (state.source === "live_backup") return whole(projectMatch(state))
    const map = currentMap(state)
    const team1 = this.#team1.take(state, map)
    const team2 = this.#team2.take(state, map)
    const players = this.#players.take(state, map)
    const game = map === undefined ? null : projectGame(state, map)
    const parts: DocumentParts = {
      shared: this.#takeShared(state, map),
      team1,
      team2,
      maps: this.#maps.take(state, state.maps),
      game,
      players,
      rounds: this.#rounds.take(state, map === undefined ? noRounds : map.rounds),
      timeout: projectTimeout(state),
      unavailableFields: this.#takeUnavailable(
        unavailable(
          game,
          [team1.shown, team2.shown],
          players.each.map(({ shown }) => shown),
        ),
      ),
    }
    return { parts, compact: () => compactOfParts(parts), updatedAt: isoTime(state.observedAt), lastEvent: state.lastEvent, game }
  }

  /** Reuses unchanged objects for the rules and the series score: comparing by identity is enough to detect a change. */
  #takeShared(state: MatchState, map: GameMap | undefined): SharedFields {
    const made = { ...projectHead(state), ...projectScore(state, map) }
    const known = this.#shared
    const sameScore = known?.seriesScore.team1 === made.seriesScore.team1 && known.seriesScore.team2 === made.seriesScore.team2
    this.#shared = {
      ...made,
      rules: known !== undefined && this.#rulesOf === state.rules ? known.rules : made.rules,
      seriesScore: sameScore ? known.seriesScore : made.seriesScore,
    }
    this.#rulesOf = state.rules
    return this.#shared
  }

  #takeUnavailable(fields: ReadonlyArray<string>): ReadonlyArray<string> {
    const known = this.#unavailable
    if (fields.length !== known.length || fields.some((field, index) => field !== known[index])) this.#unavailable = fields
    return this.#unavailable
  }
}

const noRounds: GameMap["rounds"] = []

const compactOfParts = ({ game, maps, players, rounds, shared, team1, team2, timeout, unavailableFields }: DocumentParts): CompactMatch =>
  compactFrom(shared, {
    team1: team1.compact,
    team2: team2.compact,
    maps: maps.compact,
    game: game === null ? null : compactGame(game),
    players: players.compact,
    rounds: rounds.compact,
    timeout: timeout === null ? null : withoutNulls(timeout),
    unavailableFields,
  })

const whole = (match: LiveMatch): Document => {
  const compact = compactOf(match)
  return { parts: undefined, compact: () => compact, updatedAt: match.updatedAt, lastEvent: match.lastEvent, game: match.game }
}
