import { DerivationSteps, type ImportSection } from "@matchpoint/game/feed/import/ImportSection"
import type { StoreError } from "@matchpoint/store/StoreError"
import type { OnStep } from "@matchpoint/store/steps"
import { type Context, Effect } from "effect"
import { PlayerMerges } from "../../archive/merges/PlayerMerges.ts"
import { SimulatedTours } from "../../archive/SimulatedTours.ts"
import { SummaryProgress } from "../../archive/summaries/SummaryProgress.ts"
import { TennisSummaries } from "../../archive/summaries/TennisSummaries.ts"
import { type KindCount, TennisArchiveWriter } from "../../archive/TennisArchiveWriter.ts"
import { TENNIS } from "../../rules/game.ts"
import { matches, players, rankings } from "./sources.ts"

const lineOf = (title: string, counts: ReadonlyArray<KindCount>): string =>
  `${title}: ${counts.length === 0 ? "none" : counts.map(({ count, kind }) => `${kind} ${count.toLocaleString("en")}`).join(", ")}`

/** The steps are shown to the user. */
const withSteps = <I, S>(service: Context.Key<I, S>, compute: (service: S) => (onStep: OnStep) => Effect.Effect<void, StoreError>) =>
  Effect.gen(function* () {
    yield* compute(yield* service)(yield* DerivationSteps)
  })

export const tennisImports: ImportSection<PlayerMerges | SimulatedTours | SummaryProgress | TennisArchiveWriter | TennisSummaries> = {
  game: TENNIS,
  summary: "a tennis archive: players, matches and rankings of the ATP and the WTA",
  wholeFolder: true,
  sources: [
    { source: players, folder: "" },
    { source: matches, folder: "" },
    { source: rankings, folder: "" },
  ],
  derivations: [
    { what: "removal of the simulated tours", make: Effect.flatMap(SimulatedTours, ({ remove }) => remove) },
    { what: "indexes and table statistics", make: withSteps(TennisArchiveWriter, ({ prepare }) => prepare) },
    { what: "merges of players", make: Effect.flatMap(PlayerMerges, ({ reapply }) => reapply) },
    { what: "summaries", make: withSteps(TennisSummaries, ({ resume }) => resume) },
  ],
  isDerived: Effect.flatMap(SummaryProgress, ({ read }) => Effect.map(read, ({ state }) => state === "complete")),
  // Writes use only primary keys, whose plans do not depend on statistics. Statistics are updated once, at the end.
  analyze: Effect.void,
  report: Effect.gen(function* () {
    const writer = yield* TennisArchiveWriter
    const candidates = yield* Effect.flatMap(PlayerMerges, (merges) => merges.candidates)
    const certain = candidates.filter(({ against }) => against === null).length
    return [
      lineOf("\nStored matches", yield* writer.matchCounts),
      lineOf("Stored scores that cannot be parsed", yield* writer.problemCounts),
      `Pairs of players who may be one: ${candidates.length}, of which ${certain} certain; \`npm run admin -- tennis-players candidates\` lists them`,
    ]
  }),
}
