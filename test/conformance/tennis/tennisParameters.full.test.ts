/**
 * Requests every tennis endpoint of the archive over the simulated tours, and checks that every documented query
 * parameter has an effect: at least one of its values changes the response. Endpoints of live matches have their own
 * tests.
 */
import { assert, it } from "@effect/vitest"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { MatchpointApi } from "@matchpoint/games/api/MatchpointApi"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { inject } from "vitest"
import { ArchiveStack, archiveStacks } from "../../fixtures/archiveStack.ts"
import { writeSimulatedTours } from "../../fixtures/tennis/writeSimulatedTours.ts"
import { boards } from "./tennisPaths.ts"

interface Endpoint {
  readonly path: string
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly required: boolean }>
}

const endpoints: ReadonlyArray<Endpoint> = Object.entries(OpenApi.fromApi(MatchpointApi).paths).flatMap(([path, { get }]) =>
  path.startsWith(`${API_ROOT}/tennis/`) && !path.includes("/live") && !path.includes("/odds/")
    ? [
        {
          path: path.slice(API_ROOT.length),
          parameters: (get?.parameters ?? []).flatMap((one) =>
            one.in === "query" ? [{ name: one.name, required: one.required === true }] : [],
          ),
        },
      ]
    : [],
)

/** A match of the simulated tour, from which the values of parameters are taken. */
interface Example {
  readonly id: string
  readonly date: string
  readonly tournament: { readonly id: string; readonly competition_id: string }
  readonly winner: { readonly id: string; readonly name: string }
  readonly loser: { readonly id: string }
}

const find = Effect.gen(function* () {
  const { get } = yield* ArchiveStack
  // A final of the season before, so that the tournament has a whole draw and was held again.
  const { data, text } = yield* get("/tennis/matches?tour=ATP&round=F&limit=30")
  const match = (data as ReadonlyArray<Example>).at(-1)
  if (match === undefined) return assert.fail(text)
  const weeks = (yield* get("/tennis/rankings/dates?tour=ATP&limit=10")).data as ReadonlyArray<{ readonly date: string }>
  return { match, week: weeks.at(-1)?.date ?? "" }
})
type Found = Effect.Success<typeof find>

const pathValues = ({ match }: Found): Readonly<Record<string, string>> => ({
  playerId: match.winner.id,
  matchId: match.id,
  tournamentId: match.tournament.competition_id,
  circuit: "atp",
  board: boards[0],
  year: match.tournament.id.slice(4, 8),
})

/** Values of required parameters. */
const required = ({ match }: Found): Readonly<Record<string, string>> => ({
  q: match.winner.name.split(" ").at(-1) ?? "",
  ids: match.winner.id,
  date: match.date,
  player1_id: match.winner.id,
  player2_id: match.loser.id,
  player_ids: `${match.winner.id},${match.loser.id}`,
})

/** Values that may change a response. An endpoint need not be changed by all of them. */
const effective = (path: string, { match, week }: Found): Readonly<Record<string, ReadonlyArray<string>>> => ({
  limit: ["1"],
  page: ["2"],
  offset: ["1"],
  date: path.includes("/rankings") ? [week] : ["2026-01-01"],
  tour: ["WTA"],
  top_n: ["2"],
  year: [match.tournament.id.slice(4, 8), "2024"],
  direction: ["down"],
  surface: ["Clay", "Grass"],
  level: ["G", "F"],
  tier: ["grand_slam"],
  round: ["SF"],
  circuit: ["futures"],
  tournament: ["atp_99005"],
  country: ["EGY"],
  q: ["Harbor", "wes"],
  sort: ["name", "rank"],
  by: ["week"],
  year_from: ["2030"],
  year_to: ["2000"],
  player_id: [match.loser.id],
  opponent_id: [match.loser.id],
  ids: ["atp_900002"],
  player1_id: ["atp_900002", "atp_900003"],
  player2_id: ["atp_900002", "atp_900003"],
  player_ids: ["atp_900002,atp_900003"],
})

/** Parameters that need another one. */
const together = ({ match }: Found, { path }: Endpoint, name: string): Readonly<Record<string, string>> =>
  name === "opponent_id" && path === "/tennis/matches" ? { player_id: match.winner.id } : {}

const addressOf = ({ parameters, path }: Endpoint, found: Found, query: Readonly<Record<string, string>>) => {
  // The schedule of today may be empty, and then no parameter has an effect.
  const isNeeded = (one: Endpoint["parameters"][number]) => one.required || (path === "/tennis/schedule" && one.name === "date")
  const needed = parameters.filter(isNeeded).map(({ name }) => [name, required(found)[name] ?? ""])
  const text = new URLSearchParams({ ...Object.fromEntries(needed), ...query }).toString()
  return `${path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => pathValues(found)[name] ?? "")}${text === "" ? "" : `?${text}`}`
}

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl"), () => writeSimulatedTours))) {
  it.layer(stack, { timeout: "120 seconds", excludeTestServices: true })(`tennis parameters on ${database}`, (it) => {
    it.effect.each(endpoints)("$path answers, and each parameter has an effect", (endpoint) =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const found = yield* find
        const ask = (query: Readonly<Record<string, string>>) => get(addressOf(endpoint, found, query))
        const usual = yield* ask({})
        assert.strictEqual(usual.status, 200, usual.text)
        for (const { name } of endpoint.parameters) {
          const values = name === "cursor" ? [(yield* ask({ limit: "1" })).meta?.["nextCursor"]] : effective(endpoint.path, found)[name]
          assert.isDefined(values, `no value for ${name}`)
          const texts: Array<string> = []
          for (const value of values ?? []) {
            const response = yield* ask({ ...together(found, endpoint, name), [name]: String(value) })
            assert.strictEqual(response.status, 200, `${name}=${String(value)}: ${response.text}`)
            texts.push(response.text)
          }
          assert.isTrue(
            texts.some((text) => text !== usual.text),
            `${name} has no effect`,
          )
        }
      }),
    )

    it.effect.each([...boards])("the board %s has rows", (board) =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const { data, status, text } = yield* get(`/tennis/leaderboards/${board}?tour=ATP`)
        assert.strictEqual(status, 200, text)
        assert.isNotEmpty(data)
      }),
    )
  })
}
