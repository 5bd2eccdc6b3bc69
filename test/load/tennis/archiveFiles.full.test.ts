import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { matchReader, playerReader, rankingReader, type Tour } from "@matchpoint/tennis/rules/archive/archiveRows"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Effect } from "effect"
import { writeArchive } from "./archiveFiles.ts"

const readerOf = (file: string, header: string) => {
  const tour: Tour = file.startsWith("atp") ? "atp" : "wta"
  if (file.includes("players")) return playerReader(header, tour)
  if (file.includes("rankings")) return rankingReader(header, tour)
  return matchReader(header, tour, /futures/u.test(file) ? "futures" : /qual_itf/u.test(file) ? "qual_itf" : "tour")
}

it.effect("generates at least the requested match rows, all of which can be read and differ", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryDirectory
    writeArchive(folder, 20_000, 1)
    const ids = new Map<string, Set<string>>()
    let matches = 0
    for (const file of readdirSync(folder)) {
      const [header = "", ...lines] = readFileSync(join(folder, file), "utf8").trimEnd().split("\n")
      const reader = readerOf(file, header)
      if (typeof reader === "string") throw new Error(`${file} has no column ${reader}`)
      const kind = /players|rankings|matches/u.exec(file)?.[0] ?? ""
      const known = ids.get(kind) ?? new Set()
      ids.set(kind, known)
      for (const line of lines) {
        const row = reader(line)
        if (typeof row === "string") throw new Error(`${file}: ${row}`)
        assert.isFalse(known.has(row.id), row.id)
        known.add(row.id)
        if (kind === "matches") matches += 1
      }
    }
    assert.isAtLeast(matches, 20_000)
    assert.strictEqual(ids.get("rankings")?.size, 206_000)
  }),
)
