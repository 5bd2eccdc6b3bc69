/**
 * Rejects query parameters that the endpoint does not have. A misspelt filter would otherwise be ignored, and the
 * answer would look right.
 */
import { nearestName } from "@matchpoint/domain/nearestName"
import { type Schema, SchemaAST } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { ValidationError } from "./errors.ts"

/** Innermost middleware of its groups: a missing key is reported first, and the request is metered. */
export class QueryRules extends HttpApiMiddleware.Service<QueryRules>()("@matchpoint/contracts/http/QueryRules", {
  error: ValidationError,
}) {}

export const queryNamesOf = (query: Schema.Top | undefined): ReadonlyArray<string> => {
  const ast = query === undefined ? undefined : SchemaAST.toEncoded(query.ast)
  return ast !== undefined && SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []
}

/** The error for the first name that is not known. */
export const unknownParameter = (names: Iterable<string>, known: ReadonlyArray<string>): ValidationError | undefined => {
  for (const name of names) {
    if (known.includes(name)) continue
    const nearest = nearestName(name, known)
    const told = name.slice(0, MAX_NAME_LENGTH)
    const parameters = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`
    const advice = nearest === undefined ? `; ${parameters}` : `; did you mean ${nearest}?`
    return ValidationError.because(`this endpoint has no query parameter ${told}${advice}`, {
      parameter: told,
      nearest: nearest ?? null,
      known,
    })
  }
  return undefined
}

/** Longest name in a message, in characters. */
const MAX_NAME_LENGTH = 60
