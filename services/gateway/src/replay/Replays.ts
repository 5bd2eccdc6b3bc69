/**
 * The replays that run on this gateway: limits their number per API key on all gateways, and stops a replay when its
 * connection ends. `replay.ts` plays a match, and the sink sends the frames.
 */
import { EventLog, type LogError } from "@matchpoint/bus/EventLog"
import { LIVE, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { type HistoryLimit, TooManyReplays } from "@matchpoint/contracts/http/errors"
import { replayRoom } from "@matchpoint/contracts/stream/rooms"
import type { Customer } from "@matchpoint/domain/accounts"
import type { MatchId } from "@matchpoint/domain/ids"
import { planTerms } from "@matchpoint/domain/plans"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import type { Place, Wanted } from "@matchpoint/metering/counts/KeyPlaces"
import { StreamLimits } from "@matchpoint/metering/counts/StreamLimits"
import { historyError } from "@matchpoint/metering/entitlements"
import { Clock, Context, Effect, FiberSet, Layer, Metric, Option } from "effect"
import { LiveGames } from "../live/LiveGames.ts"
import type { ReplaySink } from "./ReplaySink.ts"
import { type ReplayRequest, replay } from "./replay.ts"
import { StoredFrames, type Watermark } from "./StoredFrames.ts"

export const replaysRunning = Metric.gauge("matchpoint_gateway_replays", { description: "Running replays" })

export interface ReplayHandle {
  /** Afterwards, the replay does not call the sink again. May be called more than once. */
  readonly stop: () => void
}

export interface Starting extends Omit<ReplayRequest, "slowestSeconds"> {
  readonly key: Customer
  readonly sink: ReplaySink
  /** Called once when the replay ends for any reason other than `stop`. */
  readonly over: () => void
}

export class Replays extends Context.Service<
  Replays,
  {
    /**
     * The replay begins in the next turn of the event loop. Returns undefined if this gateway alone runs as many
     * replays as the plan allows. If all gateways together do, the client gets an error and the replay ends.
     */
    readonly start: (starting: Starting) => ReplayHandle | undefined
    readonly hasRoomFor: (key: Customer) => boolean
    /** True if the log has a frame of the match that the plan may see. */
    readonly exists: (matchId: MatchId, watermark: Watermark) => Effect.Effect<boolean, LogError>
    /** An error if even the newest stored frame of the match is older than the caller's plan gives access to. */
    readonly tooOld: (matchId: MatchId, key: Customer) => Effect.Effect<HistoryLimit | undefined, LogError>
  }
>()("@matchpoint/service-gateway/replay/Replays") {
  static readonly layer = Layer.effect(
    Replays,
    Effect.gen(function* () {
      const log = yield* EventLog
      const limits = yield* StreamLimits
      const source = { log, games: yield* LiveGames }
      const { slowestSeconds } = yield* GatewayConfig
      const context = yield* Effect.context<never>()
      const run = yield* FiberSet.makeRuntime<never, void, never>()
      const running = new Map<string, number>()
      let total = 0

      const hasRoomFor = (key: Customer) => (running.get(key.keyId) ?? 0) < planTerms[key.plan].replays
      const count = (key: Customer, change: 1 | -1): void => {
        const left = (running.get(key.keyId) ?? 0) + change
        if (left > 0) running.set(key.keyId, left)
        else running.delete(key.keyId)
        total += change
        replaysRunning.updateUnsafe(total, context)
      }

      const tooOld = Effect.fnUntraced(function* (matchId: MatchId, key: Customer) {
        if (planTerms[key.plan].historyDays === null) return undefined
        const last = yield* log.last(LIVE, liveSubject(matchId))
        const now = yield* Clock.currentTimeMillis
        return Option.isNone(last) ? undefined : historyError(key, last.value.appendedAt, now)
      })

      const playIfAllowed = Effect.fnUntraced(function* ({ sink, key, over: _, ...request }: Starting) {
        const room = replayRoom(request.matchId)
        const refused = yield* tooOld(request.matchId, key)
        if (refused !== undefined)
          return sink.outlet.sendControl({ type: "error", code: "HISTORY_LIMIT", message: refused.error.message, room })
        const outcome = yield* replay(source, { ...request, slowestSeconds }, sink)
        if (outcome === "not_found") sink.outlet.sendControl({ type: "error", code: "MATCH_NOT_FOUND", message: notFound, room })
      })

      const play = (request: Starting) => {
        const { sink } = request
        const room = replayRoom(request.matchId)
        return playIfAllowed(request).pipe(
          Effect.catchCause((cause) =>
            Effect.andThen(
              Effect.logError(`the replay of ${request.matchId} failed`, cause),
              Effect.sync(() =>
                sink.outlet.sendControl({
                  type: "error",
                  code: "SERVICE_UNAVAILABLE",
                  message: "the log does not answer; resume later",
                  room,
                }),
              ),
            ),
          ),
        )
      }

      return Replays.of({
        hasRoomFor,
        tooOld,
        exists: (matchId, watermark) => new StoredFrames(source, matchId, watermark).exists,
        start: (starting) => {
          if (!hasRoomFor(starting.key)) return undefined
          count(starting.key, 1)
          let isOver = false
          let place: Place | undefined
          const finish = (): boolean => {
            if (isOver) return false
            isOver = true
            place?.release()
            count(starting.key, -1)
            return true
          }
          const enter = Effect.uninterruptibleMask((restore) =>
            Effect.map(restore(limits.take(starting.key, oneReplay)), (taken) => {
              if (isOver) taken.release()
              else place = taken
            }),
          )
          const playInPlace = Effect.matchEffect(enter, {
            onFailure: () =>
              Effect.sync(() => {
                const { message } = TooManyReplays.of(starting.key.plan).error
                starting.sink.outlet.sendControl({ type: "error", code: "TOO_MANY_REPLAYS", message, room: replayRoom(starting.matchId) })
              }),
            onSuccess: () => play(starting),
          })
          // Yields first, so that the caller receives the handle before anything is sent.
          const fiber = run(Effect.andThen(Effect.yieldNow, playInPlace))
          fiber.addObserver(() => {
            if (finish()) starting.over()
          })
          return {
            stop: () => {
              finish()
              fiber.interruptUnsafe()
            },
          }
        },
      })
    }),
  )
}

const oneReplay: Wanted = { connection: false, stream: false, replay: true }

export const notFound = "no frames of this match are stored, or your plan may not see them yet"
