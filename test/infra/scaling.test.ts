/** Compares infra/SCALING.md and the sizing of docs/operators/operations.md with the script that computes their numbers. */
import { assert, describe, it } from "@effect/vitest"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { MeteringConfig } from "@matchpoint/metering/MeteringConfig"
import { Effect } from "effect"
import * as tables from "../../infra/scaling.mjs"
import * as model from "../../infra/scalingModel.mjs"
import { readPage } from "../documents/pages.ts"

const page = readPage("infra/SCALING.md")
/** Markdown of a page with its lines joined, because quotes may be broken over lines. */
const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ")

describe("infra/SCALING.md", () => {
  it("has the tables of the script, and docs/operators/operations.md the table of usual loads", () => {
    for (const table of [tables.measuredTable(), tables.capacityTable(), tables.planTable(model.target), tables.limitsTable(4)]) {
      assert.include(page, table)
    }
    assert.include(readPage("docs/operators/operations.md"), tables.usualTable())
  })

  it("uses values that the named section of RESULTS.md contains", () => {
    const results = readPage("test/load/RESULTS.md")
    for (const { benchmark, quote, value } of Object.values(model.measured)) {
      const sections = results.split(/^## /m).filter((section) => section.startsWith(benchmark))
      assert.isTrue(
        sections.some((section) => inOneLine(section).includes(quote)),
        `${benchmark}: ${quote}`,
      )
      assert.include(quote, value.toLocaleString("en-US"))
    }
  })

  it.effect("uses values that the code sets", () =>
    Effect.gen(function* () {
      const { checkpointSeconds, ledgerSeconds, liveBytes } = model.configured
      assert.strictEqual(streams.find(({ name }) => name === "LIVE")?.maxBytes, liveBytes)
      assert.strictEqual((yield* MatchConfig).checkpointEvery, `${checkpointSeconds} seconds`)
      assert.strictEqual((yield* MeteringConfig).reportEvery, `${ledgerSeconds} seconds`)
    }),
  )

  it("has sentences with the numbers of the tables", () => {
    const needs = model.plan(model.target)
    const { liveSize, oneNatsCore } = model.limits(model.target.changes)
    const whole = (value: number) => Math.round(value).toLocaleString("en-US")
    const sentences = [
      `full at ${whole(oneNatsCore * model.target.changes)} facts per second`,
      `or ${whole(oneNatsCore)} matches with four changes`,
      `arithmetic: ${needs.natsCores.toFixed(2)} cores`,
      `${whole(needs.gateways)} gateways that read everything take ${(needs.brokerRate / 1e9).toFixed(1)} GB/s`,
      `feeds ${whole(needs.gatewaysPerInterface)} of them`,
      `near the gateways (${needs.relays} of them)`,
      `take ${needs.readCores.toFixed(2)} cores of each gateway`,
      `Clients get ${(needs.clientRate / 1e9).toFixed(1)} GB/s in ${needs.deliveries / 1e6} million`,
      `${(needs.gatewayRate / 1e6).toFixed(1)} MB/s and ${(Math.round(needs.deliveries / needs.gateways / 100) * 100).toLocaleString("en-US")} packets`,
      `${whole(needs.matchMemory / 1e6)} MB for the states of ${whole(needs.matchesPerProcess)} matches`,
      `${whole(needs.socketMemory / 1e6)} MB for the sessions of ${whole(needs.socketsPerGateway)} clients`,
      `${whole(needs.checkpoints)} per second of 50 KB, ${whole(needs.checkpointRate / 1e6)} MB/s`,
      `they are ${(needs.checkpointRate / 6e6).toFixed(1)} MB/s`,
      `${whole(needs.connections)} connections`,
      `cost the others ${needs.gatewayLost.toFixed(1)} s of CPU`,
      `are enough for ${whole(liveSize)} such matches`,
      `With 500 matches, LIVE keeps ${(model.plan({ ...model.target, matches: 500 }).liveKeptSeconds / 60).toFixed(1)} minutes`,
    ]
    for (const sentence of sentences) assert.include(inOneLine(page), sentence)
  })

  it("grows with the load, and needs two processes of each role at least", () => {
    const small = model.plan({ matches: 1, sockets: 1, changes: 1, updates: 1 })
    assert.deepStrictEqual([small.matchProcesses, small.gateways], [2, 2])
    const double = model.plan({ ...model.target, matches: 2 * model.target.matches })
    const single = model.plan(model.target)
    assert.strictEqual(double.liveRate, 2 * single.liveRate)
    assert.strictEqual(double.gateways, single.gateways)
    assert.strictEqual(single.events, 40_000)
    assert.strictEqual(single.deliveries, 40_000_000)
    // 40,000 facts/s of 4,301/s per core, at 60 % of a core.
    assert.strictEqual(single.matchProcesses, Math.ceil(40_000 / (4_301 * 0.6)))
  })
})
