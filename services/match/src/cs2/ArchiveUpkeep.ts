/**
 * Keeps what is computed from the archive up with it: the calendar, rosters, the world ranking, the state of tables, statistics. Hourly,
 * and soon after live matches have ended. One process of all on a database does each; a chore that fails or takes too long is logged and
 * tried again with the next look. The rules are those of who does the work; here is only when.
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
  /** Asked for, it is done again after this; unasked, after an hour. */
  readonly atMostEvery: Duration.Duration
  readonly limit: Duration.Duration
  /** `since`: when it was done last; undefined: never. */
  readonly work: (since: Date | undefined) => Effect.Effect<unknown, StoreError, Worker>
}

const EVERY = Duration.hours(1)

/** The database's clock says when a row was written; ours may be ahead of it, and what a transaction writes is seen later than it began. */
const OVERLAP_MS = Duration.toMillis(Duration.minutes(5))

/** What is cancelled or over is not ranked and not counted: the calendar first. */
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
    // From the first series to the last, every time: what a late result moves, moves everything after it.
    name: "world-ranking",
    atMostEvery: Duration.minutes(10),
    limit: Duration.minutes(5),
    work: () => Effect.flatMap(RankingWriter, ({ rebuildWorld }) => rebuildWorld),
  },
  {
    // PostgreSQL does it by itself, PGlite never.
    name: "tables",
    atMostEvery: EVERY,
    limit: Duration.minutes(10),
    work: () => Effect.flatMap(ArchiveTables, ({ vacuum }) => vacuum),
  },
]

/** There are new results: all of it is due as soon as it may be. */
export const requestUpkeep = Effect.gen(function* () {
  yield* (yield* Chores).of(CS2).request(chores.map(({ name }) => name))
  yield* (yield* StatsRefresh).request
})

/** One look: what is due is done, one after the other. Statistics know by themselves when they are, and who computes them. */
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

/** What goes wrong, bugs too, ends this chore for now and none of the others. */
const logged = <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) =>
  Effect.catchCause(effect, (cause) =>
    Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.logError(`upkeep of the archive: ${name} failed; it is tried again`, cause),
  )

export class ArchiveUpkeep {
  /** Looks every minute for as long as the layer lives. */
  static readonly layer = Layer.effectDiscard(
    upkeepDue.pipe(Effect.repeat(Schedule.spaced("1 minute")), Effect.annotateLogs({ service: "match" }), Effect.forkScoped),
  )
}
