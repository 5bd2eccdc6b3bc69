import { assert, describe, it } from "@effect/vitest"
import {
  OUR_NUMBERS,
  type PlayerCandidate,
  sameEvent,
  sameMatch,
  samePlayer,
  sameTeam,
  sharedKey,
  type TeamCandidate,
} from "../../../src/cs2/archive/identity.ts"

const DAY = 86_400_000
const NOW = Date.UTC(2026, 0, 10)

/** By its name, all the time. */
const calledBy = (source: string, spell = { firstAt: 0, lastAt: NOW }) => new Map([["alpha", new Map([[source, spell]])]])

const team = (change: Partial<TeamCandidate> & { readonly players?: ReadonlyArray<string>; readonly at?: number }): TeamCandidate => ({
  keys: [],
  nameKeys: new Set(["alpha"]),
  called: calledBy("standings"),
  roster: new Map((change.players ?? []).map((handle) => [handle, { firstAt: change.at ?? NOW, lastAt: change.at ?? NOW }])),
  ...change,
})

const told = (roster: ReadonlyArray<string>, change = {}) => ({ source: "results", keys: [], nameKey: "alpha", at: NOW, roster, ...change })

describe("sameTeam", () => {
  const a = team({ players: ["a1", "a2", "a3", "a4", "a5"] })
  const z = team({ players: ["z1", "z2", "z3", "z4", "z5"] })

  it("tells two of one name apart by who plays", () => {
    assert.strictEqual(sameTeam(told(["z1", "z2", "z3", "n1", "n2"]), [a, z]).same, z)
    assert.deepStrictEqual(sameTeam(told(["n1", "n2", "n3", "n4", "a5"]), [a, z]), { same: undefined, rejected: [a, z] })
  })

  it("takes a name alone for what it says unless there are two", () => {
    assert.strictEqual(sameTeam(told([]), [a]).same, a)
    assert.deepStrictEqual(sameTeam(told([]), [a, z]).rejected, [a, z])
    const known = team({ called: calledBy("results") })
    assert.strictEqual(sameTeam(told([]), [a, known]).same, known)
  })

  it("takes a name alone for whom it is used of at that time", () => {
    const left = team({ called: calledBy("results", { firstAt: 0, lastAt: NOW - 30 * DAY }) })
    const taken = team({ called: calledBy("standings", { firstAt: NOW - 40 * DAY, lastAt: NOW }) })
    assert.strictEqual(sameTeam(told([]), [left, taken]).same, taken)
    assert.strictEqual(sameTeam({ ...told([]), at: NOW - 60 * DAY }, [left, taken]).same, left)
    assert.isUndefined(sameTeam({ ...told([]), source: "pages", at: NOW - 35 * DAY }, [left, taken]).same)
  })

  it("takes the same key of a site for the same, and another one for nothing", () => {
    const page = { ...told([]), keys: [{ source: "pages", key: "7" }, sharedKey("site", "7")] }
    const known = team({ keys: [{ source: "results", key: "8" }, sharedKey("site", "8")] })
    assert.strictEqual(sameTeam(page, [known]).same, known)
  })

  it("knows four of five by another name, within three months", () => {
    const renamed = told(["a1", "a2", "a3", "a4", "n1"], { nameKey: "beta" })
    assert.strictEqual(sameTeam(renamed, [a]).same, a)
    assert.isUndefined(sameTeam({ ...renamed, at: NOW + 100 * DAY }, [a]).same)
    assert.isUndefined(sameTeam({ ...renamed, roster: ["a1", "a2", "a3", "n2", "n1"] }, [a]).same)
  })

  it("takes a whole line-up under a name in use for that organisation, not for the one it came from", () => {
    const before = team({ players: ["b1", "b2", "b3", "b4", "b5"], nameKeys: new Set(["beta"]), called: new Map() })
    const moved = told(["b1", "b2", "b3", "b4", "b5"])
    assert.strictEqual(sameTeam(moved, [a, before]).same, a)
    // A name that has been out of use for longer than a year says nothing.
    const gone = team({ players: ["o1", "o2", "o3"], called: calledBy("standings", { firstAt: 0, lastAt: NOW - 400 * DAY }) })
    assert.strictEqual(sameTeam(moved, [gone, before]).same, before)
  })

  it("does not take for renamed a team that the source tells apart by its name", () => {
    const moved = told(["a1", "a2", "a3", "a4", "a5"], { nameKey: "beta", apartFrom: new Set(["alpha"]) })
    assert.deepStrictEqual(sameTeam(moved, [a]), { same: undefined, rejected: [] })
    assert.strictEqual(sameTeam({ ...moved, apartFrom: new Set(["gamma"]) }, [a]).same, a)
  })

  it("believes a source that has two keys for one name", () => {
    const keyed = team({ keys: [{ source: "results", key: "1" }], players: ["a1", "a2", "a3", "a4", "a5"] })
    const other = { ...told(["a1", "a2", "a3", "a4", "a5"]), keys: [{ source: "results", key: "2" }] }
    assert.deepStrictEqual(sameTeam(other, [keyed]), { same: undefined, rejected: [] })
  })

  it("does not hold a line-up of two years ago against a name", () => {
    const old = team({ players: ["o1", "o2", "o3", "o4", "o5"], at: NOW - 730 * DAY })
    assert.strictEqual(sameTeam(told(["n1", "n2", "n3", "n4", "n5"]), [old]).same, old)
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
  const account = [{ source: OUR_NUMBERS, key: "7" }]

  it("is who has the handle in that team", () => {
    const [one, two] = [player(), player({ teams: new Map([["Bravo", { firstAt: NOW, lastAt: NOW }]]) })]
    assert.strictEqual(samePlayer(alex, [two, one]).same, one)
    assert.deepStrictEqual(samePlayer({ ...alex, team: "Carlo" }, [one, two]).rejected, [one, two])
  })

  it("is the only one of that handle, but no account is by its handle", () => {
    const one = player()
    assert.strictEqual(samePlayer({ ...alex, team: "Carlo" }, [one]).same, one)
    assert.deepStrictEqual(samePlayer({ ...alex, team: "Carlo", keys: account }, [one]).rejected, [one])
    assert.strictEqual(samePlayer({ ...alex, keys: account }, [one]).same, one)
    assert.deepStrictEqual(samePlayer({ ...alex, team: "Carlo" }, [player({ keys: account })]).same, undefined)
  })

  it("is not somebody with another account", () => {
    const other = [{ source: OUR_NUMBERS, key: "8" }]
    assert.deepStrictEqual(samePlayer({ ...alex, keys: other }, [player({ keys: account })]), { same: undefined, rejected: [] })
  })
})

describe("sameEvent", () => {
  it("is of this season", () => {
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

  it("is of that day, or of the one beside it, with that winner", () => {
    const day = match()
    assert.strictEqual(sameMatch(played, [day]), day)
    assert.isUndefined(sameMatch({ ...played, startsAt: NOW + 2 * DAY }, [day]))
    assert.isUndefined(sameMatch({ ...played, winner: 1 }, [day]))
  })

  it("is the nearer of two", () => {
    const [far, near] = [match(), match({ startsAt: NOW + DAY })]
    assert.strictEqual(sameMatch(played, [far, near]), near)
  })

  it("is not another one of the same source, nor one hours later", () => {
    assert.isUndefined(sameMatch({ ...played, keys: [{ source: "standings", key: "t" }] }, [match()]))
    const rematch = { ...played, keys: [], startsAt: played.startsAt + 7 * 3_600_000 }
    assert.isUndefined(sameMatch(rematch, [played]))
  })
})
