/** Tests the pure modules of the live page without a browser: halves, buys, events, the stream's clock. */
import { assert, describe, it } from "@effect/vitest"
import type { LiveMatch } from "@matchpoint/cs2/contract/LiveMatch"
import { mapName, shortMoney, weaponName } from "@matchpoint/cs2/pages/format"
import { cs2View } from "@matchpoint/cs2/pages/live/cs2View"
import { buyOf } from "@matchpoint/cs2/pages/live/economy"
import { halvesOf, opensHalf } from "@matchpoint/cs2/pages/live/halves"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { LiveStore } from "@matchpoint/game/pages/live/LiveStore"
import { StreamClock } from "@matchpoint/game/pages/live/StreamClock"
import { ageText, clockText } from "@matchpoint/game/pages/parts/format"
import { afterEach, vi } from "vitest"
import { finalDocument, simulatedEvents } from "../fixtures/simulated.ts"

const id = matchId(7_001)
const document = finalDocument(simulatedEvents(7_001, id))

const spans = (round: number, rules = document.rules) => halvesOf(rules, round).map(({ from, to }) => [from, to])

describe("halves", () => {
  const regulation = [
    [1, 12],
    [13, 24],
  ]

  it("are two of twelve rounds until overtime begins", () => {
    assert.deepStrictEqual(spans(0), regulation)
    assert.deepStrictEqual(spans(24), regulation)
  })

  it("include both halves of an overtime as soon as it begins", () => {
    assert.deepStrictEqual(spans(25), [...regulation, [25, 27], [28, 30]])
    assert.deepStrictEqual(spans(31), [...regulation, [25, 27], [28, 30], [31, 33], [34, 36]])
  })

  it("follows the rules of the match", () => {
    assert.deepStrictEqual(spans(31, { ...document.rules, maxRounds: 30, overtimeRounds: 0 }), [
      [1, 15],
      [16, 30],
    ])
  })

  it("open with a pistol round in regulation only", () => {
    const halves = halvesOf(document.rules, 25)
    assert.deepStrictEqual(
      [1, 2, 13, 25].map((round) => opensHalf(halves, round)),
      [true, false, true, false],
    )
  })
})

describe("buys", () => {
  const [team] = document.teams
  const inPlay = (equipmentValue: number | null): LiveMatch => ({
    ...document,
    game: document.game === null ? null : { ...document.game, phase: "live" },
    players: document.players.map((player) => ({ ...player, equipmentValue })),
  })

  it("are named by the equipment value of five players", () => {
    const words = [200, 1_500, 3_000, 4_500].map((each) => buyOf(inPlay(each), team, false)?.words)
    assert.deepStrictEqual(words, ["Eco", "Semi-eco", "Force", "Full buy"])
    assert.strictEqual(buyOf(inPlay(200), team, true)?.words, "Pistol")
  })

  it("are not guessed if values are missing or players are still buying", () => {
    assert.isNull(buyOf(inPlay(null), team, false))
    const waiting = inPlay(200)
    const freezing: LiveMatch = { ...waiting, game: waiting.game === null ? null : { ...waiting.game, phase: "freezetime" } }
    assert.strictEqual(buyOf(freezing, team, false)?.words, "Buying")
  })
})

describe("LiveStore", () => {
  const known = (seq: number, epoch = 1) => ({ matchId: id, epoch, seq, match: document })
  const happening = (eventId: string, observedAt: string) =>
    ({
      eventId,
      eventType: "Kill",
      mapNumber: 1,
      round: 1,
      clockSeconds: null,
      playerId: null,
      playerName: null,
      playerNick: null,
      ctPlayers: 5,
      tPlayers: 5,
      bombSite: null,
      payload: {},
      source: "live",
      observedAt,
    }) as const

  it("rejects older frames except those of a new epoch", () => {
    const store = new LiveStore(cs2View)
    assert.isTrue(store.accept(known(5), []))
    assert.isFalse(store.accept(known(4), []))
    assert.isTrue(store.accept(known(1, 2), []))
    assert.isFalse(store.accept(known(9), []))
    assert.deepInclude(store.match(id), { epoch: 2, seq: 1 })
  })

  it("holds each event once, newest first, whatever the order of arrival", () => {
    const store = new LiveStore(cs2View)
    store.watch(id)
    store.addEvents([happening("b", "2026-01-01T00:00:02Z")])
    store.addEvents([
      happening("c", "2026-01-01T00:00:03Z"),
      happening("b", "2026-01-01T00:00:02Z"),
      happening("a", "2026-01-01T00:00:01Z"),
    ])
    assert.deepStrictEqual(
      store.events.map(({ eventId }) => eventId),
      ["c", "b", "a"],
    )
    store.watch(undefined)
    assert.isEmpty(store.events)
  })

  it("drops a finished match from the list ten minutes after its end", () => {
    const store = new LiveStore(cs2View)
    store.accept(known(1), [])
    const end = Date.parse(document.endedAt ?? "")
    assert.lengthOf(store.rows(end + 9 * 60_000), 1)
    assert.lengthOf(store.rows(end + 11 * 60_000), 0)
  })
})

describe("StreamClock", () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it("follows the feed's clock, using the smallest network latency seen", () => {
    vi.useFakeTimers({ now: 1_000_000 })
    const clock = new StreamClock()
    const serverAhead = 90_000
    for (const latency of [300, 40, 120]) clock.readUpdate(new Date(1_000_000 + serverAhead - latency).toISOString(), 1_000_000)
    assert.strictEqual(clock.now(0), 1_000_000 + serverAhead - 40)
  })

  it("uses the server's date and the plan's delay until an update arrives", () => {
    vi.useFakeTimers({ now: 1_000_000 })
    const clock = new StreamClock()
    clock.readDateHeader(1_005_000, 1_000_000)
    assert.strictEqual(clock.now(60), 1_000_000 + 5_500 - 60_000)
  })
})

describe("labels", () => {
  it("uses the usual names of weapons and maps and formats clocks, money and ages", () => {
    assert.deepStrictEqual(["ak47", "weapon_awp", "knife_karambit", "zeus_x27"].map(weaponName), ["AK-47", "AWP", "Knife", "zeus x27"])
    assert.deepStrictEqual(["de_mirage", "de_dust2", "cs_office"].map(mapName), ["Mirage", "Dust II", "Office"])
    assert.deepStrictEqual([0, 0.2, 59.2, 115].map(clockText), ["0:00", "0:01", "1:00", "1:55"])
    assert.deepStrictEqual([null, 950, 21_350].map(shortMoney), ["–", "$950", "$21.4k"])
    assert.deepStrictEqual([400, 42_000, 600_000, 7_200_000].map(ageText), ["0.4 s", "42 s", "10 min", "2 h"])
  })
})
