/** Tests of the check itself: it finds missing fields, additional fields, wrong types, and nulls that are not named. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { violations } from "./checkFields.ts"
import type { EndpointSpec } from "./specFields.ts"

const spec: EndpointSpec = {
  shape: "object",
  named: "missing",
  meta: { count: "count" },
  data: {
    id: "id:match",
    "players[]": "object",
    "players[].hp": "count or unavailable",
    "players[].weapon": "text or unavailable or none where alive=false",
    "players[].alive": "boolean",
    "+missing[]": "text",
  },
}

const answer = (player: object, rest: object = {}) => ({
  success: true,
  data: { id: "cs2-match-1", players: [{ hp: 1, weapon: "ak47", alive: true, ...player }], missing: [], ...rest },
  meta: { count: 1 },
})

it.effect.each([
  [{}, {}, []],
  [{ weapon: null, alive: false }, {}, []],
  [{ weapon: null }, {}, ["players[].weapon is null and not named as unavailable"]],
  [{ hp: null }, { missing: ["players.hp"] }, []],
  [{ hp: -1 }, {}, ["players[].hp is -1, and not count"]],
  [{ alive: null }, { missing: ["players.alive"] }, ["players[].alive is null"]],
  [{ hp: undefined, speed: 1 }, {}, ["players[].hp is undefined, and not count", "players[].speed is not in the table"]],
  [{}, { id: "x" }, ['id is "x", and not id:match']],
  [{}, { players: [] }, []],
] as const)("%j %j", ([player, rest, expected]) =>
  Effect.sync(() => assert.deepStrictEqual(violations(spec, answer(player, rest)), expected)),
)

it.effect("finds a missing field and a wrong meta", () =>
  Effect.sync(() => {
    assert.deepStrictEqual(violations(spec, { success: true, data: { id: "cs2-match-1", players: [] }, meta: {} }), [
      "missing is missing",
      "meta: count is missing",
    ])
    assert.deepStrictEqual(violations(spec, { success: false }), ["success is not true"])
  }),
)
