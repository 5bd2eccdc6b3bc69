/**
 * Suspends the markets of what is decided: looks at the newest frame of every match that has an open market. It reads frames and writes
 * markets; prices are nobody's here.
 */
import { EventLog } from "@matchpoint/bus/EventLog"
import { LIVE, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { decodeUpdate, stampRecord } from "@matchpoint/contracts/stream/frames"
import type { LiveMatch } from "@matchpoint/contracts/stream/LiveMatch"
import { matchId } from "@matchpoint/domain/ids"
import { OddsRecorder } from "@matchpoint/store/cs2/OddsRecorder"
import { Effect, Layer, Option, Result } from "effect"

/** A decided map is suspended within this. */
const LOOK_EVERY = "5 seconds"

/** What of a match is decided: its maps by number, and whether the series is. Pure. */
export const decided = ({ maps, status }: Pick<LiveMatch, "maps" | "status">) => ({
  maps: maps.filter((map) => map.status === "completed").map(({ mapNumber }) => mapNumber),
  series: status === "completed" || status === "cancelled",
})

const look = Effect.gen(function* () {
  const log = yield* EventLog
  const recorder = yield* OddsRecorder

  const newest = Effect.fnUntraced(function* (number: number) {
    const record = Option.getOrUndefined(yield* log.last(LIVE, liveSubject(matchId(number))))
    const frame = record === undefined ? undefined : stampRecord(record.data, record.appendedAt, record.sequence)
    const update = frame === undefined ? undefined : decodeUpdate(frame.update)
    return update !== undefined && Result.isSuccess(update) ? update.success : undefined
  })

  for (const number of yield* recorder.openMatches) {
    const frame = yield* newest(number)
    if (frame === undefined) continue
    const at = Date.parse(frame.data.updatedAt)
    const { maps, series } = decided(frame.data)
    for (const map of maps) yield* recorder.suspend(number, map, at)
    if (series) yield* recorder.suspend(number, undefined, at)
  }
})

export class OddsWatch {
  static readonly layer = Layer.effectDiscard(
    look.pipe(
      Effect.catchCause((cause) => Effect.logWarning("odds markets could not be looked after; again soon", cause)),
      Effect.delay(LOOK_EVERY),
      Effect.forever,
      Effect.forkScoped,
    ),
  )
}
