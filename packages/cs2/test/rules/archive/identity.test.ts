import { assert, describe, it } from "@effect/vitest"
import {
  OWN_IDS,
  type PlayerCandidate,
  sameEvent,
  sameMatch,
  samePlayer,
  sameTeam,
  sharedKey,
  type TeamCandidate,
} from "../../../src/rules/archive/identity.ts"

const DAY = 86_400_000
const NOW = Date.UTC(2026, 0, 10)

/** A source uses the name for the team during the whole period. */
const calledBy = (source: string, spell = { firstAt: 0, lastAt: NOW }) => new Map([["alpha", new Map([[source, spell]])]])

const team = (change: Partial<TeamCandidate> & { readonly players?: ReadonlyArray<string>; readonly at?: number }): TeamCandidate => ({
  keys: [],
  nameKeys: new Set(["alpha"]),
  called: calledBy("standings"),
  roster: new Map((change.players ?? []).map((handle) => [handle, { firstAt: change.at ?? NOW, lastAt: change.at ?? NOW }])),
  ...change,
})

const reported = (roster: ReadonlyArray<string>, change = {}) => ({
  source: "results",
  keys: [],
  nameKey: "alpha",
  at: NOW,
  roster,
  ...change,
})

describe("sameTeam", () => {
  const a = team({ players: ["a1", "a2", "a3", "a4", "a5"] })
  const z = team({ players: ["z1", "z2", "z3", "z4", "z5"] })

  it("distinguishes two teams of one name by their players", () => {
    assert.strictEqual(sameTeam(reported(["z1", "z2", "z3", "n1", "n2"]), [a, z]).same, z)
    assert.deepStrictEqual(sameTeam(reported(["n1", "n2", "n3", "n4", "a5"]), [a, z]), { same: undefined, rejected: [a, z] })
  })

  it("matches by name alone unless several teams have the name", () => {
    assert.strictEqual(sameTeam(reported([]), [a]).same, a)
    assert.deepStrictEqual(sameTeam(reported([]), [a, z]).rejected, [a, z])
    const known = team({ called: calledBy("results") })
    assert.strictEqual(sameTeam(reported([]), [a, known]).same, known)
  })

  it("matches a name alone to the team that uses it at that time", () => {
    const left = team({ called: calledBy("results", { firstAt: 0, lastAt: NOW - 30 * DAY }) })
    const taken = team({ called: calledBy("standings", { firstAt: NOW - 40 * DAY, lastAt: NOW }) })
    assert.strictEqual(sameTeam(reported([]), [left, taken]).same, taken)
    assert.strictEqual(sameTeam({ ...reported([]), at: NOW - 60 * DAY }, [left, taken]).same, left)
    assert.isUndefined(sameTeam({ ...reported([]), source: "pages", at: NOW - 35 * DAY }, [left, taken]).same)
  })

  it("treats equal keys of a site as proof and different ones as no evidence", () => {
    const page = { ...reported([]), keys: [{ source: "pages", key: "7" }, sharedKey("site", "7")] }
    const known = team({ keys: [{ source: "results", key: "8" }, sharedKey("site", "8")] })
    assert.strictEqual(sameTeam(page, [known]).same, known)
  })

  it("recognises four of five players under another name, within three months", () => {
    const renamed = reported(["a1", "a2", "a3", "a4", "n1"], { nameKey: "beta" })
    assert.strictEqual(sameTeam(renamed, [a]).same, a)
    assert.isUndefined(sameTeam({ ...renamed, at: NOW + 100 * DAY }, [a]).same)
    assert.isUndefined(sameTeam({ ...renamed, roster: ["a1", "a2", "a3", "n2", "n1"] }, [a]).same)
  })

  it("assigns a whole line-up under a name in use to that organisation, not to its previous team", () => {
    const before = team({ players: ["b1", "b2", "b3", "b4", "b5"], nameKeys: new Set(["beta"]), called: new Map() })
    const moved = reported(["b1", "b2", "b3", "b4", "b5"])
    assert.strictEqual(sameTeam(moved, [a, before]).same, a)
    // A name that was out of use for more than a year is ignored.
    const gone = team({ players: ["o1", "o2", "o3"], called: calledBy("standings", { firstAt: 0, lastAt: NOW - 400 * DAY }) })
    assert.strictEqual(sameTeam(moved, [gone, before]).same, before)
  })

  it("does not detect a renamed team if the source uses both names for different teams", () => {
    const moved = reported(["a1", "a2", "a3", "a4", "a5"], { nameKey: "beta", apartFrom: new Set(["alpha"]) })
    assert.deepStrictEqual(sameTeam(moved, [a]), { same: undefined, rejected: [] })
    assert.strictEqual(sameTeam({ ...moved, apartFrom: new Set(["gamma"]) }, [a]).same, a)
  })

  it("trusts a source that has two keys for one name", () => {
    const keyed = team({ keys: [{ source: "results", key: "1" }], players: ["a1", "a2", "a3", "a4", "a5"] })
    const other = { ...reported(["a1", "a2", "a3", "a4", "a5"]), keys: [{ source: "results", key: "2" }] }
    assert.deepStrictEqual(sameTeam(other, [keyed]), { same: undefined, rejected: [] })
  })

  it("ignores a line-up that is two years old", () => {
    const old = team({ players: ["o1", "o2", "o3", "o4", "o5"], at: NOW - 730 * DAY })
    assert.strictEqual(sameTeam(reported(["n1", "n2", "n3", "n4", "n5"]), [old]).same, old)
  })
})

describe("samePlayer", () => {
  const player = (change: Partial<PlayerCandidate<string>> = {}): PlayerCandidate<string> => ({
    keys: [],
    handleKeys: new Set(["alex"]),
    teams: new Map([["Alpha", { firstAt: NOW, lastAt: NOW }]]),
    ...change,
  })
  const alex = { keys: [], handleKey: "alex", at: NOW, team: "Alpha" }
  const account = [{ source: OWN_IDS, key: "7" }]

  it("matches the player with this handle in this team", () => {
    const [one, two] = [player(), player({ teams: new Map([["Bravo", { firstAt: NOW, lastAt: NOW }]]) })]
    assert.strictEqual(samePlayer(alex, [two, one]).same, one)
    assert.deepStrictEqual(samePlayer({ ...alex, team: "Carlo" }, [one, two]).rejected, [one, two])
  })

  it("matches by handle alone if only one player has it, but never for accounts", () => {
    const one = player()
    assert.strictEqual(samePlayer({ ...alex, team: "Carlo" }, [one]).same, one)
    assert.deepStrictEqual(samePlayer({ ...alex, team: "Carlo", keys: account }, [one]).rejected, [one])
    assert.strictEqual(samePlayer({ ...alex, keys: account }, [one]).same, one)
    assert.deepStrictEqual(samePlayer({ ...alex, team: "Carlo" }, [player({ keys: account })]).same, undefined)
  })

  it("does not match a player with another account", () => {
    const other = [{ source: OWN_IDS, key: "8" }]
    assert.deepStrictEqual(samePlayer({ ...alex, keys: other }, [player({ keys: account })]), { same: undefined, rejected: [] })
  })
})

describe("sameEvent", () => {
  it("matches an event of the same season only", () => {
    const event = { keys: [], nameKeys: new Set(["cup"]), firstAt: NOW, lastAt: NOW + 5 * DAY }
    const cup = { keys: [], nameKey: "cup", at: NOW + 30 * DAY }
    assert.strictEqual(sameEvent(cup, [event]), event)
    assert.isUndefined(sameEvent({ ...cup, at: NOW + 365 * DAY }, [event]))
  })
})

describe("sameMatch", () => {
  const match = (change = {}) => ({
    keys: [{ source: "standings", key: "s" }],
    startsAt: NOW,
    startsPrecision: "day" as const,
    score: undefined,
    winner: 0 as const,
    ...change,
  })
  const played = match({ keys: [{ source: "results", key: "r" }], startsAt: NOW + DAY + 3_600_000, startsPrecision: "minute" as const })

  it("matches a match on the same or an adjacent day with the same winner", () => {
    const day = match()
    assert.strictEqual(sameMatch(played, [day]), day)
    assert.isUndefined(sameMatch({ ...played, startsAt: NOW + 2 * DAY }, [day]))
    assert.isUndefined(sameMatch({ ...played, winner: 1 }, [day]))
  })

  it("matches the nearer of two matches", () => {
    const [far, near] = [match(), match({ startsAt: NOW + DAY })]
    assert.strictEqual(sameMatch(played, [far, near]), near)
  })

  it("does not match another match of the same source, or a match hours later", () => {
    assert.isUndefined(sameMatch({ ...played, keys: [{ source: "standings", key: "t" }] }, [match()]))
    const rematch = { ...played, keys: [], startsAt: played.startsAt + 7 * 3_600_000 }
    assert.isUndefined(sameMatch(rematch, [played]))
  })
})
