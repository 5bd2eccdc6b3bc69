/**
 * Writes types of the API contract as plain TypeScript, without schemas and brands, for declarations that must not
 * depend on Effect. The types are read from the TypeScript checker, so that even types inferred from schemas can be
 * written out in full.
 */
import ts from "typescript"

/**
 * State of the writer. `named` maps the name of each entity found so far to the text of its type. An entity is an
 * object type whose field `entityType` contains its name.
 * @typedef {{ readonly checker: ts.TypeChecker, readonly named: Map<string, string> }} Writer
 */

/**
 * An exported type to write out. `module` is the file that exports it, and `name` is its name.
 * @typedef {{ readonly module: string, readonly name: string }} Wanted
 */

/**
 * Returns the `export type` declarations of the wanted types, in the order given. They are preceded by the declarations
 * of the entity types that they use.
 * @param {ts.Program} program must contain every module in `wanted`
 * @param {ReadonlyArray<Wanted>} wanted
 */
export function plainTypes(program, wanted) {
  const checker = program.getTypeChecker()
  /** @type {Writer} */
  const writer = { checker, named: new Map() }
  const declarations = wanted.map(({ module, name }) => {
    const file = program.getSourceFile(module)
    const symbol = file && checker.getSymbolAtLocation(file)
    const exported = symbol && checker.getExportsOfModule(symbol).find((one) => one.name === name)
    if (exported === undefined) throw new Error(`${module} exports no ${name}`)
    const target = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    const doc = comment(target.getDocumentationComment(checker), "")
    return `${doc}export type ${name} = ${print(writer, checker.getDeclaredTypeOfSymbol(target), "", [])}\n`
  })
  const entities = Array.from(writer.named, ([name, type]) => `export type ${name} = ${type}\n`)
  const text = [...entities, ...declarations].join("\n")
  return /\bJson\b/.test(text) ? `${jsonType}\n${text}` : text
}

/**
 * Returns the TypeScript text of a type.
 * @param {Writer} writer
 * @param {ts.Type} type
 * @param {string} indent
 * @param {ReadonlyArray<ts.Type>} within types that contain this type, outermost first
 * @returns {string}
 */
function print(writer, type, indent, within) {
  const { checker } = writer
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return "unknown"
  if (type.symbol?.name === "Uint8Array") return "Uint8Array"
  const json = jsonOf(type)
  if (json !== undefined) return json
  if (type.isUnion()) return union(writer, type.types, indent, within)
  if (type.isIntersection()) {
    // A branded primitive type is written as the primitive type alone.
    const primitive = type.types.find((part) => part.flags & PRIMITIVE)
    if (primitive !== undefined) return print(writer, primitive, indent, within)
  }
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return checker.typeToString(type)
  if (within.includes(type)) throw new Error(`recursive type: ${checker.typeToString(type)}`)
  const inner = [...within, type]
  if (checker.isTupleType(type)) {
    const parts = checker.getTypeArguments(/** @type {ts.TypeReference} */ (type)).map((part) => print(writer, part, indent, inner))
    return `readonly [${parts.join(", ")}]`
  }
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(/** @type {ts.TypeReference} */ (type))
    return `ReadonlyArray<${element === undefined ? "unknown" : print(writer, element, indent, inner)}>`
  }
  const name = entityOf(checker, type)
  return name === undefined ? object(writer, type, indent, inner) : entity(writer, name, object(writer, type, "", inner))
}

/**
 * Returns the name of an entity type in Pascal case, from the value of its field `entityType`. Undefined for other
 * object types.
 * @param {ts.TypeChecker} checker
 * @param {ts.Type} type
 */
function entityOf(checker, type) {
  const field = type.getProperty("entityType")
  const value = field && checker.getTypeOfSymbol(field)
  if (value === undefined || !value.isStringLiteral()) return undefined
  return value.value.replace(/(?:^|_)([a-z0-9])/g, (_, letter) => letter.toUpperCase())
}

/**
 * Returns the name under which an entity type is declared. If an entity has different forms, for example in lists and
 * in profiles, the second and later forms get a number.
 * @param {Writer} writer
 * @param {string} name
 * @param {string} text
 */
function entity({ named }, name, text) {
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${name}${number}`
    const known = named.get(numbered)
    if (known === undefined) named.set(numbered, text)
    if (known === undefined || known === text) return numbered
  }
}

/**
 * Maps the names of Effect's recursive JSON types to the plain types that replace them.
 * @type {Readonly<Record<string, string>>}
 */
const jsonNames = { Json: "Json", JsonArray: "ReadonlyArray<Json>", JsonObject: "{ readonly [key: string]: Json }" }

/** @param {ts.Type} type */
function jsonOf(type) {
  const symbol = type.aliasSymbol ?? type.symbol
  const isEffects = symbol?.declarations?.some((declaration) => /\/effect\/(src|dist)\//.test(declaration.getSourceFile().fileName))
  return isEffects ? jsonNames[symbol.name] : undefined
}

const jsonType =
  "/** Any JSON value. */\nexport type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [key: string]: Json }\n"

const PRIMITIVE = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike | ts.TypeFlags.BigIntLike

/**
 * Returns the text of a union type. Duplicate members are removed, and `true | false` is written as `boolean`.
 * @param {Writer} writer
 * @param {ReadonlyArray<ts.Type>} types
 * @param {string} indent
 * @param {ReadonlyArray<ts.Type>} within
 */
function union(writer, types, indent, within) {
  const texts = [...new Set(types.map((part) => print(writer, part, indent, within)))]
  const isBoolean = texts.includes("true") && texts.includes("false")
  return (isBoolean ? [...texts.filter((text) => text !== "true" && text !== "false"), "boolean"] : texts).join(" | ")
}

/**
 * Returns the text of an object type, with its index signatures and fields.
 * @param {Writer} writer
 * @param {ts.Type} type
 * @param {string} indent
 * @param {ReadonlyArray<ts.Type>} within
 */
function object(writer, type, indent, within) {
  const { checker } = writer
  const inside = `${indent}  `
  const indexes = checker
    .getIndexInfosOfType(type)
    .map(
      (index) => `${inside}readonly [key: ${print(writer, index.keyType, inside, within)}]: ${print(writer, index.type, inside, within)}\n`,
    )
  const properties = checker.getPropertiesOfType(type).map((property) => {
    const name = /^[A-Za-z_$][\w$]*$/.test(property.name) ? property.name : JSON.stringify(property.name)
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0
    const doc = comment(property.getDocumentationComment(checker), inside)
    const whole = print(writer, checker.getTypeOfSymbol(property), inside, within)
    // In JSON, a field without a value is absent rather than undefined. `undefined` is therefore removed from the types
    // of optional fields.
    const text = isOptional ? whole.replace(/^undefined \| /, "") : whole
    return `${doc}${inside}readonly ${name}${isOptional ? "?" : ""}: ${text}\n`
  })
  return indexes.length + properties.length === 0 ? "object" : `{\n${indexes.join("")}${properties.join("")}${indent}}`
}

/**
 * Returns documentation as a JSDoc comment, or an empty string if there is none.
 * @param {ReadonlyArray<ts.SymbolDisplayPart>} parts
 * @param {string} indent
 */
function comment(parts, indent) {
  const text = ts.displayPartsToString([...parts]).trim()
  return text === "" ? "" : `${indent}/** ${text.replaceAll("\n", `\n${indent} * `)} */\n`
}
