/**
 * Fills the archive of a server that has no match in it with an invented season, once, in the background, match by match, so that on a fresh
 * machine no endpoint is empty. Everything in it says `simulator` as its source.
 */
import type { ArchivedMatch } from "@matchpoint/domain/cs2/archive/ArchivedMatch"
import { CS2 } from "@matchpoint/domain/cs2/cs2Rules"
import { prizeOf, SEASON_SOURCE, type SeasonEvent, simulateSeason } from "@matchpoint/simulator/cs2/season/season"
import { simulateSkins } from "@matchpoint/simulator/cs2/season/skins"
import { seasonStandings } from "@matchpoint/simulator/cs2/season/standings"
import { ArchiveWriter } from "@matchpoint/store/cs2/ArchiveWriter"
import { EventOutcomes } from "@matchpoint/store/cs2/EventOutcomes"
import { MatchArchive } from "@matchpoint/store/cs2/MatchArchive"
import { RankingWriter } from "@matchpoint/store/cs2/RankingWriter"
import { RosterDerivation } from "@matchpoint/store/cs2/RosterDerivation"
import { SkinMarket } from "@matchpoint/store/cs2/SkinMarket"
import { StatsRefresh } from "@matchpoint/store/cs2/stats/StatsRefresh"
import { Imports } from "@matchpoint/store/Imports"
import { DateTime, Effect, Layer, Option, Schedule } from "effect"

const SEED = 1
const FILE = "season"

/** Between two matches: whoever watches live should not notice. */
const BREATH = "50 millis"

/** A season that was begun is finished as of the day on which it was; where real matches are, none is begun. */
export const fillSeason = Effect.gen(function* () {
  const imports = (yield* Imports).of(CS2)
  const begun = yield* imports.find(SEASON_SOURCE, FILE)
  if (Option.isSome(begun) && begun.value.finished) return
  if (Option.isNone(begun) && (yield* (yield* MatchArchive).list({ status: "completed", limit: 1, offset: 0 })).total > 0) return
  const today = DateTime.formatIsoDateUtc(yield* DateTime.now)
  const day = Option.isSome(begun) ? begun.value.fingerprint : today
  const file = { source: SEASON_SOURCE, file: FILE, fingerprint: day }
  if (Option.isNone(begun)) yield* imports.begin(file)
  const numbers = new Map<string, number>()
  const writer = yield* ArchiveWriter
  const now = Date.parse(`${day}T12:00:00Z`)
  yield* (yield* SkinMarket).write(simulateSkins(SEED, now).map((skin) => ({ ...skin, source: SEASON_SOURCE })))
  const tournaments: Array<SeasonEvent> = []
  for (const step of simulateSeason({ seed: SEED, now })) {
    if (step._tag === "Match") numbers.set(step.match.key ?? "", (yield* writer.match(step.match)).entityNumber)
    else {
      tournaments.push(step.tournament)
      yield* tournament(step.tournament, numbers)
    }
    yield* Effect.sleep(BREATH)
  }
  yield* (yield* RosterDerivation).rebuild()
  const rankings = yield* RankingWriter
  yield* rankings.standings(SEASON_SOURCE, seasonStandings(tournaments))
  yield* rankings.placeRegions
  yield* rankings.rebuildWorld
  yield* (yield* StatsRefresh).request
  yield* imports.finish(file)
  yield* Effect.logInfo(`the archive has a simulated season: ${numbers.size} matches`)
})

const tournament = Effect.fnUntraced(function* (event: SeasonEvent, numbers: ReadonlyMap<string, number>) {
  const writer = yield* ArchiveWriter
  const outcomes = yield* EventOutcomes
  const { endsAt, isLan, key, location, name, prizePool, region, startsAt, tier } = event
  const sheet = {
    key,
    name,
    tier,
    isLan,
    startsAt,
    endsAt,
    region,
    location,
    prizePool,
    currency: "USD",
    format: "single elimination, best of 3",
  }
  const { entityNumber } = yield* writer.event(sheet, { source: SEASON_SOURCE, at: startsAt })
  const rounds = new Map<string, Array<number>>()
  for (const match of event.matches) {
    const number = numbers.get(match.key ?? "")
    if (number !== undefined) rounds.set(match.stageName ?? "", [...(rounds.get(match.stageName ?? "") ?? []), number])
  }
  yield* outcomes.write(entityNumber, {
    stages: [{ name: "Playoffs", type: "bracket", rounds: [...rounds].map(([round, matchNumbers]) => ({ name: round, matchNumbers })) }],
    participants: participantsOf(event),
  })
})

const participantsOf = ({ matches, prizePool, standings }: SeasonEvent) =>
  standings.length > 0
    ? standings.flatMap(({ place, team }) =>
        team.teamNumber === undefined ? [] : [{ teamNumber: team.teamNumber, place, prize: prizeOf(place, prizePool) }],
      )
    : [...teamsOf(matches)].map((teamNumber) => ({ teamNumber, place: null, prize: null }))

const teamsOf = (matches: ReadonlyArray<ArchivedMatch>): ReadonlySet<number> =>
  new Set(matches.flatMap(({ teams }) => teams.flatMap(({ teamNumber }) => teamNumber ?? [])))

export class DemoSeason {
  /** Does not keep the server from starting; what fails is tried again, then left. */
  static readonly layer = Layer.effectDiscard(
    fillSeason.pipe(
      Effect.retry({ times: 3, schedule: Schedule.exponential("1 second") }),
      Effect.catchCause((cause) => Effect.logError("the simulated season could not be written", cause)),
      Effect.forkScoped,
    ),
  )
}
