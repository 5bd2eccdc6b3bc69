/** Checks the deliveries of a webhook: every expected event at least once, first deliveries in order per match. Pure. */
import type { ExpectedMatch } from "./expected.ts"

export interface Delivery {
  /** Id of the event. */
  readonly id: string
  readonly matchId: string
}

export interface DeliveriesReport {
  readonly expected: number
  readonly delivered: number
  readonly repeated: number
  readonly findings: ReadonlyArray<string>
}

/** `unknown`: matches whose deliveries are not checked, because their state is not known. */
export const checkDeliveries = (
  expected: ReadonlyArray<ExpectedMatch>,
  deliveries: ReadonlyArray<Delivery>,
  unknown: ReadonlySet<string> = new Set(),
): DeliveriesReport => {
  const firsts = new Map<string, Array<string>>()
  const seen = new Set<string>()
  const checked = deliveries.filter(({ matchId }) => !unknown.has(matchId))
  for (const { id, matchId } of checked) {
    if (seen.has(id)) continue
    seen.add(id)
    const list = firsts.get(matchId)
    if (list === undefined) firsts.set(matchId, [id])
    else list.push(id)
  }
  const findings = expected.flatMap(({ matchId, webhookIds }) => ordered(matchId, webhookIds, firsts.get(matchId) ?? []))
  const known = new Set(expected.map(({ matchId }): string => matchId))
  for (const matchId of firsts.keys())
    if (!known.has(matchId)) findings.push(`webhook events of the unknown match ${matchId} were delivered`)
  const total = expected.reduce((sum, { webhookIds }) => sum + webhookIds.length, 0)
  return { expected: total, delivered: seen.size, repeated: checked.length - seen.size, findings }
}

const ordered = (matchId: string, expected: ReadonlyArray<string>, delivered: ReadonlyArray<string>): ReadonlyArray<string> => {
  const at = new Map(expected.map((id, index) => [id, index]))
  const has = new Set(delivered)
  const missing = expected.filter((id) => !has.has(id))
  const unexpected = delivered.filter((id) => !at.has(id))
  const places = delivered.flatMap((id) => at.get(id) ?? [])
  const late = delivered.find((id, index) => index > 0 && (at.get(id) ?? 0) < (places[index - 1] ?? 0))
  return [
    ...(missing.length === 0 ? [] : [`${missing.length} webhook events of ${matchId} were never delivered, from ${missing[0]}`]),
    ...(unexpected.length === 0 ? [] : [`${unexpected.length} webhook events of ${matchId} belong to no change, from ${unexpected[0]}`]),
    ...(late === undefined ? [] : [`the webhook event ${late} was delivered after a later one`]),
  ]
}
