/** The sample archive of CS2: a simulated season. All of its data has the source `simulator`. */
import type { SampleArchive } from "@matchpoint/game/sample/SampleArchives"
import { simulatedSeason } from "@matchpoint/game/sample/simulatedSeason"
import { Effect, Stream } from "effect"
import { ArchiveWriter } from "../archive/ArchiveWriter.ts"
import { EventOutcomes } from "../archive/events/EventOutcomes.ts"
import { MatchArchive } from "../archive/matches/MatchArchive.ts"
import { OddsRecorder } from "../archive/odds/OddsRecorder.ts"
import { RankingWriter } from "../archive/rankings/RankingWriter.ts"
import { SkinMarket } from "../archive/skins/SkinMarket.ts"
import { requestUpkeep, runDueChores } from "../live/ArchiveUpkeep.ts"
import { CS2 } from "../rules/live/cs2Rules.ts"
import { prizeOf, SEASON_SOURCE, type SeasonEvent } from "../simulator/season/season.ts"
import { simulateSkins } from "../simulator/season/skins.ts"
import { seasonStandings } from "../simulator/season/standings.ts"
import { seasonOdds } from "./seasonOdds.ts"
import { eventSheet, playerReportOf, teamReportOf } from "./seasonSheets.ts"
import type { TournamentStep } from "./seasonThread.ts"

const SEED = 1

/** Tournaments simulated ahead of writing them to the database. */
const AHEAD = 8

const write = Effect.fnUntraced(function* (now: number) {
  yield* (yield* SkinMarket).write(simulateSkins(SEED, now).map((skin) => ({ ...skin, source: SEASON_SOURCE })))
  const tournaments = yield* simulatedSeason<TournamentStep>(new URL("./seasonThread.ts", import.meta.url), { seed: SEED, now }).pipe(
    // Tournaments are simulated while the database writes the previous one.
    Stream.buffer({ capacity: AHEAD }),
    Stream.mapEffect((step) => Effect.as(writeStep(step, now), step)),
    Stream.runFold(
      (): Array<SeasonEvent> => [],
      (all, step) => (step._tag === "Tournament" ? [...all, step.tournament] : all),
    ),
  )
  yield* (yield* RankingWriter).standings(SEASON_SOURCE, seasonStandings(tournaments))
  yield* requestUpkeep
  yield* runDueChores
})

const writeStep = Effect.fnUntraced(function* (step: TournamentStep, now: number) {
  const writer = yield* ArchiveWriter
  switch (step._tag) {
    case "World": {
      yield* writer.teams(step.teams.map((team) => teamReportOf(team, now)))
      yield* writer.players(step.people.map((person) => playerReportOf(person, now)))
      return
    }
    case "Tournament":
      return yield* writeTournament(step.tournament, now)
  }
})

const writeTournament = Effect.fnUntraced(function* (event: SeasonEvent, now: number) {
  const writer = yield* ArchiveWriter
  // One transaction per match, because the embedded database has one connection and requests wait for it.
  const written = yield* Effect.forEach(event.matches, writer.match)
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

/** Participants have no final place until the tournament has ended. */
const participantsOf = ({ prizePool, seeds, standings }: SeasonEvent) =>
  seeds.flatMap(({ key, teamNumber }, index) => {
    const place = standings.find(({ team }) => team.key === key)?.place ?? null
    return teamNumber === undefined
      ? []
      : [{ teamNumber, place, prize: place === null ? null : prizeOf(place, prizePool), seed: index + 1 }]
  })

export const seasonSample: SampleArchive<MatchArchive | Effect.Services<ReturnType<typeof write>>> = {
  game: CS2,
  source: SEASON_SOURCE,
  file: "season",
  isEmpty: Effect.map(
    Effect.flatMap(MatchArchive, ({ list }) => list({ status: "completed", limit: 1, offset: 0 })),
    ({ total }) => total === 0,
  ),
  write,
}
