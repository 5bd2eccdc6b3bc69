/** The OpenAPI document of one section: its paths, and the components that they need. */
import { API_ROOT } from "../apiRoot.ts"
import type { CompactDocument } from "./compactDocument.ts"
import { mapValues } from "./sharedSchemas.ts"

/** `platform` has everything that belongs to no game. */
export const documentSections = ["cs2", "tennis", "cod", "apex", "platform"] as const
export type DocumentSection = (typeof documentSections)[number]

/** The path may start with the API root. */
export const sectionOf = (path: string): DocumentSection => {
  const [first] = path.slice(path.startsWith(API_ROOT) ? API_ROOT.length + 1 : 1).split("/")
  return documentSections.find((section) => section === first) ?? "platform"
}

export const sectionDocument = <Document extends CompactDocument>(document: Document, section: DocumentSection) => {
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => sectionOf(path) === section))
  const tags = new Set(Object.values(paths).flatMap((methods) => Object.values(methods).flatMap((operation) => operation.tags)))
  const needed = neededBy(paths, document.components)
  return {
    ...document,
    tags: document.tags.filter(({ name }) => tags.has(name)),
    paths,
    components: mapValues(document.components, (parts, kind) =>
      kind === "securitySchemes"
        ? parts
        : Object.fromEntries(Object.entries(parts).filter(([name]) => needed.has(`#/components/${kind}/${name}`))),
    ),
  }
}

/** The components that `part` refers to, including those that other components refer to. */
const neededBy = (part: unknown, components: Readonly<Record<string, Readonly<Record<string, unknown>>>>): ReadonlySet<string> => {
  const needed = new Set<string>()
  const add = (text: string): void => {
    for (const [, reference = "", kind = "", name = ""] of text.matchAll(/"\$ref":"(#\/components\/([^/"]+)\/([^"]+))"/g)) {
      if (needed.has(reference)) continue
      needed.add(reference)
      add(JSON.stringify(components[kind]?.[name]))
    }
  }
  add(JSON.stringify(part))
  return needed
}
