/**
 * Cancels matches from the intake that never begin, so that they do not remain scheduled forever. The cancellation is a
 * fact in FEED, so that lists, webhooks and archives receive it from the match. A match whose registration was
 * interrupted before its first fact is begun first.
 */
import { EventLog, type LogError } from "@matchpoint/bus/EventLog"
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import { FEED, feedMessageId, feedSubject } from "@matchpoint/contracts/bus/subjects"
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { Matches, type RegisteredMatch } from "@matchpoint/store/live/Matches"
import type { StoreError } from "@matchpoint/store/StoreError"
import { DateTime, Duration, Effect, Layer, Option, Schema } from "effect"

/** Part of the row of a match from the intake. `startsAt` is the scheduled time in ISO 8601. */
const decodeConfig = Schema.decodeUnknownOption(
  Schema.Struct({ feed: Schema.Literal("intake"), startsAt: Schema.optionalKey(Schema.DateTimeUtcFromString) }),
)

/** Time from which the match counts as not begun, in epoch ms. Undefined if it must not be cancelled. */
const expectedAt = ({ config, createdAt, status }: RegisteredMatch): number | undefined => {
  const known = status === "scheduled" ? Option.getOrUndefined(decodeConfig(config)) : undefined
  return known && Math.max(createdAt.epochMilliseconds, known.startsAt?.epochMilliseconds ?? 0)
}

const cancelIfUnstarted = Effect.fn("UnstartedMatches.cancelIfUnstarted")(function* (game: LiveGame, row: RegisteredMatch, now: number) {
  const log = yield* EventLog
  const writer = yield* FeedWriter
  const matches = yield* Matches
  const checkpoints = yield* MatchCheckpoints
  const waitMs = Duration.toMillis((yield* MatchConfig).unstartedAfter)
  const { matchId } = row
  const expected = expectedAt(row)
  if (expected === undefined || now < expected + waitMs) return
  const last = Option.getOrUndefined(yield* log.last(FEED, feedSubject(matchId)))
  const checkpoint = yield* checkpoints.load(game.rules, matchId)
  const lastFactAt = Math.max(last?.appendedAt ?? 0, checkpoint?.state?.receivedAt ?? 0)
  const mayHaveBegun = checkpoint !== undefined && checkpoint.state?.status !== "scheduled"
  const cancelled = game.rules.neverBegan?.(matchId, now)
  if (mayHaveBegun || now < lastFactAt + waitMs || cancelled === undefined) return
  // If a fact arrives in the meantime, nothing is appended.
  const append = (event: GameEvent, lastOfSubject: number) =>
    log.append(feedSubject(matchId), feedMessageId(matchId, event.id, event.source), game.encodeEvent(event), { lastOfSubject })
  let sequence = last?.sequence ?? 0
  if (last === undefined && checkpoint === undefined) {
    const created = game.createdAgain(row, matchId, now)
    if (created === undefined) {
      yield* matches.finish(matchId, DateTime.makeUnsafe(now), "cancelled", null)
      return yield* Effect.logWarning(`${matchId}: never began and cannot be begun from its registration; cancelled in the register`)
    }
    sequence = (yield* append(created, 0)).sequence
  }
  yield* append(cancelled, sequence)
  if (!(yield* writer.isAnnounced(matchId))) yield* writer.announce(matchId)
  yield* Effect.logInfo(`${matchId}: never began; cancelled`)
})

/** A match that cannot be checked is logged, and checked again by the next call. */
export const cancelUnstarted = Effect.fn("UnstartedMatches.cancel")(function* (games: ReadonlyArray<LiveGame>) {
  const matches = yield* Matches
  const now = Math.floor(yield* (yield* EventLog).now)
  for (const game of games) {
    for (const row of yield* matches.listActive(game.rules.game)) {
      yield* Effect.catch(cancelIfUnstarted(game, row, now), (error: LogError | StoreError) =>
        error._tag === "LogError" && error.reason === "Conflict"
          ? Effect.logInfo(`${row.matchId}: begins after all`)
          : Effect.logWarning(`${row.matchId}: cannot check whether the match has begun; the next check retries`, error),
      )
    }
  }
})

const CHECK_EVERY = Duration.hours(1)

export class UnstartedMatches {
  /** Every hour. The first check is an hour after the start, so that feeds can send what they held back meanwhile. */
  static readonly layer = (games: ReadonlyArray<LiveGame>) =>
    Layer.effectDiscard(
      cancelUnstarted(games).pipe(
        Effect.catchCause((cause) => Effect.logWarning("cannot check for matches that never begin; the next check retries", cause)),
        Effect.delay(CHECK_EVERY),
        Effect.forever,
        Effect.annotateLogs({ service: "match" }),
        Effect.forkScoped,
      ),
    ).pipe(Layer.provide(FeedWriter.layer))
}
