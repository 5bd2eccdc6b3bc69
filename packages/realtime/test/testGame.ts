/** A minimal game whose document is the same in both shapes. Its matches have ids of CS2, like those in the tests. */
import { contractsOf, type LiveContract } from "@matchpoint/contracts/game/LiveContract"
import type { JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { gameName, type MatchId } from "@matchpoint/domain/ids"
import { Result } from "effect"

export const testGame: LiveContract<JsonObject> = {
  game: gameName("cs2"),
  isMatchId: (text): text is MatchId => text.startsWith("cs2-match-"),
  layout: {},
  statusOf: ({ status }) => String(status),
  sourceOf: ({ source }) => String(source ?? "live"),
  isAtOrPast: () => true,
  extrasAfter: (before, { event: _, ...extras }) => ({ ...before, ...extras }),
  rowOf: ({ document }) => document,
  readFact: () => Result.fail("this game takes no facts"),
  fullOf: ({ document }) => document,
  fullText: ({ document }) => JSON.stringify(document),
}

export const games = contractsOf([testGame])
