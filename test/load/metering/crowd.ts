// Owns the accounts and keys of the requests. There are enough of them that the rate of a server stays below the limits
// of each key.
import { type Terms, termsOf } from "@matchpoint/domain/accounts"
import { Accounts } from "@matchpoint/store/keys/Accounts"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { Effect, Redacted } from "effect"
import type { Crowd } from "./orders.ts"

interface Size {
  readonly accounts: number
  readonly keysPerAccount: number
  readonly terms: Terms
}

const sizes: Readonly<Record<Crowd, Size>> = {
  /** 500 requests per second and key, leases of 1,000. */
  scale: { accounts: 64, keysPerAccount: 4, terms: termsOf("scale") },
  /** 25 requests per second and key, leases of 100. */
  pro: { accounts: 64, keysPerAccount: 20, terms: termsOf("pro") },
  /** The largest quota that is metered request by request. The rate limit is raised, so that it is not the limit. */
  exact: { accounts: 512, keysPerAccount: 1, terms: termsOf("pro", { requestsPerMonth: 10_000, requestsPerSecond: 100 }) },
}

/** Creates the accounts. Returns their secrets in an order in which neighbours belong to different accounts. */
export const crowd = Effect.fnUntraced(function* (name: Crowd) {
  const { accounts: count, keysPerAccount, terms } = sizes[name]
  const accounts = yield* Accounts
  const register = yield* KeyRegister
  const customers = yield* Effect.forEach(
    Array.from({ length: count }, (_, index) => `${name} ${index}`),
    Effect.fnUntraced(function* (label) {
      const { accountId } = yield* accounts.create(label, terms)
      const keys = yield* Effect.forEach(Array.from({ length: keysPerAccount }), () => register.create(accountId, label))
      return keys.map(({ secret }) => Redacted.value(secret))
    }),
    { concurrency: 4 },
  )
  return Array.from({ length: keysPerAccount }, (_, key) => customers.flatMap((secrets) => secrets[key] ?? [])).flat()
})
