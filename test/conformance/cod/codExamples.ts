/** Values of parameters for requests over the simulated seasons, taken from responses. */
import { assert } from "@effect/vitest"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { MatchpointApi } from "@matchpoint/games/api/MatchpointApi"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { CodStack } from "../../fixtures/cod/codStack.ts"

export interface Endpoint {
  /** Below `/cod`. */
  readonly path: string
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly required: boolean }>
}

/** All endpoints of the league's archive. Endpoints of live matches have tests of their own. */
export const endpoints: ReadonlyArray<Endpoint> = Object.entries(OpenApi.fromApi(MatchpointApi).paths).flatMap(([path, { get }]) =>
  path.startsWith(`${API_ROOT}/cod/`) && !path.includes("/live")
    ? [
        {
          path: path.slice(`${API_ROOT}/cod`.length),
          parameters: (get?.parameters ?? []).flatMap((one) =>
            one.in === "query" ? [{ name: one.name, required: one.required === true }] : [],
          ),
        },
      ]
    : [],
)

/** Returns what the values of parameters are taken from: a grand final of the season before, and its players. */
export const findExample = Effect.gen(function* () {
  const { get } = yield* CodStack
  const { body } = yield* get("/matches?limit=100")
  const final = body.data.findLast(({ round }: { readonly round: string }) => round === "Grand Final")
  assert.isDefined(final, "there is no final")
  const { body: stats } = yield* get(`/matches/${final.id}/player-stats`)
  const names: ReadonlyArray<{ readonly playerName: string; readonly teamSlug: string }> = stats.data.players
  const of = (slug: string) => names.filter(({ teamSlug }) => teamSlug === slug).map(({ playerName }) => playerName)
  const [player1 = "", mate = ""] = of(final.team1.slug)
  const [player2 = ""] = of(final.team2.slug)
  const { body: standings } = yield* get("/standings")
  return {
    matchId: String(final.id),
    day: String(final.startsAt).slice(0, 10),
    tournamentId: String(final.tournament.tournamentId),
    team1: String(final.team1.slug),
    team2: String(final.team2.slug),
    /** A team that is none of both. */
    team3: String(
      standings.data.find(({ orgSlug }: { readonly orgSlug: string }) => ![final.team1.slug, final.team2.slug].includes(orgSlug))?.orgSlug,
    ),
    season: Number(standings.season),
    player1,
    player2,
    mate,
  }
})
export type Example = Effect.Success<typeof findExample>

/** Values of path parameters. */
const inPath = (path: string, { matchId, player1, team1 }: Example): string =>
  path
    .replace(/\/analytics\/players\/\{\w+\}/u, `/analytics/players/${player1}`)
    .replace(/\/matches\/\{\w+\}/u, `/matches/${matchId}`)
    .replace(/\{(?:mapNumber)\}/u, "1")
    .replace("{mode}", "hardpoint")
    .replace("{slug}", team1)
    .replace("{stat}", "kd")

/** Values of required parameters. */
const required = ({ player1, player2, team1, team2 }: Example): Readonly<Record<string, string>> => ({
  // Part of the names of many players, teams and tournaments.
  q: "s",
  player1,
  player2,
  players: `${player1},${player2}`,
  team1,
  team2,
  teams: `${team1},${team2}`,
})

/** Values that may change a response. An endpoint need not be changed by all of them. */
export const effective = ({ day, mate, season, team1, team3, tournamentId }: Example): Readonly<Record<string, ReadonlyArray<string>>> => ({
  limit: ["1"],
  page: ["2"],
  offset: ["1"],
  season: [String(season - 1)],
  stage: ["stage-1"],
  upcoming: ["false"],
  team: [team1],
  tournamentId: [tournamentId, `${season}-simulated-major-2-qualifiers`],
  startDate: [day],
  endDate: [day],
  days: ["10"],
  includeMaps: ["false"],
  stat: ["damage"],
  period: ["tournament"],
  q: [team1],
  type: ["team"],
  player1: [mate],
  player2: [mate],
  players: [mate],
  team1: [team3],
  team2: [team3],
  teams: [team3],
})

/** Returns the address of an endpoint with its required parameters and others. */
export const addressOf = ({ parameters, path }: Endpoint, example: Example, query: Readonly<Record<string, string>> = {}): string => {
  const needed = parameters.flatMap(({ name, required: isRequired }) => (isRequired ? [[name, required(example)[name] ?? ""]] : []))
  const text = new URLSearchParams({ ...Object.fromEntries(needed), ...query }).toString()
  return `${inPath(path, example)}${text === "" ? "" : `?${text}`}`
}
