/**
 * Schemas as AsyncAPI wants them: JSON Schema draft 7, what several messages share said once under `components/schemas`. Nothing is
 * written by hand here: a field of the contract is a field of the document.
 */
import { JsonSchema, Schema, type SchemaAST } from "effect"
import { Cursor } from "../../stream/cursors.ts"
import { MissingRange } from "../../stream/messages.ts"
import { CompactEvent, CompactMatch } from "../CompactMatch.ts"
import { LiveEvent } from "../LiveEvent.ts"
import { LiveMatch } from "../LiveMatch.ts"

/** Said once, whoever uses them. */
const shared = new Map<SchemaAST.AST, string>([
  [LiveMatch.ast, "LiveMatch"],
  [LiveEvent.ast, "LiveEvent"],
  [CompactMatch.ast, "CompactMatch"],
  [CompactEvent.ast, "CompactEvent"],
  [Cursor.ast, "Cursor"],
  [MissingRange.ast, "MissingRange"],
])

export class JsonSchemas {
  readonly components: Record<string, JsonSchema.JsonSchema> = {}

  /** The schema, with references into `components`. */
  of(schema: Schema.Constraint): JsonSchema.JsonSchema {
    const document = JsonSchema.toDocumentDraft07(Schema.toJsonSchemaDocument(schema, { referencePolicy: ({ ast }) => shared.get(ast) }))
    for (const [name, definition] of Object.entries(document.definitions)) this.components[name] = referringHere(definition)
    return referringHere(document.schema)
  }
}

const referringHere = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/definitions/', '"$ref":"#/components/schemas/'))
