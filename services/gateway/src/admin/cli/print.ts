/** What the commands print: small tables for people, JSON for programs. */
import type { Account, CreatedKey } from "@matchpoint/contracts/http/admin/AdminApi"
import type { Paging } from "@matchpoint/contracts/http/envelope"
import { Console, Effect } from "effect"
import { admin } from "./adminCommand.ts"

/** JSON if it was asked for, else `lines`. */
export const print = Effect.fn("admin.print")(function* <A>(data: A, lines: (data: A) => ReadonlyArray<string>) {
  const { json } = yield* admin
  yield* Console.log(json ? JSON.stringify(data, null, 2) : lines(data).join("\n"))
})

/** Columns as wide as their longest cell, two spaces between them. */
export const table = (header: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  return [header, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  )
}

/** A line for whoever does not see all rows. */
export const moreLines = ({ count, hasNext, page, total }: Paging): ReadonlyArray<string> =>
  hasNext ? ["", `${count} of ${total}; --page ${page + 1} shows the next`] : []

/** One thing, a line per field. */
export const card = (fields: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const width = Math.max(...Object.keys(fields).map((name) => name.length))
  return Object.entries(fields).map(([name, value]) => `${name.padEnd(width)}  ${value}`)
}

/** The one time that a secret is shown. */
export const secretLines = ({ accountId, keyId, secret }: CreatedKey): ReadonlyArray<string> => [
  ...card({ key: keyId, account: accountId, secret }),
  "",
  "This is the only time the secret is shown: keep it now. The server stores no more than its hash.",
]

export const accountCard = (account: Account): ReadonlyArray<string> =>
  card({
    account: account.accountId,
    name: account.name,
    plan: account.plan,
    game: account.game ?? "all",
    "add-ons": account.addOns.join(", ") || "none",
    "per month": number(account.requestsPerMonth),
    "per second": number(account.requestsPerSecond),
    created: moment(account.createdAt),
  })

/** `2026-11-22 02:31:02`, UTC. */
export const moment = (instant: string | null): string => (instant === null ? "-" : instant.slice(0, 19).replace("T", " "))

/** `1,000,000` */
export const number = (value: number): string => value.toLocaleString("en-US")
