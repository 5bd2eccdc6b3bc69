/**
 * The OpenAPI document as it is served: responses, parameters, examples and parts of schemas that occur more than once
 * become components. The content is that of the generated document.
 */
import { API_ROOT } from "../apiRoot.ts"
import type { Answer, Example, MediaType, Operation, Parameter, Paths, Reference, Schemas } from "./Document.ts"
import { pascal, sharedParts } from "./sharedParts.ts"
import { mapValues, sharedSchemas, shortened } from "./sharedSchemas.ts"

/** The parts of a document that change, or that select the content of a section. */
export interface FullDocument {
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly paths: Paths
  readonly components: {
    readonly schemas: Schemas
    readonly headers: Readonly<Record<string, unknown>>
    readonly securitySchemes: Readonly<Record<string, unknown>>
  }
}

export type CompactDocument = ReturnType<typeof compactDocument<FullDocument>>

export const compactDocument = <Document extends FullDocument>(full: Document) => {
  const document: Document = shortened(full)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ operation, words: wordsOf(path) })),
  )
  const parameters = sharedParts<Parameter>(
    "parameters",
    operations.flatMap(({ operation, words }) =>
      operation.parameters.map((one) => [one, `${one.name}In${pascal(one.in)}`, words] as const),
    ),
  )
  const examples = sharedParts<Example>(
    "examples",
    operations.flatMap(({ operation, words }) => examplesOf(operation).map(([name, example]) => [example, name, words] as const)),
  )
  const withExamples = (answer: Answer) =>
    answer.content === undefined
      ? answer
      : { ...answer, content: mapValues(answer.content, (media) => ({ ...media, ...sharedExamples(media, examples.of) })) }
  const responses = sharedParts(
    "responses",
    operations.flatMap(({ operation, words }) =>
      Object.entries(operation.responses).map(([status, answer]) => [withExamples(answer), `Status${status}`, words] as const),
    ),
  )
  return {
    ...document,
    security: usualSecurity,
    paths: mapValues(document.paths, (methods) =>
      mapValues(methods, ({ security, ...operation }) => ({
        ...operation,
        parameters: operation.parameters.map(parameters.of),
        ...(JSON.stringify(security) === JSON.stringify(usualSecurity) ? {} : { security }),
        responses: mapValues(operation.responses, (answer) => responses.of(withExamples(answer))),
      })),
    ),
    components: {
      ...document.components,
      schemas: sharedSchemas(document.components.schemas),
      parameters: parameters.components,
      responses: responses.components,
      examples: examples.components,
    },
  }
}

/** Security of operations that do not name their own. */
const usualSecurity: Operation["security"] = [{ apiKey: [] }, { bearer: [] }]

/** `/api/v1/cs2/matches/{matchId}/maps` gives `cs2`, `matches`, `maps`. */
const wordsOf = (path: string): ReadonlyArray<string> =>
  path
    .replace(API_ROOT, "")
    .split("/")
    .filter((word) => word !== "" && !word.startsWith("{"))

const examplesOf = ({ responses }: Operation): ReadonlyArray<readonly [name: string, example: Example]> =>
  Object.values(responses).flatMap(({ content = {} }) =>
    Object.entries(content).flatMap(([type, { examples = {} }]) =>
      Object.entries(examples).map(([name, example]) => [type.includes("problem") ? `${name}Problem` : name, example] as const),
    ),
  )

const sharedExamples = ({ examples }: MediaType, shared: (example: Example) => Example | Reference) =>
  examples === undefined ? {} : { examples: mapValues(examples, shared) }
