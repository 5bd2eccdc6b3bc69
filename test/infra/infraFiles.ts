/** Reads the files in infra/. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parse, parseAllDocuments } from "yaml"
import { root } from "../documents/pages.ts"

export const readInfra = (file: string): string => readFileSync(join(root, "infra", file), "utf8")

/** Parses YAML with anchors and merge keys. Throws if a key is repeated. */
export const parseYaml = (text: string): unknown => parse(text, { merge: true })

/** Parses a file of several YAML documents. Throws if one of them has an error. */
export const parseYamlDocuments = (text: string): ReadonlyArray<unknown> =>
  parseAllDocuments(text).map((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0]
    return document.toJS()
  })

/** Replaces `${NAME:-default}` by the default, and other variables of compose by `value`. */
export const withVariables = (text: string, value: (name: string) => string = () => "set"): string =>
  text.replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_, name: string, fallback: string | undefined) => fallback ?? value(name))
