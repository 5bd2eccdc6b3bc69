/** Formats the commands' output: tables for people, JSON for programs. */
import type { Account, CreatedKey } from "@matchpoint/contracts/http/admin/AdminApi"
import type { Paging } from "@matchpoint/contracts/http/envelope"
import { escapeUnprintable } from "@matchpoint/domain/printableText"
import { Console, Effect } from "effect"
import { admin } from "./adminCommand.ts"

/** Prints `data` as JSON if `--json` is given, and its lines otherwise. */
export const print = Effect.fn("admin.print")(function* <A>(data: A, lines: (data: A) => ReadonlyArray<string>) {
  const { json } = yield* admin
  yield* Console.log(json ? JSON.stringify(data, null, 2) : lines(data).join("\n"))
})

/** Escapes characters that could forge a row. */
export const table = (header: ReadonlyArray<string>, texts: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const rows = texts.map((row) => row.map(escapeUnprintable))
  const widths = header.map((title, column) => rows.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), title.length))
  return [header, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  )
}

/** Empty on the last page. */
export const moreLines = ({ count, hasNext, page, total }: Paging): ReadonlyArray<string> =>
  hasNext ? ["", `${count} of ${total}; --page ${page + 1} shows the next page`] : []

/** One line per field. */
export const card = (fields: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const width = Math.max(...Object.keys(fields).map((name) => name.length))
  return Object.entries(fields).map(([name, value]) => `${name.padEnd(width)}  ${escapeUnprintable(value)}`)
}

export const secretLines = ({ accountId, keyId, secret }: CreatedKey): ReadonlyArray<string> => [
  ...card({ key: keyId, account: accountId, secret }),
  "",
  "The secret is shown only once: save it now. The server stores only its hash.",
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

/** Formats an ISO 8601 instant as UTC such as `2026-11-22 02:31:02`, and null as `-`. */
export const moment = (instant: string | null): string => (instant === null ? "-" : instant.slice(0, 19).replace("T", " "))

/** Formats with thousands separators: `1,000,000`. */
export const number = (value: number): string => value.toLocaleString("en-US")
