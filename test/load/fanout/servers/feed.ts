// Owns the whole path under measurement: facts are appended to FEED, a match actor folds and encodes them, and the
// gateway sends them.
import { EventLog } from "@matchpoint/bus/EventLog"
import { Rejections } from "@matchpoint/bus/Rejections"
import { encodeAnnouncement } from "@matchpoint/contracts/bus/feed"
import { cursorOfMessageId, directorySubject, feedMessageId, feedSubject, LIVE, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { encodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { Migrations } from "@matchpoint/games/Migrations"
import { MatchSupervisor } from "@matchpoint/service-match/MatchSupervisor"
import { Embedded } from "@matchpoint/store/database/Embedded"
import { Checkpoints } from "@matchpoint/store/live/Checkpoints"
import { Matches } from "@matchpoint/store/live/Matches"
import { ParkedMatches } from "@matchpoint/store/live/ParkedMatches"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Context, Effect, Layer, ManagedRuntime, Schedule } from "effect"
import { gatewayOn, MemoryLog } from "../../lib/liveGateway.ts"
import { simulatedFeed } from "../changes.ts"
import { followedMatch } from "../followedMatch.ts"
import type { FanoutServer } from "../server.ts"

/** A match played before clients connect, so that the code is compiled as in a server that has run for hours. */
const playedBefore = matchId(2)

const Actors = MatchSupervisor.layer([cs2LiveGame]).pipe(
  Layer.provide(MatchCheckpoints.layer),
  Layer.provide(Layer.mergeAll(Matches.layer, Checkpoints.layer, ParkedMatches.layer)),
  Layer.provide(Migrations.layer),
  Layer.provide(Embedded.layer({ directory: null })),
  Layer.provide(Rejections.layer),
)

export const serve = async (): Promise<FanoutServer> => {
  const runtime = ManagedRuntime.make(Layer.mergeAll(gatewayOn(0), Actors).pipe(Layer.provideMerge(MemoryLog)))
  const context = await runtime.context()
  const { address } = Context.get(context, UwsServer)
  const log = Context.get(context, EventLog)
  for (const id of [playedBefore, followedMatch]) {
    await Effect.runPromise(log.append(directorySubject(id), id, encodeAnnouncement({ matchId: id, announcedAt: 0 })))
  }
  const append = (event: FeedEvent) =>
    Effect.runSync(log.append(feedSubject(event.matchId), feedMessageId(event.matchId, event.id), encodeFeedEvent(event)))
  for (const event of simulatedFeed(playedBefore)) append(event)
  return {
    port: address.port,
    publish: ({ event }) => {
      if (event === undefined) throw new Error("this server takes facts: --payload feed")
      append(event)
    },
    settled: (seq) =>
      Effect.runPromise(
        log.last(LIVE, liveSubject(followedMatch)).pipe(
          Effect.filterOrFail((record) => record._tag === "Some" && (cursorOfMessageId(record.value.id)?.seq ?? 0) >= seq),
          Effect.retry(Schedule.spaced("20 millis")),
          Effect.timeout("20 seconds"),
          Effect.asVoid,
        ),
      ),
  }
}
