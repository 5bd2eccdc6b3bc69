/**
 * Writes types of the contract as plain TypeScript, without schemas and brands: for declarations that need no Effect. Works on the checker's
 * types, so that whatever a schema infers is written out.
 */
import ts from "typescript"

/**
 * `named`: texts of the entities met so far, by name. An entity has a field `entityType` that names it.
 * @typedef {{ readonly checker: ts.TypeChecker, readonly named: Map<string, string> }} Writer
 */

/** @typedef {{ readonly module: string, readonly name: string }} Wanted a type by the file that exports it */

/**
 * `export type` declarations of the wanted types, in order.
 * @param {ts.Program} program has every wanted module
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
 * @param {Writer} writer
 * @param {ts.Type} type
 * @param {string} indent
 * @param {ReadonlyArray<ts.Type>} within the types that this one is a part of
 * @returns {string}
 */
function print(writer, type, indent, within) {
  const { checker } = writer
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return "unknown"
  const json = jsonOf(type)
  if (json !== undefined) return json
  if (type.isUnion()) return union(writer, type.types, indent, within)
  if (type.isIntersection()) {
    // A branded primitive is written as the primitive.
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
 * The name of an entity, from the value of its field `entityType`; undefined for other objects.
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
 * The name by which an entity is declared. Forms of one entity that differ, as in lists and profiles, are numbered.
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

/** Effect's recursive types of JSON values, by name. @type {Readonly<Record<string, string>>} */
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
    // JSON has no undefined: an optional field is absent.
    const text = isOptional ? whole.replace(/^undefined \| /, "") : whole
    return `${doc}${inside}readonly ${name}${isOptional ? "?" : ""}: ${text}\n`
  })
  return indexes.length + properties.length === 0 ? "object" : `{\n${indexes.join("")}${properties.join("")}${indent}}`
}

/**
 * @param {ReadonlyArray<ts.SymbolDisplayPart>} parts
 * @param {string} indent
 */
function comment(parts, indent) {
  const text = ts.displayPartsToString([...parts]).trim()
  return text === "" ? "" : `${indent}/** ${text.replaceAll("\n", `\n${indent} * `)} */\n`
}
