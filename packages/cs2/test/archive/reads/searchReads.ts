import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Search } from "../../../src/archive/search/Search.ts"
import { searchKey } from "../../../src/rules/archive/names.ts"
import { sample } from "../fixtures/sampleArchive.ts"
import type { ArchiveIt } from "../sampled.ts"

const day = (text: string): Date => new Date(text)

/** Returns the first result of each type, by label. */
const first = Effect.fnUntraced(function* (text: string) {
  const { teams, players, events, matches } = yield* (yield* Search).find({ text, limit: 10, since: undefined })
  return {
    teams: teams.map(({ name }) => name),
    players: players.map(({ nickname }) => nickname),
    events: events.map(({ name }) => name),
    matches: matches.map(({ id }) => id as string),
  }
})

const matchIds = (...names: ReadonlyArray<keyof typeof sample.matches>) => names.map((name) => `cs2-match-${sample.matches[name]}`)

/** Handles that are hard to spell. Players of the sample have them while the effect runs. */
const handles = ["s1mple", "m0NESY", "huNter-", "ZywOo", "sh1ro", "\\_%"] as const
const withHandles = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const put = (number: number, handle: string) => sql`
      WITH named AS (UPDATE cs2_players SET nickname = ${handle} WHERE player_number = ${number})
      UPDATE cs2_search SET label = ${handle}, words = ${searchKey(handle)} WHERE entity_type = 'player' AND entity_number = ${number}`
    return yield* Effect.acquireUseRelease(
      Effect.forEach(handles, (handle, index) => put(301 + index + (index > 4 ? 95 : 0), handle), { discard: true }),
      () => effect,
      () =>
        Effect.orDie(
          Effect.forEach(
            handles,
            (_, index) => {
              const number = 301 + index + (index > 4 ? 95 : 0)
              return put(number, `p${number}`)
            },
            { discard: true },
          ),
        ),
    )
  })

export const searchReads = (it: ArchiveIt) => {
  it.effect("finds names by prefix, without accents and with typos, best matches first", () =>
    Effect.gen(function* () {
      for (const text of ["Čarodějové", "carodejove", "CARODE", "carodjeove", "Carodejov "]) {
        assert.deepStrictEqual((yield* first(text)).teams[0], "Čarodějové", text)
      }
      for (const text of ["alpha wolves", "AlphaWolves", "wolves", "alpa wolvs", "alpha"]) {
        assert.deepStrictEqual((yield* first(text)).teams[0], "Alpha Wolves", text)
      }
      assert.deepStrictEqual((yield* first("wintr cup")).events, ["Winter Cup 2026"])
      assert.deepStrictEqual((yield* first("qqqqq")).teams, [])
    }),
  )

  it.effect("lists an exact name before longer ones, and these before similar ones", () =>
    Effect.gen(function* () {
      const { players } = yield* first("p10")
      assert.deepStrictEqual(players.slice(0, 5), ["p101", "p102", "p103", "p104", "p105"])
      assert.strictEqual((yield* first("p203")).players[0], "p203")
    }),
  )

  it.effect("finds handles as written, as spoken and in similar spellings", () =>
    withHandles(
      Effect.gen(function* () {
        const asked = {
          s1mple: ["s1mple", "S1MPLE", "s1mpel", "s1m"],
          m0NESY: ["m0nesy", "m0 nesy", "m0nsey"],
          "huNter-": ["hunter", "huNter-", "huntr"],
          ZywOo: ["zywoo", "zywo"],
          sh1ro: ["sh1ro"],
          "\\_%": ["\\_%"],
        } as const
        for (const [handle, texts] of Object.entries(asked)) {
          for (const text of texts) assert.strictEqual((yield* first(text)).players[0], handle, text)
        }
      }),
    ),
  )

  it.effect("treats pattern characters literally, and finds nothing for an empty text", () =>
    Effect.gen(function* () {
      for (const text of ["%", "_", "\\", "%%%", "'", " ", "\u0000x".slice(0, 0)]) {
        assert.deepStrictEqual(yield* first(text), { teams: [], players: [], events: [], matches: [] }, JSON.stringify(text))
      }
    }),
  )

  it.effect("returns matches of the teams and events found, newest first, or those between two teams", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* first("alpha wolves")).matches, matchIds("upcoming", "forfeit", "winnerOnly", "deep"))
      assert.deepStrictEqual((yield* first("winter cup")).matches, matchIds("deep"))
      assert.deepStrictEqual((yield* first("alpha wolves vs team bravo")).matches, matchIds("deep"))
      assert.deepStrictEqual((yield* first("bravo - carodejove")).matches, matchIds("old"))
      assert.deepStrictEqual((yield* first("p101")).matches, [])
    }),
  )

  it.effect("leaves out results older than the plan's window, and applies the limit per type", () =>
    Effect.gen(function* () {
      const search = yield* Search
      const since = day("2026-10-23T12:00:00Z")
      const found = yield* search.find({ text: "alpha wolves", limit: 10, since })
      assert.deepStrictEqual(
        found.matches.map(({ id }) => id as string),
        matchIds("upcoming", "forfeit", "winnerOnly"),
      )
      assert.deepStrictEqual((yield* search.find({ text: "winter cup", limit: 10, since })).events, [])
      const two = yield* search.find({ text: "p1", limit: 2, since: undefined })
      assert.lengthOf(two.players, 2)
    }),
  )
}
