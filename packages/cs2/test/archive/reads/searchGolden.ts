/** Search texts that people type, each with the entity that must come first among similar names. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Search } from "../../../src/archive/search/Search.ts"
import { entitySearchKey, handleKey, nameKey, slugOf } from "../../../src/rules/archive/names.ts"
import type { ArchiveIt } from "../sampled.ts"

interface Name {
  readonly name: string
  /** Other names and tags. */
  readonly also?: ReadonlyArray<string>
  /** Search weight, 0..1. */
  readonly weight: number
}

const names: Readonly<Record<"team" | "player" | "event", ReadonlyArray<Name>>> = {
  team: [
    { name: "Natus Vincere", also: ["NAVI"], weight: 0.98 },
    { name: "NAVI Junior", weight: 0.76 },
    { name: "Team Spirit", also: ["TS"], weight: 0.98 },
    { name: "Team Spirit Academy", weight: 0.5 },
    { name: "Team Liquid", also: ["TL"], weight: 0.96 },
    { name: "Team Vitality", also: ["VIT"], weight: 1 },
    { name: "Virtus.pro", also: ["VP"], weight: 0.94 },
    { name: "FaZe", also: ["FaZe Clan"], weight: 0.96 },
    { name: "FURIA", weight: 0.96 },
    { name: "FURIA fe", weight: 0.4 },
    { name: "Fnatic", weight: 0.9 },
    { name: "G2", also: ["G2 Esports"], weight: 0.96 },
    { name: "9z", weight: 0.9 },
    { name: "9INE", weight: 0.8 },
    { name: "MOUZ", also: ["mousesports"], weight: 0.98 },
    { name: "MOUZ NXT", weight: 0.7 },
    { name: "The MongolZ", weight: 0.94 },
    { name: "Mongoose", weight: 0.3 },
    { name: "Ninjas in Pyjamas", also: ["NIP"], weight: 0.88 },
    { name: "Étoile Noire", weight: 0.4 },
    { name: "B8", weight: 0.86 },
    { name: "3DMAX", weight: 0.86 },
  ],
  player: [
    { name: "s1mple", also: ["Oleksandr Kostyliev"], weight: 0.9 },
    { name: "simple4u", weight: 0.2 },
    { name: "m0NESY", also: ["Ilya Osipov"], weight: 0.88 },
    { name: "donk", weight: 0.88 },
    { name: "donkey", weight: 0.2 },
    { name: "ZywOo", also: ["Mathieu Herbaut"], weight: 0.9 },
    { name: "NiKo", weight: 0.88 },
    { name: "nikodem", weight: 0.2 },
    { name: "huNter-", weight: 0.84 },
    { name: "KSCERATO", weight: 0.84 },
    { name: "b1t", weight: 0.84 },
    { name: "_x_", weight: 0.2 },
    { name: "--", weight: 0.2 },
    { name: "Јован", weight: 0.2 },
  ],
  event: [
    { name: "IEM Katowice 2026", also: ["Intel Extreme Masters Katowice 2026"], weight: 0.95 },
    { name: "IEM Katowice 2026 - Open Qualifier", weight: 0.4 },
    { name: "BLAST Premier Spring Final 2026", weight: 0.9 },
    { name: "PGL Major Kopenhagen 2026", weight: 0.98 },
    { name: "ESL Pro League Season 23", weight: 0.9 },
    { name: "ESL Challenger League Season 51", weight: 0.6 },
  ],
}

/** By type: search text, and the intended entity. */
const golden: Readonly<Record<"teams" | "players" | "events", Readonly<Record<string, string>>>> = {
  teams: {
    // Full names, in any case; tags; other names; with and without spaces.
    "Natus Vincere": "Natus Vincere",
    NATUSVINCERE: "Natus Vincere",
    navi: "Natus Vincere",
    "navi junior": "NAVI Junior",
    "team spirit": "Team Spirit",
    spirit: "Team Spirit",
    "team spirit academy": "Team Spirit Academy",
    "virtus pro": "Virtus.pro",
    "virtus.pro": "Virtus.pro",
    virtuspro: "Virtus.pro",
    vp: "Virtus.pro",
    "faze clan": "FaZe",
    furia: "FURIA",
    "furia fe": "FURIA fe",
    mousesports: "MOUZ",
    mouz: "MOUZ",
    "mouz nxt": "MOUZ NXT",
    nip: "Ninjas in Pyjamas",
    "g2 esports": "G2",
    "etoile noire": "Étoile Noire",
    // Beginnings of names.
    nat: "Natus Vincere",
    vita: "Team Vitality",
    mong: "The MongolZ",
    "ninjas in": "Ninjas in Pyjamas",
    "team vit": "Team Vitality",
    f: "FaZe",
    b8: "B8",
    "9": "9z",
    "3d": "3DMAX",
    // Typos: a wrong, missing, extra or swapped letter.
    "natus vincree": "Natus Vincere",
    "natus vincer": "Natus Vincere",
    spirti: "Team Spirit",
    liqiud: "Team Liquid",
    vitalty: "Team Vitality",
    fruia: "FURIA",
    fnattic: "Fnatic",
    mongolls: "The MongolZ",
    "ninjas in pijamas": "Ninjas in Pyjamas",
    virtuspor: "Virtus.pro",
    // Two teams against each other: the better known of both sides comes first.
    "faze vs furia": "FaZe",
    "navi - 9ine": "Natus Vincere",
  },
  players: {
    s1mple: "s1mple",
    S1MPLE: "s1mple",
    s1mpel: "s1mple",
    simple: "simple4u",
    "oleksandr kostyliev": "s1mple",
    kostyliev: "s1mple",
    m0nesy: "m0NESY",
    "m0 nesy": "m0NESY",
    m0nsey: "m0NESY",
    donk: "donk",
    don: "donk",
    zywo: "ZywOo",
    zywooo: "ZywOo",
    niko: "NiKo",
    nikod: "nikodem",
    "hunter-": "huNter-",
    hutner: "huNter-",
    kscerato: "KSCERATO",
    ksecrato: "KSCERATO",
    "b1t!": "b1t",
    _x_: "_x_",
    "--": "--",
    јован: "Јован",
    jovan: "Јован",
  },
  events: {
    "iem katowice": "IEM Katowice 2026",
    "katowice 2026": "IEM Katowice 2026",
    "iem katowice 2026 - open qualifier": "IEM Katowice 2026 - Open Qualifier",
    "intel extreme": "IEM Katowice 2026",
    "blast premier": "BLAST Premier Spring Final 2026",
    "pgl major": "PGL Major Kopenhagen 2026",
    "kopenhagn major": "PGL Major Kopenhagen 2026",
    katovice: "IEM Katowice 2026",
    "pro league": "ESL Pro League Season 23",
    "esl challenger": "ESL Challenger League Season 51",
  },
}

/** Numbers that the sample does not use. */
const FIRST = 9_001

const rowsOf = (type: "team" | "player" | "event") =>
  names[type].map(({ also = [], name, weight }, index) => ({
    number: FIRST + index,
    name,
    key: type === "player" ? handleKey(name) : nameKey(name),
    slug: slugOf(`golden ${type} ${index}`, ""),
    words: entitySearchKey(name, ...also),
    weight,
  }))

const insertNames = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const { key, name, number, slug } of rowsOf("team")) {
    yield* sql`INSERT INTO cs2_teams (team_number, name, name_key, slug, source) VALUES (${number}, ${name}, ${key}, ${slug}, 'golden')`
  }
  for (const { key, name, number, slug } of rowsOf("player")) {
    yield* sql`INSERT INTO cs2_players (player_number, nickname, nickname_key, slug, source) VALUES (${number}, ${name}, ${key}, ${slug}, 'golden')`
  }
  for (const { key, name, number, slug } of rowsOf("event")) {
    yield* sql`INSERT INTO cs2_events (event_number, name, name_key, slug, source) VALUES (${number}, ${name}, ${key}, ${slug}, 'golden')`
  }
  for (const type of ["team", "player", "event"] as const) {
    for (const { name, number, weight, words } of rowsOf(type)) {
      yield* sql`INSERT INTO cs2_search (entity_type, entity_number, label, words, weight) VALUES (${type}, ${number}, ${name}, ${words}, ${weight})`
    }
  }
})

const deleteNames = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM cs2_search WHERE entity_number BETWEEN ${FIRST} AND ${FIRST + 99}`
  yield* sql`DELETE FROM cs2_events WHERE source = 'golden'`
  yield* sql`DELETE FROM cs2_players WHERE source = 'golden'`
  yield* sql`DELETE FROM cs2_teams WHERE source = 'golden'`
})

export const searchGolden = (it: ArchiveIt) => {
  it.effect("lists the intended entity first", () =>
    Effect.acquireUseRelease(
      insertNames,
      () =>
        Effect.gen(function* () {
          const search = yield* Search
          const missed: Array<string> = []
          for (const [kind, questions] of Object.entries(golden)) {
            for (const [text, expected] of Object.entries(questions)) {
              const { events, players, teams } = yield* search.find({ text, limit: 5, since: undefined })
              const found = {
                teams: teams.map(({ name }) => name),
                players: players.map(({ nickname }) => nickname),
                events: events.map(({ name }) => name),
              }
              const list: ReadonlyArray<string> = kind === "teams" ? found.teams : kind === "players" ? found.players : found.events
              if (list[0] !== expected) missed.push(`${text}: ${expected} is not before ${list.join(", ") || "nothing"}`)
            }
          }
          assert.deepStrictEqual(missed, [])
        }),
      () => Effect.orDie(deleteNames),
    ),
  )

  it.effect("finds both sides of a search for two teams", () =>
    Effect.acquireUseRelease(
      insertNames,
      () =>
        Effect.gen(function* () {
          const { teams } = yield* (yield* Search).find({ text: "mouz vs spirti", limit: 2, since: undefined })
          assert.sameMembers(
            teams.map(({ name }) => name),
            ["MOUZ", "Team Spirit"],
          )
        }),
      () => Effect.orDie(deleteNames),
    ),
  )
}
