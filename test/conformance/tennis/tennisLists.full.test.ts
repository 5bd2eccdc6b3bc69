/**
 * Walks every tennis list by its cursors while matches are added to the archive: the walk returns every row that existed
 * at its start exactly once. Also checks ETags of every list.
 */
import { assert, it } from "@effect/vitest"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { MatchpointApi } from "@matchpoint/games/api/MatchpointApi"
import { TennisSummaries } from "@matchpoint/tennis/archive/summaries/TennisSummaries"
import { TennisArchiveWriter } from "@matchpoint/tennis/archive/TennisArchiveWriter"
import { Effect, Layer } from "effect"
import { OpenApi } from "effect/http-api"
import { inject } from "vitest"
import { type SampleTournament, writeTournaments } from "../../../packages/tennis/test/archive/fixtures/tennisMatches.ts"
import { ArchiveStack, archiveStacks } from "../../fixtures/archiveStack.ts"
import { writeSimulatedTours } from "../../fixtures/tennis/writeSimulatedTours.ts"

const LIMIT = 40
/** Number of pages of a walk. Long lists are not walked to their end. */
const PAGES = 12

/** Values of path parameters. A number of the simulated tour is that of a tournament that is held every year. */
const inPath: Readonly<Record<string, string>> = { playerId: "atp_900001", circuit: "atp", tournamentId: "atp_99005" }

const paths = Object.entries(OpenApi.fromApi(MatchpointApi).paths).flatMap(([path, { get }]) =>
  path.startsWith(`${API_ROOT}/tennis/`) && get?.parameters?.some(({ name }) => name === "cursor") === true
    ? [path.slice(API_ROOT.length)]
    : [],
)
const addressOf = (path: string, now: number) => {
  const address = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => inPath[name] ?? "")
  const yesterday = new Date(now - 86_400_000).toISOString().slice(0, 10)
  return path === "/tennis/matches/completed" || path === "/tennis/schedule" ? `${address}?date=${yesterday}&` : `${address}?`
}

/** Rows of a page. They are the data, or the field of it that is not empty. */
const rowsOf = (data: unknown): ReadonlyArray<string> => {
  const rows = Array.isArray(data) ? data : Object.values(data as object).find((field) => Array.isArray(field) && field.length > 0)
  return ((rows ?? []) as ReadonlyArray<unknown>).map((row) => JSON.stringify(row))
}

/** A tournament of today. Its players do not belong to the simulated tour, except for one. */
const arriving = (now: number, n: number): SampleTournament => ({
  ...{ tour: "atp", circuit: "tour", id: `2031-${n}`, name: `Arriving ${n}`, surface: "Clay", level: "A" },
  date: new Date(now).toISOString().slice(0, 10).replaceAll("-", ""),
  matches: [["F", "a", "b"]],
})

const tables = Layer.mergeAll(TennisArchiveWriter.layer, TennisSummaries.layer)

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl"), () => writeSimulatedTours))) {
  it.layer(stack, { timeout: "120 seconds", excludeTestServices: true })(`tennis lists on ${database}`, (it) => {
    it.effect.each(paths)("%s returns each row once while rows arrive", (path) =>
      Effect.gen(function* () {
        const { get, now, onDatabase } = yield* ArchiveStack
        const page = (query: string) =>
          Effect.map(get(`${addressOf(path, now)}limit=${LIMIT}${query}`), (response) => {
            assert.strictEqual(response.status, 200, response.text)
            return { rows: rowsOf(response.data), next: response.meta?.["nextCursor"] }
          })
        const atStart: Array<string> = []
        for (let number = 1; number <= PAGES; number += 1) atStart.push(...(yield* page(`&page=${number}`)).rows)
        // The players of arriving matches rise in lists of players, and may thereby leave the part that is still to be read.
        const before = atStart.filter((row) => !/^\{"id":"atp_[12]",/u.test(row))
        assert.isAtLeast(before.length, 3, "the list is too short for a walk")
        const known = new Set(before)

        const walked: Array<string> = []
        let next: unknown
        for (let number = 1; number <= PAGES; number += 1) {
          const read = yield* page(next === undefined ? "" : `&cursor=${String(next)}`)
          walked.push(...read.rows)
          next = read.next
          if (typeof next !== "string") break
          yield* Effect.provide(writeTournaments([arriving(now, paths.indexOf(path) * PAGES + number)], true), tables).pipe(
            onDatabase,
            Effect.orDie,
          )
        }
        assert.strictEqual(new Set(walked).size, walked.length, "no row appears twice")
        // A row that arrived may be part of the rest of the walk, and then takes the place of a row on the last page.
        const found = walked.filter((row) => known.has(row))
        assert.deepStrictEqual(found, before.slice(0, found.length))
        assert.isAtLeast(walked.length, before.length)
      }),
    )

    it.effect.each(paths)("%s has an ETag, and answers 304 to it", (path) =>
      Effect.gen(function* () {
        const { get, now } = yield* ArchiveStack
        const first = yield* get(`${addressOf(path, now)}limit=3`)
        const etag = first.headers.get("etag")
        assert.isString(etag)
        const second = yield* get(`${addressOf(path, now)}limit=3`, "pro", { "if-none-match": String(etag) })
        assert.deepStrictEqual([second.status, second.text], [304, ""])
      }),
    )
  })
}
