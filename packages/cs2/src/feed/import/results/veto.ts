/** Parses sentences that describe the veto of a match. */
import { Result } from "effect"
import type { TeamSlot, VetoStep } from "../../../rules/archive/ArchivedMatch.ts"
import { mapIdOf } from "../../../rules/archive/maps.ts"

const LEFT_OVER = /^(\d+)\. (.+) was left over$/
const CHOSEN = /^(\d+)\. (.+) (removed|picked) (\S.*)$/

/** Fails if a sentence does not describe a step. */
export const readVeto = (
  sentences: ReadonlyArray<string>,
  teams: readonly [string, string],
): Result.Result<ReadonlyArray<VetoStep>, string> => {
  const steps: Array<VetoStep> = []
  for (const sentence of sentences) {
    const step = stepOf(sentence.trim(), teams)
    if (step === undefined) return Result.fail(`unknown veto step: ${sentence}`)
    steps.push(step)
  }
  return Result.succeed(steps)
}

const stepOf = (sentence: string, teams: readonly [string, string]): VetoStep | undefined => {
  const leftOver = LEFT_OVER.exec(sentence)
  if (leftOver !== null) return step(leftOver[1], "decider", null, leftOver[2])
  // A team's name may contain the verb, but a map's name cannot: the greedy pattern ends at the last verb.
  const chosen = CHOSEN.exec(sentence)
  if (chosen === null) return undefined
  const team = slotOf(chosen[2], teams)
  return team === undefined ? undefined : step(chosen[1], chosen[3] === "picked" ? "pick" : "ban", team, chosen[4])
}

const step = (order: string | undefined, action: VetoStep["action"], team: TeamSlot | null, name: string | undefined) => {
  const map = name === undefined ? undefined : mapIdOf(name)
  return map === undefined ? undefined : { order: Number(order), action, team, map }
}

const slotOf = (name: string | undefined, teams: readonly [string, string]): TeamSlot | undefined =>
  name === teams[0] ? 0 : name === teams[1] ? 1 : undefined
