/** Caches the converted teams, players, maps and rounds of the newest document, and decides which are still valid. */
import type { JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import type { CompactMatch } from "../../contract/CompactMatch.ts"
import { compactMap, compactPlayer, compactRound, compactTeam, keyOfMap, keyOfPlayer, keyOfRound } from "../../contract/compactOf.ts"
import type { LiveMap, LivePlayer, LiveRound, LiveTeam } from "../../contract/LiveMatch.ts"
import type { Side, TeamIndex } from "../../rules/live/rules.ts"
import type { GameMap, MatchState, Player, RoundResult } from "../../rules/live/state.ts"
import { countedRounds, projectMap, projectPlayer, projectRound, projectTeam, sideOf } from "../projectMain.ts"
import { joined, type Kind, Part, type Parts, renewed } from "./Parts.ts"

type CompactTeam = CompactMatch["team1"]
type CompactPlayer = CompactMatch["players"][LivePlayer["id"]]

const teamKind: Kind<LiveTeam, CompactTeam> = { key: (team) => team.id, compact: compactTeam, flat: true }
const playerKind: Kind<LivePlayer, CompactPlayer> = { key: keyOfPlayer, compact: compactPlayer, flat: true }
const mapKind: Kind<LiveMap, CompactMatch["maps"][string]> = { key: keyOfMap, compact: compactMap, flat: false }
const roundKind: Kind<LiveRound, CompactMatch["rounds"][string]> = { key: keyOfRound, compact: compactRound, flat: true }

export type TeamPart = Part<LiveTeam, CompactTeam>
export type PlayerParts = Parts<LivePlayer, CompactPlayer>
export type MapParts = Parts<LiveMap, CompactMatch["maps"][string]>
export type RoundParts = Parts<LiveRound, CompactMatch["rounds"][string]>

export class TeamSlot {
  readonly #index: TeamIndex
  #part: TeamPart | undefined

  constructor(index: TeamIndex) {
    this.#index = index
  }

  take(state: MatchState, map: GameMap | undefined): TeamPart {
    this.#part = renewed(teamKind, this.#part, projectTeam(state, map, this.#index))
    return this.#part
  }
}

interface PlayerSlot {
  readonly player: Player
  readonly side: Side | null
  readonly part: Part<LivePlayer, CompactPlayer>
}

/** A cached player is valid while the player, the side, and the rounds over which averages are computed are unchanged. */
export class PlayerSlots {
  #of: MatchState["players"] | undefined
  #ctTeam: TeamIndex | undefined
  #begun = -1
  #ended = -1
  #slots: ReadonlyArray<PlayerSlot> = []
  #parts: PlayerParts | undefined

  take(state: MatchState, map: GameMap | undefined): PlayerParts {
    const rounds = countedRounds(state, map)
    const sameRounds = rounds.begun === this.#begun && rounds.ended === this.#ended
    const ctTeam = state.round?.ctTeam
    if (this.#parts !== undefined && state.players === this.#of && ctTeam === this.#ctTeam && sameRounds) return this.#parts
    this.#slots = state.players.map((player, index) => {
      const known = this.#slots[index]
      const side = sideOf(state, player.team)
      return known !== undefined && known.player === player && known.side === side && sameRounds
        ? known
        : { player, side, part: renewed(playerKind, known?.part, projectPlayer(state, rounds, player)) }
    })
    this.#of = state.players
    this.#ctTeam = ctTeam
    this.#begun = rounds.begun
    this.#ended = rounds.ended
    this.#parts = joined(
      this.#parts,
      this.#slots.map(({ part }) => part),
    )
    return this.#parts
  }
}

/** Caches maps or rounds. A part is valid while its object is unchanged, because the team ids never change. */
class ListSlots<Source extends object, Shown extends object, Compact extends JsonObject> {
  readonly #kind: Kind<Shown, Compact>
  readonly #project: (state: MatchState, source: Source) => Shown
  #of: ReadonlyArray<Source> = []
  #parts: Parts<Shown, Compact> | undefined

  constructor(kind: Kind<Shown, Compact>, project: (state: MatchState, source: Source) => Shown) {
    this.#kind = kind
    this.#project = project
  }

  take(state: MatchState, sources: ReadonlyArray<Source>): Parts<Shown, Compact> {
    if (this.#parts !== undefined && (this.#of === sources || (this.#of.length === 0 && sources.length === 0))) return this.#parts
    const each = sources.map((source, index) => {
      const known = this.#of[index] === source ? this.#parts?.each[index] : undefined
      return known ?? new Part(this.#kind, this.#project(state, source))
    })
    this.#parts = joined(this.#parts, each)
    this.#of = sources
    return this.#parts
  }
}

export const mapSlots = () => new ListSlots<GameMap, LiveMap, CompactMatch["maps"][string]>(mapKind, projectMap)
export const roundSlots = () => new ListSlots<RoundResult, LiveRound, CompactMatch["rounds"][string]>(roundKind, projectRound)
