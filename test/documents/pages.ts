/** Reads the Markdown pages of the repository: their prose, headings and links. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../..", import.meta.url))

export interface Link {
  /** Path from the root of the repository. */
  readonly file: string
  /** Anchor of a heading on that page, as GitHub generates it. */
  readonly anchor: string | undefined
}

/** Paths from the root of the repository. */
export const documents: ReadonlyArray<string> = readdirSync(join(root, "docs"), { encoding: "utf8", recursive: true })
  .filter((name) => name.endsWith(".md"))
  .map((name) => join("docs", name))
  .sort()

const readmesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder))
    .map((name) => join(folder, name, "README.md"))
    .filter((file) => existsSync(join(root, file)))

/** Paths from the root of the repository, README.md first. */
export const pageFiles: ReadonlyArray<string> = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  ...documents,
  ...readmesIn("packages"),
  ...readmesIn("services"),
  "infra/SCALING.md",
  "test/fault/README.md",
  "test/load/RESULTS.md",
]

export const readPage = (file: string): string => readFileSync(join(root, file), "utf8")

/** Numbered lines outside tables and code blocks. */
export const proseLines = (markdown: string): ReadonlyArray<readonly [line: number, text: string]> => {
  let isCode = false
  return markdown.split("\n").flatMap((text, index): ReadonlyArray<readonly [number, string]> => {
    if (text.startsWith("```")) {
      isCode = !isCode
      return []
    }
    return isCode || text.startsWith("|") ? [] : [[index + 1, text]]
  })
}

/** Links to files of this repository. */
export const linksOf = (file: string, markdown: string): ReadonlyArray<Link> => {
  const prose = markdown.replaceAll(/^```[\s\S]*?^```/gm, "")
  return Array.from(prose.matchAll(/\]\(([^)#\s]*)(?:#([^)\s]+))?\)/g)).flatMap(([, target = "", anchor]) =>
    /^[a-z]+:/.test(target) ? [] : [{ file: target === "" ? file : normalize(join(dirname(file), target)), anchor }],
  )
}

/** Anchors of the headings, as GitHub generates them. */
export const anchorsOf = (markdown: string): ReadonlyArray<string> =>
  proseLines(markdown).flatMap(([, text]) => {
    const heading = /^#+ (.*)$/.exec(text)?.[1]
    return heading === undefined
      ? []
      : [
          heading
            .toLowerCase()
            .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
            .replaceAll(" ", "-"),
        ]
  })
