/** Converts schemas to JSON Schema draft 7, as AsyncAPI requires. Shared definitions go to `components/schemas`. */
import { Cursor } from "@matchpoint/contracts/stream/cursors"
import { MissingRange } from "@matchpoint/contracts/stream/messages"
import { JsonSchema, Schema, type SchemaAST } from "effect"
import { CompactEvent, CompactMatch } from "../CompactMatch.ts"
import { LiveEvent } from "../LiveEvent.ts"
import { LiveMatch } from "../LiveMatch.ts"

/** The schemas that become shared definitions, each with the name of its definition. */
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
  readonly #shared: ReadonlyMap<SchemaAST.AST, string>

  /** `definitions` are the shared definitions of other games. */
  constructor(definitions: ReadonlyArray<readonly [Schema.Top, string]> = []) {
    this.#shared = new Map([...shared, ...definitions.map(([{ ast }, name]) => [ast, name] as const)])
  }

  /** Shared definitions become references into `components`, to which they are added. */
  of(schema: Schema.Constraint): JsonSchema.JsonSchema {
    const document = JsonSchema.toDocumentDraft07(
      Schema.toJsonSchemaDocument(schema, { referencePolicy: ({ ast }) => this.#shared.get(ast) }),
    )
    for (const [name, definition] of Object.entries(document.definitions)) this.components[name] = referringHere(definition)
    return referringHere(document.schema)
  }
}

const referringHere = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/definitions/', '"$ref":"#/components/schemas/'))
