/**
 * Checks that generic code does not depend on a game: a file outside a game's folder must not import from that folder,
 * and one game must not import from another. Only the files listed in `roots` may import both games and generic code.
 */
import { readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { moduleReferences, scan } from "./source.mjs"

/** Names of games. A folder with one of these names belongs to that game. */
export const games = ["cs2", "tennis"]

/** Files that plug the games in, with one line per game. They are exempt from the check. */
const roots = [
  "packages/client/src/games.ts",
  "packages/contracts/src/http/FeedApi.ts",
  "packages/contracts/src/http/MatchpointApi.ts",
  "packages/contracts/src/http/admin/OperatorApi.ts",
  "packages/store/src/Repositories.ts",
  "services/feed/src/games.ts",
  "services/feed/src/intakeRoutes.ts",
  "services/gateway/src/Gateway.ts",
  "services/gateway/src/admin/AdminRoutes.ts",
  "services/gateway/src/admin/cli/main.ts",
  "services/standalone/src/Standalone.ts",
  "services/standalone/src/feeds.ts",
  "services/standalone/src/metrics/catalog.ts",
]

/** @type {(path: string) => string | undefined} */
const gameOf = (path) => games.find((game) => path.split("/").slice(0, -1).includes(game))

/**
 * @param {string} root
 * @param {ReadonlyArray<string>} files paths of sources below `root`, with forward slashes
 */
export function checkGames(root, files) {
  /** @type {Array<{ readonly file: string, readonly line: number, readonly rule: string, readonly remedy: string }>} */
  const violations = []
  for (const file of files) {
    if (!/^(packages|services)\/[^/]+\/src\//.test(file) || roots.includes(file)) continue
    const own = gameOf(file)
    const source = readFileSync(join(root, file), "utf8")
    for (const { line, specifier } of moduleReferences(source, scan(source))) {
      const target = specifier.startsWith(".") ? posix.join(dirname(file), specifier) : specifier
      const game = gameOf(`${target}/`)
      if (game === undefined || game === own) continue
      if (own !== undefined) {
        const remedy = "move the shared code to a folder that belongs to no game"
        violations.push({ file, line, rule: `${own} imports from the folder of ${game}: ${specifier}`, remedy })
        continue
      }
      const remedy = `pass it in through the game's value, or move this file to the folder of ${game}`
      violations.push({ file, line, rule: `generic code imports from the folder of ${game}: ${specifier}`, remedy })
    }
  }
  return violations
}
