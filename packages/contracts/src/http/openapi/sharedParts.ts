/** Parts of an OpenAPI document that occur more than once and become components. */
import type { Reference } from "./Document.ts"

/** A part, the word that names it, and the words of the path that uses it. The first word of the path is the section. */
export type Use<A> = readonly [part: A, word: string, path: ReadonlyArray<string>]

export interface SharedParts<A> {
  /** A reference, or the part itself if it occurs once. */
  readonly of: (part: A) => A | Reference
  readonly components: Readonly<Record<string, A>>
}

/**
 * A name has as many words of the path as make it unique. A part of several sections is named first, without a section:
 * `shapeInQuery` belongs to all games, `shapeInQueryCs2` to CS2 only.
 */
export const sharedParts = <A>(kind: "examples" | "parameters" | "responses", uses: ReadonlyArray<Use<A>>): SharedParts<A> => {
  const found = new Map<string, Found<A>>()
  for (const [part, word, path] of uses) {
    const text = JSON.stringify(part)
    const known = found.get(text) ?? { part, word, path, uses: 0, sections: new Set() }
    found.set(text, { ...known, uses: known.uses + 1, sections: known.sections.add(path[0]) })
  }
  const repeated = [...found].filter(([, { uses }]) => uses > 1)
  const isGeneral = ([, { sections }]: (typeof repeated)[number]): boolean => sections.size > 1
  const names = new Map<string, string>()
  const components: Record<string, A> = {}
  for (const one of [...repeated.filter(isGeneral), ...repeated.filter((one) => !isGeneral(one))]) {
    const [text, { part, path, word }] = one
    const name = freeName([word, ...(isGeneral(one) ? path.slice(1) : path)], (taken) => taken in components)
    names.set(text, name)
    components[name] = part
  }
  return {
    of: (part) => {
      const name = names.get(JSON.stringify(part))
      return name === undefined ? part : { $ref: `#/components/${kind}/${name}` }
    },
    components,
  }
}

/** A part with its first occurrence and the sections that use it. */
interface Found<A> {
  readonly part: A
  readonly word: string
  readonly path: ReadonlyArray<string>
  readonly uses: number
  readonly sections: Set<string | undefined>
}

/** The fewest words that give an unused name: `kind-of`, `match` give `KindOf` or `KindOfMatch`. */
export const freeName = ([first = "", ...more]: ReadonlyArray<string>, isTaken: (name: string) => boolean): string => {
  let name = first
  for (const word of more) {
    if (!isTaken(name)) return name
    name += pascal(word)
  }
  while (isTaken(name)) name += "Variant"
  return name
}

export const pascal = (word: string): string =>
  word.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, first: string) => first.toUpperCase())
