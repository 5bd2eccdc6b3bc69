/** The webhook events of one match that are not yet in the database. */
import { matchEventId, type WebhookEvent } from "@matchpoint/contracts/webhook/webhookEvents"
import { gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import type { LiveGame, MatchChange } from "@matchpoint/game/live/LiveGame"
import type { StoreError } from "@matchpoint/store/StoreError"
import type { NewWebhookEvent } from "@matchpoint/store/webhooks/WebhookEvents"
import { Deferred, Effect } from "effect"

export class MatchOutbox {
  readonly matchId: MatchId
  /** Events that are being written. */
  taken: ReadonlyArray<NewWebhookEvent> = []
  readonly #game: LiveGame
  readonly #maxPending: number
  readonly #wait: (outbox: MatchOutbox) => void
  readonly #onDefect: OnDefect
  readonly #deriveAgain: (reached: () => number) => Effect.Effect<number, StoreError>
  #pending: Array<NewWebhookEvent> = []
  #added = 0
  #written = 0
  /** True if there are more events than fit in memory. `flush` derives them again. */
  #isBehind = false
  #feedSequence = 0
  #flushes: Array<{ readonly upTo: number; readonly done: Deferred.Deferred<void> }> = []

  /**
   * `maxPending` bounds the events in memory. `wait` asks the writer to take the events of this outbox. `deriveAgain`
   * derives and writes the events of the records of FEED after the stored checkpoint, up to the one that `reached`
   * returns, and returns the last sequence.
   */
  constructor(
    game: LiveGame,
    matchId: MatchId,
    maxPending: number,
    wait: (outbox: MatchOutbox) => void,
    deriveAgain: (reached: () => number) => Effect.Effect<number, StoreError>,
    onDefect: OnDefect,
  ) {
    this.matchId = matchId
    this.#game = game
    this.#maxPending = maxPending
    this.#wait = wait
    this.#deriveAgain = deriveAgain
    this.#onDefect = onDefect
  }

  /** `feedSequence` is that of the record of FEED that caused the change. Called on the hot path; does not wait. */
  add(change: MatchChange, feedSequence: number): void {
    this.#feedSequence = feedSequence
    if (this.#isBehind) return
    const rows = eventRows(this.#game, change, this.#onDefect)
    if (rows.length === 0) return
    if (this.#pending.length + rows.length > this.#maxPending) {
      this.#isBehind = true
      this.#pending = []
      this.#finishFlushes(Number.POSITIVE_INFINITY)
      return
    }
    for (const row of rows) this.#pending.push(row)
    this.#added += rows.length
    this.#wait(this)
  }

  /** Waits until the events of all changes so far are in the database. A checkpoint must not be saved before. */
  readonly flush: Effect.Effect<void, StoreError> = Effect.suspend(() => {
    if (this.#isBehind) return this.#catchUp
    if (this.#written === this.#added) return Effect.void
    const done = Deferred.makeUnsafe<void>()
    this.#flushes.push({ upTo: this.#added, done })
    return Effect.andThen(
      Deferred.await(done),
      Effect.suspend(() => (this.#isBehind ? this.#catchUp : Effect.void)),
    )
  })

  /** Takes at most `room` events to write, unless events are taken already. Returns their number. */
  take(room: number): number {
    if (this.taken.length === 0) this.taken = this.#pending.splice(0, room)
    return this.taken.length
  }

  /** The taken events are in the database. Returns true if no more events wait. */
  acknowledge(): boolean {
    this.#written += this.taken.length
    this.taken = []
    if (!this.#isBehind) this.#finishFlushes(this.#written)
    return this.#pending.length === 0
  }

  readonly #catchUp: Effect.Effect<void, StoreError> = Effect.suspend(() =>
    Effect.flatMap(
      this.#deriveAgain(() => this.#feedSequence),
      (sequence) => {
        // The actor may have folded more records since the derivation compared the sequence numbers.
        if (sequence < this.#feedSequence) return this.#catchUp
        this.#isBehind = false
        this.#added = this.#written + this.taken.length
        return Effect.void
      },
    ),
  )

  #finishFlushes(written: number): void {
    for (const { done, upTo } of this.#flushes) if (upTo <= written) Deferred.doneUnsafe(done, Effect.void)
    this.#flushes = this.#flushes.filter(({ upTo }) => upTo > written)
  }
}

/** Reports a bug in the derivation of events. */
export type OnDefect = (change: MatchChange, defect: unknown) => void

/** Events of a change in order. If a bug makes the derivation throw, the change has none, and the match continues. */
export const eventRows = (game: LiveGame, change: MatchChange, onDefect: OnDefect): ReadonlyArray<NewWebhookEvent> => {
  const { epoch, matchId, seq } = change.after
  let events: ReadonlyArray<WebhookEvent> = []
  try {
    events = game.webhookEvents?.(change) ?? []
  } catch (defect) {
    onDefect(change, defect)
  }
  return events.map(({ data, name, occurredAt, playerIds, teamIds }, place) => ({
    eventId: matchEventId(matchId, epoch, seq, name),
    name,
    game: gameOfMatch(matchId),
    lane: matchId,
    epoch,
    seq,
    place,
    teamIds,
    playerIds,
    occurredAt,
    data: JSON.stringify(data),
    fact: { id: change.event.id, receivedAt: change.event.receivedAt },
  }))
}
