/**
 * Tests merges of tennis players over HTTP: an operator merges two players with the admin API, and customers find the
 * remaining player under both ids at every endpoint that takes the id of a player.
 */
import { assert, layer } from "@effect/vitest"
import { MatchpointApi } from "@matchpoint/games/api/MatchpointApi"
import { TennisPlayerId } from "@matchpoint/tennis/contract/http/data/references"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { namesakes } from "../../../packages/tennis/test/archive/fixtures/namesakes.ts"
import { AdminServer, adminServer, TOKEN } from "../../../services/gateway/test/admin/adminServer.ts"
import { TennisStack } from "../../fixtures/tennis/tennisStack.ts"
import { ask } from "../../fixtures/twoGateways.ts"

const call = Effect.fnUntraced(function* (path: string, init: RequestInit = {}, token = TOKEN) {
  const { url } = yield* AdminServer
  const headers = { "x-admin-token": token, "x-admin-actor": "Ada", "content-type": "application/json" }
  const { status, text } = yield* ask(`${url}${path}`, headers, init)
  return { status, ...JSON.parse(text) }
})

const merge = (payload: object, token?: string) => call("/tennis/players/merge", { method: "POST", body: JSON.stringify(payload) }, token)

/** Part of the JSON Schema of every parameter that is the id of a player or a list of such ids. */
const idText = `"pattern":${JSON.stringify(Schema.toJsonSchemaDocument(TennisPlayerId).schema["pattern"])}`

interface Place {
  readonly path: string
  readonly name: string
  readonly isList: boolean
}

/** Returns all parameters of the tennis section that are ids of players, each with its path below `/tennis`. */
const places = (): ReadonlyArray<Place> =>
  Object.entries(OpenApi.fromApi(MatchpointApi).paths).flatMap(([path, { get }]) => {
    const [, below] = path.split("/api/v1/tennis")
    if (below === undefined) return []
    return (get?.parameters ?? []).flatMap(({ name, schema }) => {
      const text = JSON.stringify(schema)
      return text.includes(idText) ? [{ path: below, name, isList: text.includes(`"type":"array"`) }] : []
    })
  })

/** Returns the path of a request in which the parameter is `id`. The other players of the request are 9 and 3. */
const requestOf = ({ isList, name, path }: Place, id: string): string => {
  const query = new URLSearchParams()
  if (path === "/h2h") for (const other of ["player1_id", "player2_id"]) query.set(other, "atp_9")
  if (name === "opponent_id") query.set("player_id", "atp_9")
  if (name !== "playerId") query.set(name, isList ? `${id},atp_9` : id)
  if (path.includes("{playerId}") && name === "opponent_id") query.delete("player_id")
  return `${path.replace("{playerId}", name === "playerId" ? id : "atp_9")}?${query}`
}

onDatabaseOfRun((driver, database) => {
  const servers = Layer.unwrap(
    Effect.map(Layer.build(database), (built) => {
      const shared = Layer.succeedContext(built)
      return Layer.mergeAll(
        TennisStack.layer(shared, () => namesakes),
        adminServer({}, shared),
      )
    }),
  )

  layer(servers, { timeout: "60 seconds", excludeTestServices: true })(`merges of tennis players over HTTP, ${driver}`, (it) => {
    it.effect("lists candidates in pages, for operators only", () =>
      Effect.gen(function* () {
        const { data, meta } = yield* call("/tennis/players/merge-candidates?limit=2")
        assert.deepStrictEqual(data[0], {
          tour: "atp",
          name: "AL Ablé",
          birthDate: "1980-04-05",
          country: "USA",
          playerId: "atp_2",
          matches: 1,
          intoId: "atp_1",
          intoMatches: 2,
          against: null,
        })
        assert.deepInclude(meta, { count: 2, total: 4, hasNext: true })
        const refused = yield* call("/tennis/players/merge-candidates", {}, "wrong")
        assert.deepStrictEqual([refused.status, refused.error.code], [401, "INVALID_ADMIN_TOKEN"])
        assert.strictEqual((yield* merge({ player: "atp_2", into: "atp_1" }, "wrong")).status, 401)
      }),
    )

    it.effect("explains why a merge is rejected", () =>
      Effect.gen(function* () {
        for (const [payload, status, code, text] of [
          [{ player: "atp_99", into: "atp_1" }, 404, "NOT_FOUND", "no player has the id atp_99; GET /api/v1/tennis/players/search"],
          [{ player: "atp_1", into: "atp_1" }, 409, "CONFLICT", "cannot be merged into itself"],
          [{ player: "atp_4", into: "atp_3" }, 409, "CONFLICT", "Bo Baker (atp_4) and atp_3 are two players: they played each other"],
          [{ player: "atp_6", into: "atp_5" }, 409, "CONFLICT", "both are in the ranking list of 2019-05-20"],
          [{ player: "2", into: "atp_1" }, 400, "VALIDATION_ERROR", "player"],
          [{ player: "atp_2" }, 400, "VALIDATION_ERROR", "into"],
        ] as const) {
          const { error, ...answer } = yield* merge(payload)
          assert.deepStrictEqual([answer.status, error?.code], [status, code], JSON.stringify(payload))
          assert.include(JSON.stringify(error), text)
        }
        assert.lengthOf((yield* call("/audit")).data, 0)
      }),
    )

    it.effect("answers the id of a merged player with the remaining one, at every endpoint that takes ids of players", () =>
      Effect.gen(function* () {
        const { get } = yield* TennisStack
        assert.lengthOf((yield* get("/players/batch?ids=atp_1,atp_2")).data, 2)
        const merged = yield* merge({ player: "atp_2", into: "atp_1", reason: "same person" })
        assert.deepStrictEqual(merged, { status: 200, success: true, data: { player: "atp_2", into: "atp_1" }, meta: {} })

        const found = places()
        assert.isAtLeast(found.length, 11)
        for (const place of found) {
          const [old, current] = [yield* get(requestOf(place, "atp_2")), yield* get(requestOf(place, "atp_1"))]
          assert.strictEqual(current.status, 200, `${requestOf(place, "atp_1")}: ${current.text}`)
          assert.include(current.text, `"atp_1"`, requestOf(place, "atp_1"))
          assert.strictEqual(old.text, current.text, requestOf(place, "atp_2"))
        }

        const batch = yield* get("/players/batch?ids=atp_2,atp_1,atp_99")
        assert.deepStrictEqual(
          [batch.data.map(({ id }: { readonly id: string }) => id), batch.meta],
          [["atp_1"], { count: 1, missing: ["atp_99"] }],
        )
        const pair = yield* get("/h2h?player1_id=atp_1&player2_id=atp_2")
        assert.deepStrictEqual([pair.status, pair.error?.code], [400, "VALIDATION_ERROR"])
        assert.strictEqual((yield* get("/h2h?player1_id=atp_2&player2_id=atp_9")).data.meetings.length, 3)
      }),
    )

    it.effect("records merges in the audit log, rejects them a second time, and lists no merged player", () =>
      Effect.gen(function* () {
        const { data: entries } = yield* call("/audit")
        assert.lengthOf(entries, 1)
        assert.deepInclude(entries[0], {
          action: "tennis_player.merge",
          actor: "Ada",
          details: { player: "atp_2", into: "atp_1", reason: "same person" },
        })
        for (const payload of [
          { player: "atp_2", into: "atp_1" },
          { player: "atp_2", into: "atp_9" },
          { player: "atp_1", into: "atp_2" },
        ]) {
          const { error, status } = yield* merge(payload)
          assert.deepStrictEqual([status, error?.message], [409, "atp_2 was merged into atp_1; use this id instead"])
        }
        const { data: candidates } = yield* call("/tennis/players/merge-candidates")
        assert.notInclude(JSON.stringify(candidates), "atp_2")
        assert.lengthOf((yield* call("/audit")).data, 1)
      }),
    )
  })
})
