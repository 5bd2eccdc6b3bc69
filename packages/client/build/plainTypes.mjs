/**
 * Writes types of the contract as plain TypeScript, without schemas and brands: for declarations that need no Effect. Works on the checker's
 * types, so that whatever a schema infers is written out.
 */
import ts from "typescript"

/** @typedef {{ readonly module: string, readonly name: string }} Wanted a type by the file that exports it */

/**
 * `export type` declarations of the wanted types, in order.
 * @param {ts.Program} program has every wanted module
 * @param {ReadonlyArray<Wanted>} wanted
 */
export function plainTypes(program, wanted) {
  const checker = program.getTypeChecker()
  const declarations = wanted.map(({ module, name }) => {
    const file = program.getSourceFile(module)
    const symbol = file && checker.getSymbolAtLocation(file)
    const exported = symbol && checker.getExportsOfModule(symbol).find((one) => one.name === name)
    if (exported === undefined) throw new Error(`${module} exports no ${name}`)
    const target = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    const doc = comment(target.getDocumentationComment(checker), "")
    return `${doc}export type ${name} = ${print(checker, checker.getDeclaredTypeOfSymbol(target), "", [])}\n`
  })
  const text = declarations.join("\n")
  return /\bJson\b/.test(text) ? `${jsonType}\n${text}` : text
}

/**
 * @param {ts.TypeChecker} checker
 * @param {ts.Type} type
 * @param {string} indent
 * @param {ReadonlyArray<ts.Type>} within the types that this one is a part of
 * @returns {string}
 */
function print(checker, type, indent, within) {
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return "unknown"
  const json = jsonNames[type.aliasSymbol?.name ?? type.symbol?.name ?? ""]
  if (json !== undefined) return json
  if (type.isUnion()) return union(checker, type.types, indent, within)
  if (type.isIntersection()) {
    // A branded primitive is written as the primitive.
    const primitive = type.types.find((part) => part.flags & PRIMITIVE)
    if (primitive !== undefined) return print(checker, primitive, indent, within)
  }
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return checker.typeToString(type)
  if (within.includes(type)) throw new Error(`recursive type: ${checker.typeToString(type)}`)
  const inner = [...within, type]
  if (checker.isTupleType(type)) {
    const parts = checker.getTypeArguments(/** @type {ts.TypeReference} */ (type)).map((part) => print(checker, part, indent, inner))
    return `readonly [${parts.join(", ")}]`
  }
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(/** @type {ts.TypeReference} */ (type))
    return `ReadonlyArray<${element === undefined ? "unknown" : print(checker, element, indent, inner)}>`
  }
  return object(checker, type, indent, inner)
}

/** Effect's recursive types of JSON values, by name. @type {Readonly<Record<string, string>>} */
const jsonNames = { Json: "Json", JsonArray: "ReadonlyArray<Json>", JsonObject: "{ readonly [key: string]: Json }" }

const jsonType =
  "/** Any JSON value. */\nexport type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [key: string]: Json }\n"

const PRIMITIVE = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike | ts.TypeFlags.BigIntLike

/**
 * @param {ts.TypeChecker} checker
 * @param {ReadonlyArray<ts.Type>} types
 * @param {string} indent
 * @param {ReadonlyArray<ts.Type>} within
 */
function union(checker, types, indent, within) {
  const texts = [...new Set(types.map((part) => print(checker, part, indent, within)))]
  const isBoolean = texts.includes("true") && texts.includes("false")
  return (isBoolean ? [...texts.filter((text) => text !== "true" && text !== "false"), "boolean"] : texts).join(" | ")
}

/**
 * @param {ts.TypeChecker} checker
 * @param {ts.Type} type
 * @param {string} indent
 * @param {ReadonlyArray<ts.Type>} within
 */
function object(checker, type, indent, within) {
  const inside = `${indent}  `
  const indexes = checker
    .getIndexInfosOfType(type)
    .map(
      (index) =>
        `${inside}readonly [key: ${print(checker, index.keyType, inside, within)}]: ${print(checker, index.type, inside, within)}\n`,
    )
  const properties = checker.getPropertiesOfType(type).map((property) => {
    const name = /^[A-Za-z_$][\w$]*$/.test(property.name) ? property.name : JSON.stringify(property.name)
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0
    const doc = comment(property.getDocumentationComment(checker), inside)
    const whole = print(checker, checker.getTypeOfSymbol(property), inside, within)
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
