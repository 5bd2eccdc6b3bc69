/**
 * Keeps data that is derived from the archive up to date: calendar, rosters, world ranking, table maintenance and
 * statistics. Runs hourly, and soon after live matches have ended. Of all processes on a database, one runs each chore
 * at a time. A chore that fails or times out is logged and tried again at the next check. This module decides only when
 * a chore runs; the services it calls decide what is done.
 */
import { CS2 } from "@matchpoint/domain/cs2/live/cs2Rules"
import { Chores, type TakenChore } from "@matchpoint/store/Chores"
import { EventPrizes } from "@matchpoint/store/cs2/events/EventPrizes"
import { RankingWriter } from "@matchpoint/store/cs2/rankings/RankingWriter"
import { RosterDerivation } from "@matchpoint/store/cs2/rosters/RosterDerivation"
import { StatsRefresh } from "@matchpoint/store/cs2/stats/StatsRefresh"
import { SlugKeeper } from "@matchpoint/store/cs2/teams/SlugKeeper"
import { ArchiveTables } from "@matchpoint/store/cs2/upkeep/ArchiveTables"
import { Calendar } from "@matchpoint/store/cs2/upkeep/Calendar"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Cause, Duration, Effect, Layer, Option, Schedule } from "effect"

type Worker = ArchiveTables | Calendar | EventPrizes | RankingWriter | RosterDerivation | SlugKeeper

interface Chore {
  readonly name: string
  /** Shortest interval between two runs on request. Without a request, a chore runs hourly. */
  readonly atMostEvery: Duration.Duration
  readonly limit: Duration.Duration
  /** Runs the chore. `since` is the time of the last run, or undefined before the first. */
  readonly work: (since: Date | undefined) => Effect.Effect<unknown, StoreError, Worker>
}

const EVERY = Duration.hours(1)

/**
 * Extra time by which a run looks back before the previous run. Row times come from the database's clock, which may be
 * behind ours, and the rows of a transaction become visible later than its start time.
 */
const OVERLAP_MS = Duration.toMillis(Duration.minutes(5))

/**
 * The calendar runs first, because it marks matches as cancelled and events as ended, and the other chores depend on
 * that.
 */
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
    // Always recomputed from the first series to the last, because a late result changes every ranking after it.
    name: "world-ranking",
    atMostEvery: Duration.minutes(10),
    limit: Duration.minutes(5),
    work: () => Effect.flatMap(RankingWriter, ({ rebuildWorld }) => rebuildWorld),
  },
  {
    // PostgreSQL vacuums by itself, PGlite never does.
    name: "tables",
    atMostEvery: EVERY,
    limit: Duration.minutes(10),
    work: () => Effect.flatMap(ArchiveTables, ({ vacuum }) => vacuum),
  },
]

/** Requests all chores after new results. Each runs as soon as its shortest interval allows. */
export const requestUpkeep = Effect.gen(function* () {
  yield* (yield* Chores).of(CS2).request(chores.map(({ name }) => name))
  yield* (yield* StatsRefresh).request
})

/**
 * Checks once and runs all due chores, one after the other. The statistics service itself decides when statistics are
 * due and which process computes them.
 */
export const upkeepDue = Effect.gen(function* () {
  for (const chore of chores) yield* logged(chore.name, doIfDue(chore))
  const { refreshIfDue } = yield* StatsRefresh
  yield* logged("statistics", refreshIfDue)
}).pipe(Effect.withSpan("ArchiveUpkeep.upkeepDue"))

const doIfDue = Effect.fnUntraced(function* ({ atMostEvery, limit, name, work }: Chore) {
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

/** Logs any failure, including defects, so that it ends this chore but none of the others. */
const logged = <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) =>
  Effect.catchCause(effect, (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.interrupt
      : Effect.logError(`archive upkeep: ${name} failed; retrying at the next check`, cause),
  )

export class ArchiveUpkeep {
  /** Checks every minute for the lifetime of the layer. */
  static readonly layer = Layer.effectDiscard(
    upkeepDue.pipe(Effect.repeat(Schedule.spaced("1 minute")), Effect.annotateLogs({ service: "match" }), Effect.forkScoped),
  )
}
