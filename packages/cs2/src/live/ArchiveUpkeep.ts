/**
 * Background jobs that keep data derived from the archive up to date. Each job runs hourly, and also soon after live
 * matches have ended. If several processes share a database, only one of them runs a given job at a time. If a job
 * fails or times out, the failure is logged and the job is tried again at the next check. This module decides only when
 * a job runs; the services that it calls do the work.
 */
import { Chores, type TakenChore } from "@matchpoint/store/Chores"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Cause, Duration, Effect, Layer, Option, Schedule } from "effect"
import { EventPrizes } from "../archive/events/EventPrizes.ts"
import { RankingWriter } from "../archive/rankings/RankingWriter.ts"
import { RosterDerivation } from "../archive/rosters/RosterDerivation.ts"
import { StatsRefresh } from "../archive/stats/StatsRefresh.ts"
import { SlugKeeper } from "../archive/teams/SlugKeeper.ts"
import { ArchiveTables } from "../archive/upkeep/ArchiveTables.ts"
import { Calendar } from "../archive/upkeep/Calendar.ts"
import { CS2 } from "../rules/live/cs2Rules.ts"

type Worker = ArchiveTables | Calendar | EventPrizes | RankingWriter | RosterDerivation | SlugKeeper

interface Chore {
  readonly name: string
  /** Minimum interval between two requested runs. Without a request, the job runs hourly. */
  readonly atMostEvery: Duration.Duration
  readonly limit: Duration.Duration
  /** `since` is the time of the previous run minus a safety margin, or undefined if the job has never run. */
  readonly work: (since: Date | undefined) => Effect.Effect<unknown, StoreError, Worker>
}

const EVERY = Duration.hours(1)

/**
 * In milliseconds. A run also processes rows that changed up to this long before the previous run: row timestamps come
 * from the database's clock, which may be behind this process's, and rows become visible only when their transaction
 * ends, with the time at which it started.
 */
const OVERLAP_MS = Duration.toMillis(Duration.minutes(5))

/** The jobs run in this order. The calendar comes first: it marks matches as cancelled and events as ended. */
const chores: ReadonlyArray<Chore> = [
  {
    name: "calendar",
    atMostEvery: Duration.minutes(10),
    limit: Duration.minutes(1),
    work: () => Effect.flatMap(Calendar, ({ settle }) => settle),
  },
  {
    name: "rosters",
    atMostEvery: Duration.minutes(1),
    limit: Duration.minutes(10),
    work: (since) => Effect.flatMap(RosterDerivation, ({ rebuild }) => rebuild(since)),
  },
  {
    name: "slugs",
    atMostEvery: Duration.minutes(10),
    limit: Duration.minutes(1),
    work: () => Effect.flatMap(SlugKeeper, ({ assign }) => assign),
  },
  {
    name: "prizes",
    atMostEvery: Duration.minutes(10),
    limit: Duration.minutes(5),
    work: () => Effect.flatMap(EventPrizes, ({ settle }) => settle),
  },
  {
    // Always recomputed from the first series to the last: a late result changes every later ranking.
    name: "world-ranking",
    atMostEvery: Duration.minutes(10),
    limit: Duration.minutes(5),
    work: () => Effect.flatMap(RankingWriter, ({ rebuildWorld }) => rebuildWorld),
  },
  {
    // PostgreSQL vacuums automatically, but the embedded PGlite database never does.
    name: "tables",
    atMostEvery: EVERY,
    limit: Duration.minutes(10),
    work: () => Effect.flatMap(ArchiveTables, ({ vacuum }) => vacuum),
  },
]

/** Each job runs as soon as its minimum interval since the last run has passed. */
export const requestUpkeep = Effect.gen(function* () {
  yield* (yield* Chores).of(CS2).request(chores.map(({ name }) => name))
  yield* (yield* StatsRefresh).request
})

/** One after the other. The statistics service decides itself when they are due and which process computes them. */
export const runDueChores = Effect.gen(function* () {
  for (const chore of chores) yield* logged(chore.name, runIfDue(chore))
  const { refreshIfDue } = yield* StatsRefresh
  yield* logged("statistics", refreshIfDue)
}).pipe(Effect.withSpan("ArchiveUpkeep.upkeepDue"))

const runIfDue = Effect.fnUntraced(function* ({ atMostEvery, limit, name, work }: Chore) {
  const book = (yield* Chores).of(CS2)
  const terms = { every: EVERY, atMostEvery, lostAfter: Duration.times(limit, 2) }
  yield* Effect.acquireUseRelease(
    book.take(name, terms),
    Option.match({
      onNone: () => Effect.void,
      onSome: (taken) =>
        work(sinceOf(taken)).pipe(
          Effect.retry({ times: 2, schedule: Schedule.exponential("1 second"), while: (error) => error.isRetryable }),
          Effect.timeout(limit),
        ),
    }),
    (taken, exit) => Option.match(taken, { onNone: () => Effect.void, onSome: (one) => book.giveBack(one, exit._tag === "Success") }),
  )
})

const sinceOf = ({ doneAsOf }: TakenChore): Date | undefined => (doneAsOf === undefined ? undefined : new Date(doneAsOf - OVERLAP_MS))

/** Suppresses any failure, including unexpected errors, so that the other jobs still run. */
const logged = <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) =>
  Effect.catchCause(effect, (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.interrupt
      : Effect.logError(`archive upkeep: ${name} failed; retrying at the next check`, cause),
  )

export class ArchiveUpkeep {
  static readonly layer = Layer.effectDiscard(
    runDueChores.pipe(Effect.repeat(Schedule.spaced("1 minute")), Effect.annotateLogs({ service: "match" }), Effect.forkScoped),
  )
}
