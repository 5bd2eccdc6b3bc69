/** Reads a recording of Game State Integration: a single post, or NDJSON with one `{ t, body }` object per post. */
import { Result } from "effect"
import { competitiveRules, type MatchRules } from "../../../rules/live/rules.ts"
import { type Recorded, recordingOf } from "../Recording.ts"
import { sheetsOf } from "../teams.ts"
import { gameState } from "./GameStateAdapter.ts"
import { decodeGameState, type GameState } from "./payload.ts"

/** Undefined if no post is about a match. */
export const readGameStates = (values: ReadonlyArray<unknown>): Recorded<unknown> | undefined => {
  const bodies = values.flatMap(
    (value): ReadonlyArray<{ readonly at: number; readonly input: unknown; readonly body: GameState | undefined }> => {
      const { at, input } = unwrapped(value)
      const body = Result.getOrUndefined(decodeGameState(input))?.body
      return [{ at: at ?? (body?.provider?.timestamp ?? 0) * 1000, input, body }]
    },
  )
  const maps = bodies.flatMap(({ body }) => (body?.map?.name === undefined ? [] : [body.map]))
  const first = maps[0]
  if (first === undefined) return undefined
  const named = maps.find(({ team_ct, team_t }) => team_ct?.name !== undefined && team_t?.name !== undefined)
  const teams = sheetsOf(named?.team_ct?.name ?? "Counter-Terrorists", named?.team_t?.name ?? "Terrorists")
  let at = bodies[0]?.at ?? 0
  const inputs = bodies.map((entry) => {
    at = Math.max(at, entry.at)
    return { at, input: entry.input }
  })
  return { created: { bestOf: 1, teams, rules: rulesOf(first.mode), roster: [] }, inputs }
}

export const gameStateRecording = (recorded: Recorded<unknown>) => recordingOf("Game State Integration posts", gameState, recorded)

const unwrapped = (value: unknown): { readonly at: number | undefined; readonly input: unknown } => {
  if (typeof value !== "object" || value === null || !("t" in value) || !("body" in value)) return { at: undefined, input: value }
  const at = Date.parse(String(value.t))
  return { at: Number.isNaN(at) ? undefined : at, input: value.body }
}

/** Wingman: at most 16 rounds, so that nine wins decide a match, and shorter round and freeze times. */
const rulesOf = (mode: string | undefined): MatchRules =>
  mode === "scrimcomp2v2" ? { ...competitiveRules, maxRounds: 16, roundSeconds: 90, freezeSeconds: 10 } : competitiveRules
