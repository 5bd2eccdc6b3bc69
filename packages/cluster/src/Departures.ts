/**
 * Reports when members leave the cluster. A message to a member that hangs gets no answer and no error. Once the member
 * has left, the sender can repeat the message to the new owner.
 */
import { Context, Effect, Option } from "effect"

export class Departures extends Context.Service<
  Departures,
  {
    /** Completes at the next departure. From then on, messages go to the new owners of the member's shards. */
    readonly next: Effect.Effect<void>
  }
>()("@matchpoint/cluster/Departures") {}

/** Interrupts an attempt and starts it again whenever a member leaves before it has ended. */
export const againAfterDepartures = <A, E, R>({ next }: Departures["Service"], attempt: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.raceFirst(Effect.asSome(attempt), Effect.as(next, Option.none<A>())).pipe(
    Effect.flatMap(Option.match({ onNone: () => againAfterDepartures({ next }, attempt), onSome: Effect.succeed })),
  )
