/**
 * Wakes workers and waiting requests of this process. Signals do not leave the process and may be lost, so receivers
 * must also look at regular intervals.
 */
import { Context, Effect, Layer, PubSub, type Scope } from "effect"

export interface Signal {
  readonly send: Effect.Effect<void>
  /** Subscribes until the scope closes. Returns an effect that waits for the next signal; signals together count as one. */
  readonly subscribe: Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
}

export class TranscriptSignals extends Context.Service<
  TranscriptSignals,
  {
    readonly queued: Signal
    /** A job was finished, successfully or not. */
    readonly finished: Signal
  }
>()("@matchpoint/store/transcripts/TranscriptSignals") {
  static readonly layer = Layer.effect(
    TranscriptSignals,
    Effect.gen(function* () {
      return TranscriptSignals.of({ queued: yield* signal, finished: yield* signal })
    }),
  )
}

const signal: Effect.Effect<Signal> = Effect.map(PubSub.sliding<void>(1), (signals) => ({
  send: Effect.asVoid(PubSub.publish(signals, undefined)),
  subscribe: Effect.map(PubSub.subscribe(signals), (subscription) => PubSub.take(subscription)),
}))
