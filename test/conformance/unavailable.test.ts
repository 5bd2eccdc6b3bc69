/**
 * Checks that fields are null only if the kind of feed cannot provide them: for each recorded match, after every fact.
 */
import { assert, it } from "@effect/vitest"
import { scoreboard } from "@matchpoint/cs2/edge/live/scoreboard"
import { projectMatch } from "@matchpoint/cs2/live/projectMatch"
import { fold } from "@matchpoint/cs2/rules/live/fold"
import { currentMap, type MatchState } from "@matchpoint/cs2/rules/live/state"
import { Effect } from "effect"
import { inject } from "vitest"
import { type Played, played } from "./recordings.ts"
import { unavailableByFormat } from "./unavailable.ts"

/** Returns the fields that the scoreboard names as unavailable at any time after the first round of a map. */
const unavailableIn = ({ events }: Played): ReadonlySet<string> => {
  const fields = new Set<string>()
  let state: MatchState | undefined
  for (const event of events) {
    const step = fold(state, event)
    if (step._tag !== "Accepted") continue
    state = step.state
    if ((currentMap(state)?.rounds.length ?? 0) === 0) continue
    for (const field of scoreboard(projectMatch(state), 0).meta.unavailableFields) fields.add(field)
  }
  return fields
}

const dataDirectory = inject("dataDirectory")
const matches = played(dataDirectory)

it.effect.each([...new Set(matches.map(({ format }) => format))])("%s", (format) =>
  Effect.sync(() => {
    const seen = new Set(matches.filter((match) => match.format === format).flatMap((match) => [...unavailableIn(match)]))
    const allowed = unavailableByFormat[format] ?? []
    // The hand-written samples lack fewer fields than the real files.
    const expected = dataDirectory === null ? allowed.filter((field) => seen.has(field)) : allowed
    assert.deepStrictEqual([...seen].sort(), [...expected].sort())
  }),
)
