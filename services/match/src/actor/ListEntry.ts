/**
 * Publishes the list entry of a match to ENTRIES, so that gateways can list the match without reading its changes: when
 * something changes that lists show, and otherwise when the newest entry is old, because other values change all the
 * time and ENTRIES drops its oldest records. Owners that have lost the match publish older states, which readers
 * ignore.
 */
import type { EventLog, LogError } from "@matchpoint/bus/EventLog"
import { ENTRIES, entryMessageId, entrySubject } from "@matchpoint/contracts/bus/subjects"
import type { GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import type { LiveEncoder, LiveGame } from "@matchpoint/game/live/LiveGame"
import { Clock, Effect } from "effect"

/** Age from which the entry of a match that has changed is replaced. */
const OLD_AFTER_MS = 30_000
/** How often the match checks whether ENTRIES will soon drop its entry. */
const CHECK_STORED_EVERY_MS = 60_000

interface Published {
  readonly state: GameState
  readonly listed: string
  readonly sequence: number
  readonly at: number
}

export class ListEntry {
  readonly #log: EventLog["Service"]
  readonly #matchId: MatchId
  readonly #game: Pick<LiveGame, "listed">
  readonly #encoder: Pick<LiveEncoder, "kept">
  #published: Published | undefined
  #checkedAt = 0

  constructor(log: EventLog["Service"], matchId: MatchId, game: Pick<LiveGame, "listed">, encoder: Pick<LiveEncoder, "kept">) {
    this.#log = log
    this.#matchId = matchId
    this.#game = game
    this.#encoder = encoder
  }

  /** `state` must be the newest published state, and `position` the sequence number of its record in LIVE. */
  check(state: GameState, position: number): Effect.Effect<void, LogError> {
    return Effect.gen({ self: this }, function* () {
      // Not the wall clock, which may jump.
      const now = monotonicOf(yield* Clock.Clock)()
      const listed = JSON.stringify(this.#game.listed(state))
      if (!this.#isDue(state, listed, now) && !(yield* this.#isLeaving(now))) return
      const { epoch, seq } = state
      const { sequence } = yield* this.#log.append(
        entrySubject(this.#matchId),
        entryMessageId(this.#matchId, epoch, seq, position),
        this.#encoder.kept(state),
      )
      this.#published = { state, listed, sequence, at: now }
      this.#checkedAt = now
    })
  }

  #isDue(state: GameState, listed: string, now: number): boolean {
    const published = this.#published
    if (published === undefined || published.listed !== listed) return true
    return published.state !== state && now - published.at >= OLD_AFTER_MS
  }

  /** True if the entry is in the older half of ENTRIES, so that it must be repeated. */
  #isLeaving(now: number): Effect.Effect<boolean, LogError> {
    const published = this.#published
    if (published === undefined || now - this.#checkedAt < CHECK_STORED_EVERY_MS) return Effect.succeed(false)
    this.#checkedAt = now
    return Effect.map(this.#log.bounds(ENTRIES), ({ first, last }) => published.sequence < first + (last - first) / 2)
  }
}
