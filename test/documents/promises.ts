/**
 * Reads the table of promises under faults in `test/fault/README.md`: the sentence that makes each promise, and the
 * tests and fault scenarios that show it.
 */
import { dirname, join, normalize } from "node:path"
import { linksOf } from "./pages.ts"

export const promisesPage = "test/fault/README.md"

export interface Evidence {
  /** Path from the root of the repository. */
  readonly file: string
  /** Title of a test, or name of a fault scenario. */
  readonly title: string
}

export interface FaultPromise {
  readonly sentence: string
  /** Path of the page that makes the promise. */
  readonly page: string
  readonly anchor: string | undefined
  readonly shownBy: ReadonlyArray<Evidence>
}

const ROW = /^\| \[(.+)\]\(([^)]+)\) \| (.+) \|$/gm
const TEST = /\[[^\]]+\]\(([^)]+)\) "([^"]+)"/g
const SCENARIO = /scenario \[([^\]]+)\]\(([^)]+)\)/g

/** Returns the rows of the table: `| [promise](page#heading) | [file](path) "title"; scenario [name](path) |`. */
export const promisesIn = (markdown: string): ReadonlyArray<FaultPromise> =>
  Array.from(markdown.matchAll(ROW)).flatMap(([, sentence = "", target = "", cell = ""]) =>
    linksOf(promisesPage, `](${target})`).map(({ anchor, file: page }) => ({ sentence, page, anchor, shownBy: evidenceIn(cell) })),
  )

const evidenceIn = (cell: string): ReadonlyArray<Evidence> => [
  ...Array.from(cell.matchAll(TEST), ([, path = "", title = ""]) => ({ file: fromRoot(path), title })),
  ...Array.from(cell.matchAll(SCENARIO), ([, title = "", path = ""]) => ({ file: fromRoot(path), title })),
]

const fromRoot = (path: string): string => normalize(join(dirname(promisesPage), path))

/**
 * Returns true if the source has the title as a string or as a template. In the title of a template, `…` stands for a
 * value that is filled in.
 */
export const hasTitle = (source: string, title: string): boolean => {
  const filled = source.replaceAll(/\$\{[^{}`]*\}/g, "…")
  return filled.includes(`"${title}"`) || filled.includes(`\`${title}\``)
}
