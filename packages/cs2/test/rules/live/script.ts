/** Builds the events of a small match for tests: two teams of two players, one event per second. */
import { factId } from "@matchpoint/domain/ids"
import { matchId, playerId, teamId } from "../../../src/rules/ids.ts"
import type { FeedEvent, FeedEventOf, FeedEventType } from "../../../src/rules/live/feedEvents.ts"
import { foldAll } from "../../../src/rules/live/fold.ts"
import { competitiveRules, type MatchRules, type Side } from "../../../src/rules/live/rules.ts"
import type { MatchState } from "../../../src/rules/live/state.ts"

export const match = matchId(1001)
export const red = teamId(1)
export const blue = teamId(2)
/** Red (r1, r2) starts as CT, blue (b1, b2) as T. */
export const r1 = playerId(11)
export const r2 = playerId(12)
export const b1 = playerId(21)
export const b2 = playerId(22)

export class Script {
  readonly events: Array<FeedEvent> = []
  #at = 1_700_000_000_000
  #n = 0

  /** Adds time between two events. */
  wait(ms: number): this {
    this.#at += ms
    return this
  }

  add<T extends FeedEventType>(type: T, payload: FeedEventOf<T>["payload"], change: Partial<FeedEvent> = {}): this {
    this.#n += 1
    this.#at += 1_000
    const envelope = { id: factId(`f${this.#n}`), matchId: match, source: "main", observedAt: this.#at, receivedAt: this.#at }
    this.events.push({ ...envelope, type, payload, ...change } as FeedEvent)
    return this
  }

  /** Creates the match, adds the players and starts the first map. */
  begin(options: { readonly bestOf?: number; readonly rules?: Partial<MatchRules> } = {}): this {
    return this.create(options).map(1)
  }

  create(options: { readonly bestOf?: number; readonly rules?: Partial<MatchRules> } = {}): this {
    return this.add("MatchCreated", {
      bestOf: options.bestOf ?? 1,
      teams: [
        { id: red, name: "Red" },
        { id: blue, name: "Blue" },
      ],
      rules: { ...competitiveRules, ...options.rules },
      roster: [
        { playerId: r1, teamId: red, nickname: "r1" },
        { playerId: r2, teamId: red, nickname: "r2" },
        { playerId: b1, teamId: blue, nickname: "b1" },
        { playerId: b2, teamId: blue, nickname: "b2" },
      ],
    })
  }

  map(mapNumber: number): this {
    return this.add("MapStarted", { mapNumber, mapName: "de_inferno", ctTeamId: red })
  }

  live(round: number, ctTeamId = red, mapNumber = 1): this {
    return this.add("RoundStarted", { mapNumber, round, ctTeamId }).add("RoundLive", { mapNumber, round })
  }

  kill(
    round: number,
    killerId: FeedEventOf<"PlayerKilled">["payload"]["killerId"],
    victimId: typeof r1 | null,
    change: Partial<FeedEventOf<"PlayerKilled">["payload"]> = {},
  ): this {
    return this.add("PlayerKilled", {
      mapNumber: 1,
      round,
      killerId,
      victimId,
      assisterId: null,
      weapon: "ak47",
      headshot: false,
      ...change,
    })
  }

  end(round: number, winner: Side, winType: FeedEventOf<"RoundEnded">["payload"]["winType"] = "elimination", mapNumber = 1): this {
    return this.add("RoundEnded", { mapNumber, round, winner, winType })
  }

  /** Adds a round without kills that the team wins. The sides follow the rules of MR12. */
  wonBy(team: typeof red, round: number, mapNumber = 1, ctTeamId = ctOf(round)): this {
    return this.live(round, ctTeamId, mapNumber).end(
      round,
      team === ctTeamId ? "CT" : "T",
      team === ctTeamId ? "time_expired" : "elimination",
      mapNumber,
    )
  }

  fold(): MatchState {
    const state = foldAll(undefined, this.events)
    if (state === undefined) throw new Error("nothing was folded")
    return state
  }
}

/** Returns the CT team of a round by MR12 and MR3 overtimes, with red starting as CT. */
export const ctOf = (round: number) => {
  if (round <= 12) return red
  if (round <= 24) return blue
  const half = Math.floor((round - 25) / 3)
  return half % 4 === 0 || half % 4 === 3 ? blue : red
}
