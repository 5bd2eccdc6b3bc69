/** Detects that a child process no longer answers. A process whose event loop hangs cannot end itself. */
import { Effect, Schedule } from "effect"

export interface Liveness {
  /** Answers with a status below 500 while the event loop runs. */
  readonly url: string
  /** Interval of the requests and time for an answer. Default 5,000. */
  readonly askEveryMs?: number
  /** Requests in a row without an answer after which the child counts as hung. Default 6. */
  readonly unanswered?: number
  /**
   * The same before its first answer. Default 60, because loading the code takes a while on a busy machine. Requests
   * are counted instead of time, so that a busy machine, which delays both sides, gives the process more time.
   */
  readonly unansweredAtStart?: number
}

/** Completes with the reason when the child no longer answers. */
export const untilHung = ({ askEveryMs = 5_000, unanswered = 6, unansweredAtStart = 60, url }: Liveness): Effect.Effect<string> =>
  Effect.gen(function* () {
    const ask = Effect.tryPromise(async (signal) => {
      const response = await fetch(url, { signal })
      await response.body?.cancel()
      return response.status < 500
    }).pipe(
      Effect.timeout(askEveryMs),
      Effect.orElseSucceed(() => false),
    )
    let hasAnswered = false
    let missed = 0
    const turn = Effect.map(ask, (isAlive) => {
      hasAnswered ||= isAlive
      missed = isAlive ? 0 : missed + 1
      return missed >= (hasAnswered ? unanswered : unansweredAtStart)
    })
    yield* Effect.repeat(turn, { schedule: Schedule.fixed(askEveryMs), until: (hangs) => hangs })
    const seconds = Math.round((missed * askEveryMs) / 1_000)
    return hasAnswered ? `has not answered ${url} for ${seconds} s` : `has not begun to answer ${url} within ${seconds} s`
  })
