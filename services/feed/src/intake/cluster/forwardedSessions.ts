/**
 * Sessions of matches in other processes: each request goes to the process that runs the match, and waits while the
 * match moves. If a process leaves, requests without an answer are sent again. Facts that were stored although the
 * answer was lost are then recognised by their ids.
 */
import { againAfterDepartures, Departures } from "@matchpoint/cluster/Departures"
import { partitionNames } from "@matchpoint/cluster/partitionNames"
import { PARTITIONS, partitionOf } from "@matchpoint/contracts/bus/subjects"
import type { GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import { Effect, Layer, Predicate, Schema } from "effect"
import { type ClusterError, Sharding } from "effect/cluster"
import { BoundedTurns, type TurnBounds } from "../BoundedTurns.ts"
import { MatchSessions } from "../MatchSessions.ts"
import { IntakeFailed, SessionBusy } from "../sessionErrors.ts"
import { PartitionIntake } from "./PartitionIntake.ts"

const asJson = Schema.decodeUnknownSync(Schema.Json)

/** Time for the process that runs a match. A process that hangs is replaced within this time. */
const ANSWERS_WITHIN = "2500 millis"

/** Limits of one partition, so that a process that hangs delays only requests of its partitions. */
const BOUNDS: TurnBounds = { atOnce: 2, waitingAtMost: 64, startsWithinMs: 1_000 }

/** The other process has made the JSON, so it is not validated further. */
const isState = (value: unknown): value is GameState => Predicate.hasProperty(value, "matchId") && Predicate.hasProperty(value, "seq")

export const forwardedSessions = Layer.effect(
  MatchSessions,
  Effect.gen(function* () {
    const names = partitionNames(yield* Sharding.Sharding)
    const clientOf = yield* PartitionIntake.client
    const departures = yield* Departures
    const intakeOf = (matchId: MatchId) => clientOf(names[partitionOf(matchId)] ?? "")

    /** The process that runs the match cannot be reached or is overloaded. */
    const reached = <A, E>(matchId: MatchId, answer: Effect.Effect<A, E | ClusterFailure>) => {
      const busy = (why: string) =>
        Effect.fail(new SessionBusy({ matchId, message: `the process that runs ${matchId} cannot take the request (${why})` }))
      const inTime = answer.pipe(
        Effect.catchIf(isClusterFailure, ({ _tag }) => busy(_tag)),
        Effect.timeoutOrElse({ duration: ANSWERS_WITHIN, orElse: () => busy("no answer") }),
      )
      return againAfterDepartures(departures, inTime)
    }

    const turns = Array.from({ length: PARTITIONS }, () => new BoundedTurns(BOUNDS))

    return MatchSessions.of({
      inTurn: (matchId, work) => turns[partitionOf(matchId)]?.run(matchId, work) ?? work,
      submit: (matchId, submission) => reached(matchId, intakeOf(matchId).Submit({ matchId, submission: asJson(submission) })),
      look: (matchId) =>
        Effect.flatMap(reached(matchId, intakeOf(matchId).Look({ matchId })), ({ state, ...reports }) =>
          isState(state) ? Effect.succeed({ state, ...reports }) : Effect.fail(new IntakeFailed({ matchId })),
        ),
    })
  }),
)

type ClusterFailure =
  | ClusterError.MailboxFull
  | ClusterError.AlreadyProcessingMessage
  | ClusterError.EntityNotAssignedToRunner
  | ClusterError.PersistenceError

const failures: ReadonlySet<unknown> = new Set(["MailboxFull", "AlreadyProcessingMessage", "EntityNotAssignedToRunner", "PersistenceError"])
const isClusterFailure = (error: unknown): error is ClusterFailure => Predicate.hasProperty(error, "_tag") && failures.has(error._tag)
