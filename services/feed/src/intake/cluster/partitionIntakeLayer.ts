/** Answers {@link PartitionIntake} from the sessions of this process. */
import type { MatchId } from "@matchpoint/domain/ids"
import type { FeedSubmission } from "@matchpoint/game/feed/GameFeed"
import { Effect, Predicate, Schema } from "effect"
import { Rpc } from "effect/rpc"
import { MatchSessions, type SessionError } from "../MatchSessions.ts"
import { IntakeFailed, SessionBusy, type UnknownMatch } from "../sessionErrors.ts"
import { PartitionIntake } from "./PartitionIntake.ts"

const asJson = Schema.decodeUnknownSync(Schema.Json)

/** The sender has decoded the submission with the schema of the game, so it is not validated further. */
const isSubmission = (value: unknown): value is FeedSubmission => Predicate.hasProperty(value, "_tag") && typeof value._tag === "string"

/** Errors that do not cross the network become others. */
const portable =
  (matchId: MatchId) =>
  <A>(answer: Effect.Effect<A, SessionError>): Effect.Effect<A, UnknownMatch | SessionBusy | IntakeFailed> => {
    const busy = (message: string) => Effect.fail(new SessionBusy({ matchId, message }))
    const failed = (cause: unknown) =>
      Effect.andThen(Effect.logError(`${matchId}: facts could not be accepted`, cause), Effect.fail(new IntakeFailed({ matchId })))
    return Effect.catchTags(answer, {
      LogError: (error) => (error.retryable ? busy("the log does not accept facts") : failed(error)),
      StoreError: (error) => (error.isRetryable ? busy("the register does not respond") : failed(error)),
    })
  }

/** Requests of different matches run at the same time. Each session orders and limits those of its match. */
export const partitionIntakeLayer = PartitionIntake.toLayer(
  Effect.gen(function* () {
    const sessions = yield* MatchSessions
    return PartitionIntake.of({
      Submit: ({ payload: { matchId, submission } }) =>
        (isSubmission(submission) ? sessions.submit(matchId, submission) : Effect.fail(new IntakeFailed({ matchId }))).pipe(
          portable(matchId),
          Rpc.fork,
        ),
      Look: ({ payload: { matchId } }) =>
        sessions.look(matchId).pipe(
          Effect.map(({ state, ...reports }) => ({ state: asJson(state), ...reports })),
          portable(matchId),
          Rpc.fork,
        ),
    })
  }),
)
