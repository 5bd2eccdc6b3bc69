/**
 * Fills an empty archive with a simulated season, once, before the server listens, so that no endpoint of a new server
 * is empty. All of it has the source `simulator`.
 */
import { CS2 } from "@matchpoint/domain/cs2/live/cs2Rules"
import { requestUpkeep, upkeepDue } from "@matchpoint/service-match/cs2/ArchiveUpkeep"
import { prizeOf, SEASON_SOURCE, type SeasonEvent, type SeasonStep, simulateSeason } from "@matchpoint/simulator/cs2/season/season"
import { simulateSkins } from "@matchpoint/simulator/cs2/season/skins"
import { seasonStandings } from "@matchpoint/simulator/cs2/season/standings"
import { ArchiveWriter } from "@matchpoint/store/cs2/ArchiveWriter"
import { EventOutcomes } from "@matchpoint/store/cs2/events/EventOutcomes"
import { MatchArchive } from "@matchpoint/store/cs2/matches/MatchArchive"
import { OddsRecorder } from "@matchpoint/store/cs2/odds/OddsRecorder"
import { RankingWriter } from "@matchpoint/store/cs2/rankings/RankingWriter"
import { SkinMarket } from "@matchpoint/store/cs2/skins/SkinMarket"
import { Imports } from "@matchpoint/store/Imports"
import { DateTime, Effect, Layer, Option, Schedule, Stream } from "effect"
import { seasonOdds } from "./seasonOdds.ts"
import { eventSheet, toldPerson, toldTeam } from "./seasonSheets.ts"

const SEED = 1
const FILE = "season"

/** Steps of the season that may be simulated ahead of the database writes. */
const AHEAD = 8

/** Starts a season if the archive has no matches. Continues an unfinished one with the date on which it was started. */
export const fillSeason = Effect.gen(function* () {
  const imports = (yield* Imports).of(CS2)
  const begun = yield* imports.find(SEASON_SOURCE, FILE)
  if (Option.isSome(begun) && begun.value.finished) return
  if (Option.isNone(begun) && (yield* (yield* MatchArchive).list({ status: "completed", limit: 1, offset: 0 })).total > 0) return
  const today = DateTime.formatIsoDateUtc(yield* DateTime.now)
  const day = Option.isSome(begun) ? begun.value.fingerprint : today
  const file = { source: SEASON_SOURCE, file: FILE, fingerprint: day }
  if (Option.isNone(begun)) yield* imports.begin(file)
  const now = Date.parse(`${day}T12:00:00Z`)
  yield* (yield* SkinMarket).write(simulateSkins(SEED, now).map((skin) => ({ ...skin, source: SEASON_SOURCE })))
  const tournaments = yield* Stream.fromIterable(simulateSeason({ seed: SEED, now })).pipe(
    Stream.rechunk(1),
    Stream.mapEffect((step) => Effect.as(Effect.yieldNow, step)),
    // The database's worker writes one tournament while the next one is simulated here.
    Stream.buffer({ capacity: AHEAD }),
    Stream.mapEffect((step) => Effect.as(write(step, now), step)),
    Stream.runFold(
      (): Array<SeasonEvent> => [],
      (all, step) => (step._tag === "Tournament" ? [...all, step.tournament] : all),
    ),
  )
  yield* (yield* RankingWriter).standings(SEASON_SOURCE, seasonStandings(tournaments))
  yield* requestUpkeep
  yield* upkeepDue
  yield* imports.finish(file)
  yield* Effect.logInfo(`the archive was filled with a simulated season of ${tournaments.length} tournaments`)
})

/** Writes one step. A tournament includes its matches, so single matches are skipped. */
const write = Effect.fnUntraced(function* (step: SeasonStep, now: number) {
  const writer = yield* ArchiveWriter
  switch (step._tag) {
    case "World": {
      yield* writer.teams(step.teams.map((team) => toldTeam(team, now)))
      yield* writer.players(step.people.map((person) => toldPerson(person, now)))
      return
    }
    case "Tournament":
      return yield* writeTournament(step.tournament, now)
    case "Match":
      return
  }
})

const writeTournament = Effect.fnUntraced(function* (event: SeasonEvent, now: number) {
  const writer = yield* ArchiveWriter
  const written = yield* writer.matches(event.matches)
  const { entityNumber } = yield* writer.event(eventSheet(event), { source: SEASON_SOURCE, at: event.startsAt })
  const rounds = new Map<string, Array<number>>()
  for (const [index, match] of event.matches.entries()) {
    const number = written[index]?.entityNumber
    if (number === undefined) continue
    rounds.set(match.stageName ?? "", [...(rounds.get(match.stageName ?? "") ?? []), number])
    if (match.status !== "upcoming") continue
    const { record } = yield* OddsRecorder
    yield* Effect.forEach(seasonOdds(match, number, now), record, { discard: true })
  }
  yield* (yield* EventOutcomes).write(entityNumber, {
    stages: [{ name: "Playoffs", type: "bracket", rounds: [...rounds].map(([round, matchNumbers]) => ({ name: round, matchNumbers })) }],
    participants: participantsOf(event),
  })
})

/** Returns the participants. They have no place until the tournament has ended. */
const participantsOf = ({ prizePool, seeds, standings }: SeasonEvent) =>
  seeds.flatMap(({ key, teamNumber }, index) => {
    const place = standings.find(({ team }) => team.key === key)?.place ?? null
    return teamNumber === undefined
      ? []
      : [{ teamNumber, place, prize: place === null ? null : prizeOf(place, prizePool), seed: index + 1 }]
  })

export class DemoSeason {
  /**
   * Ready when the season has been written. A failure is retried, then logged, and does not prevent the server from
   * starting.
   */
  static readonly layer = Layer.effectDiscard(
    fillSeason.pipe(
      Effect.retry({ times: 3, schedule: Schedule.exponential("1 second") }),
      Effect.catchCause((cause) => Effect.logError("the simulated season could not be written", cause)),
    ),
  )
}
