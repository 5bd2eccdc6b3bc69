/**
 * Odds market for simulated matches, so that odds change over time even on a server without a real source: once a
 * minute, publishes quotes on every running match to ODDS. `SimulatedFeed` runs the matches; `OddsFeed` stores the
 * quotes.
 */
import { EventLog } from "@matchpoint/bus/EventLog"
import type { MatchId } from "@matchpoint/domain/ids"
import { Clock, Effect, Layer } from "effect"
import { encodeMarketQuoted, marketQuotedId, oddsSubject } from "../../contract/odds.ts"
import { newestMatch } from "../odds/newestMatch.ts"
import { quotesOf } from "./quotes.ts"
import { SimulatedFeed } from "./SimulatedFeed.ts"

const EVERY = "1 minute"

const quote = Effect.fnUntraced(function* (match: MatchId) {
  const log = yield* EventLog
  const live = yield* newestMatch(log, match)
  if (live === undefined) return
  const at = Math.floor(yield* Clock.currentTimeMillis)
  for (const quoted of quotesOf(live, at)) yield* log.append(oddsSubject, marketQuotedId(quoted), encodeMarketQuoted(quoted))
})

const round = Effect.gen(function* () {
  const feed = yield* SimulatedFeed
  // Running at the last quotes. A match that has ended since is quoted once more, which settles its markets.
  const before = new Set<MatchId>()
  const once = Effect.gen(function* () {
    const running = new Set((yield* feed.running).map(({ matchId }) => matchId))
    for (const match of new Set([...before, ...running])) yield* quote(match)
    before.clear()
    for (const match of running) before.add(match)
  })
  return yield* once.pipe(
    Effect.catchCause((cause) => Effect.logWarning("cannot quote simulated matches; retrying", cause)),
    Effect.andThen(Effect.sleep(EVERY)),
    Effect.forever,
  )
})

export class SimulatedOdds {
  static readonly layer = Layer.effectDiscard(Effect.forkScoped(round))
}
