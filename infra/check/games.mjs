/**
 * Generic code knows no game: a file outside of a game's folder does not import from one. Games meet generic code in one composition root per
 * service. The list of exceptions below holds what is still to be moved or split; it may only shrink: an entry that is not needed any more
 * is a violation too.
 */
import { readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { moduleReferences, scan } from "./source.mjs"

/** Names of games: folders of these names belong to the game. */
export const games = ["cs2"]

/** Where games are plugged in: a line each. */
const roots = [
  "packages/contracts/src/http/FeedApi.ts",
  "packages/contracts/src/http/MatchpointApi.ts",
  "packages/store/src/Repositories.ts",
  "services/feed/src/games.ts",
  "services/feed/src/intakeRoutes.ts",
  "services/gateway/src/Gateway.ts",
  "services/standalone/src/Standalone.ts",
  "services/standalone/src/feeds.ts",
]

/** @type {(path: string) => string | undefined} */
const gameOf = (path) => games.find((game) => path.split("/").slice(0, -1).includes(game))

/**
 * @param {string} root
 * @param {ReadonlyArray<string>} files paths of sources below `root`, with forward slashes
 * @param {ReadonlyArray<string>} debts files that may still import from a game's folder
 */
export function checkGames(root, files, debts) {
  /** @type {Array<{ readonly file: string, readonly line: number, readonly rule: string, readonly remedy: string }>} */
  const violations = []
  const owing = new Set(debts)
  for (const file of files) {
    if (!/^(packages|services)\/[^/]+\/src\//.test(file) || gameOf(file) !== undefined || roots.includes(file)) continue
    const source = readFileSync(join(root, file), "utf8")
    for (const { line, specifier } of moduleReferences(source, scan(source))) {
      const target = specifier.startsWith(".") ? posix.join(dirname(file), specifier) : specifier
      const game = gameOf(`${target}/`)
      if (game === undefined) continue
      owing.delete(file)
      if (debts.includes(file)) break
      const remedy = `let the game's value bring it, or move this file to the folder of ${game}`
      violations.push({ file, line, rule: `generic code imports from the folder of ${game}: ${specifier}`, remedy })
    }
  }
  for (const file of owing) {
    violations.push({
      file,
      line: 1,
      rule: "listed as a debt and none any more",
      remedy: "take it off the list in infra/check/gameDebts.mjs",
    })
  }
  return violations
}
