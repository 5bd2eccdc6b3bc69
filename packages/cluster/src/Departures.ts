/**
 * Tells when members leave the cluster. A message to a member that hangs gets no answer and no error. When the member has left,
 * the sender can send the message again, to the new owner.
 */
import { Context, Effect, Option } from "effect"

export class Departures extends Context.Service<
  Departures,
  {
    /** Completes when a member leaves after the start of this effect. From then on, messages go to the new owners of its shards. */
    readonly next: Effect.Effect<void>
  }
>()("@matchpoint/cluster/Departures") {}

/** Interrupts an attempt and begins it again whenever a member leaves before it has ended. */
export const againAfterDepartures = <A, E, R>({ next }: Departures["Service"], attempt: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.raceFirst(Effect.asSome(attempt), Effect.as(next, Option.none<A>())).pipe(
    Effect.flatMap(Option.match({ onNone: () => againAfterDepartures({ next }, attempt), onSome: Effect.succeed })),
  )
