import { MAX_RPC_CALLS } from "@matchpoint/contracts/rpc/LiveRpcs"
import { assert, describe, it } from "vitest"
import { faultOf } from "../../src/rpc/rpcLimits.ts"

const call = '{"_tag":"Request"}\n'

describe("limits of an RPC text", () => {
  const cases: ReadonlyArray<readonly [name: string, text: string, fault: RegExp | undefined]> = [
    ["one call", call, undefined],
    ["one call without a line break", call.trim(), undefined],
    ["the most calls", call.repeat(MAX_RPC_CALLS), undefined],
    ["one call more", call.repeat(MAX_RPC_CALLS + 1), /at most/],
    ["a megabyte of empty lines", "\n".repeat(1024 * 1024), /at most/],
    ["empty lines around a call", `${"\n".repeat(MAX_RPC_CALLS)}${call}`, /at most/],
    ["an empty line between calls", `${call}\n${call}`, undefined],
    ["nothing", "", /no call/],
    ["an empty line", "\r\n", /no call/],
    ["spaces", " ".repeat(1_000), /no call/],
  ]
  it.each(cases)("%s", (_, text, fault) => {
    const found = faultOf(text)
    if (fault === undefined) assert.isUndefined(found)
    else assert.match(found ?? "", fault)
  })
})
