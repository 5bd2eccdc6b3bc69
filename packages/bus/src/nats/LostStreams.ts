/**
 * Creates streams again that the server has lost, because its disk was replaced or they were deleted. Readers of a lost
 * stream fail with `HistoryLost`; everything else continues on the new, empty one.
 */
import { JetStreamApiCodes, JetStreamApiError } from "@nats-io/jetstream"
import { errors } from "@nats-io/transport-node"
import { Effect } from "effect"
import type { LogError, StreamSpec } from "../EventLog.ts"

/** Many operations fail at the same time. One of them asks the server, and the others use its result for this long. */
const LOOK_AGAIN_AFTER = "1 second"

export interface LostStreams {
  readonly recreate: (stream: string) => Effect.Effect<void, LogError>
  /** Repeats an operation once if it failed because the server does not have the stream. */
  readonly recovering: <A>(stream: string, operation: Effect.Effect<A, LogError>) => Effect.Effect<A, LogError>
}

/** `ensure` creates the stream if it is missing, and returns true if it did. */
export const lostStreams = (
  specs: ReadonlyArray<StreamSpec>,
  ensure: (spec: StreamSpec) => Effect.Effect<boolean, LogError>,
): Effect.Effect<LostStreams> =>
  Effect.gen(function* () {
    const looks = new Map<string, Effect.Effect<void, LogError>>()
    for (const spec of specs) {
      const look = Effect.flatMap(ensure(spec), (isNew) =>
        isNew ? Effect.logWarning(`the server had lost the stream ${spec.name}; it was created again and is empty`) : Effect.void,
      )
      looks.set(spec.name, yield* Effect.cachedWithTTL(look, LOOK_AGAIN_AFTER))
    }
    const recreate = (stream: string) => looks.get(stream) ?? Effect.void
    return {
      recreate,
      recovering: (stream, operation) => Effect.catchIf(operation, isLost, () => Effect.andThen(recreate(stream), operation)),
    }
  })

export const isLost = ({ cause }: LogError): boolean =>
  cause instanceof JetStreamApiError && cause.code === JetStreamApiCodes.StreamNotFound

/** Returns true if no server takes records of the subject: the stream has no leader at the moment, or is lost. */
export const isUnanswered = ({ cause }: LogError): boolean => cause instanceof errors.NoRespondersError
