import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { liveDocument } from "../../src/contract/liveDocument.ts"
import { withoutNulls } from "../../src/contract/withoutNulls.ts"

const Name = Schema.String.annotate({ description: "Name in the archive" })
const Point = Schema.Struct({ x: Schema.Finite, y: Schema.Finite }).annotate({ identifier: "Point" })
const Player = Schema.Struct({ player: Name, kills: Schema.NullOr(Schema.Natural), isActive: Schema.Boolean })
const Team = Schema.Struct({
  team: Schema.Natural,
  name: Schema.NullOr(Name),
  players: Schema.Array(Player).annotate({ description: "Best player first" }),
})
const Match = Schema.Struct({
  winner: Schema.NullOr(Schema.Natural).annotate({ description: "null while the match is live" }),
  id: Name,
  updatedAt: Schema.String,
  teams: Schema.Array(Team),
  centre: Schema.NullOr(Point),
  corner: Point,
  coaches: Schema.Array(Schema.Struct({ name: Schema.NullOr(Name) })),
})

const match = liveDocument(Match, {
  time: "updatedAt",
  lists: { teams: "team", "teams.players": "player" },
  first: ["id"],
  last: { "teams.players": ["kills"] },
})

const Expected = Schema.Struct({
  id: Name,
  winner: Schema.optionalKey(Schema.Natural),
  teams: Schema.Record(
    Schema.String,
    Schema.Struct({
      name: Schema.optionalKey(Name),
      players: Schema.Record(Name, Schema.Struct({ kills: Schema.optionalKey(Schema.Natural), isActive: Schema.Boolean })),
    }),
  ),
  centre: Schema.optionalKey(Point),
  corner: Point,
  coaches: Schema.Array(Schema.Struct({ name: Schema.optionalKey(Name) })),
})

type Compact = typeof match.compact.Type

const document: Compact = {
  id: "final",
  teams: { 1: { name: "Able", players: { ace: { isActive: true, kills: 3 }, bolt: { isActive: false } } }, 12: { players: {} } },
  corner: { x: 0, y: 0 },
  coaches: [{ name: "cap" }, {}],
}

describe("liveDocument", () => {
  it("derives the schema, with the annotations of the parts that both formats share", () => {
    assert.strictEqual(JSON.stringify(Schema.toJsonSchemaDocument(match.compact)), JSON.stringify(Schema.toJsonSchemaDocument(Expected)))
  })

  it("derives the type", () => {
    const derived: typeof Expected.Type = document
    const expected: Compact = derived
    assert.deepStrictEqual(Schema.decodeUnknownSync(match.compact, { onExcessProperty: "error" })(expected), document)
  })

  it("derives the key order", () => {
    const keys = ["id", "winner", "teams", "centre", "corner", "coaches"]
    assert.deepStrictEqual(match.layout, {
      keys,
      fields: {
        teams: {
          each: {
            keys: ["name", "players"],
            fields: { players: { each: { keys: ["kills", "isActive"], fields: {} } } },
          },
        },
        centre: { keys: ["x", "y"], fields: {} },
        corner: { keys: ["x", "y"], fields: {} },
      },
    })
  })

  it("converts a document to format v1", () => {
    const full = match.fullOf({ document, extras: {}, observedAt: "2026-03-01T18:22:10.400Z" })
    assert.strictEqual(
      JSON.stringify(full),
      JSON.stringify({
        winner: null,
        id: "final",
        updatedAt: "2026-03-01T18:22:10.400Z",
        teams: [
          {
            team: 1,
            name: "Able",
            players: [
              { player: "ace", isActive: true, kills: 3 },
              { player: "bolt", isActive: false, kills: null },
            ],
          },
          { team: 12, name: null, players: [] },
        ],
        centre: null,
        corner: { x: 0, y: 0 },
        coaches: [{ name: "cap" }, { name: null }],
      }),
    )
  })

  it("rejects a key that the items do not have", () => {
    assert.throws(() => liveDocument(Match, { time: "updatedAt", lists: { teams: "number" } }), "teams have no field number")
  })
})

describe("withoutNulls", () => {
  it("keeps the other fields in their order", () => {
    const made: { readonly a: number; readonly b?: string; readonly c?: number } = withoutNulls({ c: 0, b: null, a: 1 })
    assert.strictEqual(JSON.stringify(made), '{"c":0,"a":1}')
  })
})
