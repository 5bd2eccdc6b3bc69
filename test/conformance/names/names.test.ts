/** Names and ids of everything that customers and feeds send and receive follow the rule of their section. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { apexChannels } from "@matchpoint/apex/contract/asyncapi/apexChannels"
import { apexWebhookEvents } from "@matchpoint/apex/contract/webhookEvents"
import { codChannels } from "@matchpoint/cod/contract/asyncapi/codChannels"
import { codWebhookEvents } from "@matchpoint/cod/contract/webhookEvents"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { LiveRpcs } from "@matchpoint/contracts/rpc/LiveRpcs"
import { anyFrameParts, framesOf } from "@matchpoint/contracts/stream/frames"
import { ClientMessage, ControlMessage } from "@matchpoint/contracts/stream/messages"
import { transcriptWebhookEvents } from "@matchpoint/contracts/webhook/transcriptEvents"
import { CompactEvent, CompactMatch } from "@matchpoint/cs2/contract/CompactMatch"
import { LiveEvent } from "@matchpoint/cs2/contract/LiveEvent"
import { LiveMatch } from "@matchpoint/cs2/contract/LiveMatch"
import { cs2WebhookEvents } from "@matchpoint/cs2/contract/webhookEvents"
import { FeedApi } from "@matchpoint/games/api/FeedApi"
import { matchpointDocument } from "@matchpoint/games/api/MatchpointApi"
import { tennisChannels } from "@matchpoint/tennis/contract/asyncapi/tennisChannels"
import { tennisWebhookEvents } from "@matchpoint/tennis/contract/webhookEvents"
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { addFields, type JsonSchema, typesOf } from "./fieldNames.ts"
import { idForms } from "./idForms.ts"
import {
  clientMessageRule,
  controlMessageRule,
  documentRules,
  errorRule,
  fieldRules,
  frameRule,
  type NameRule,
  type NameStyle,
  pathRule,
  queryRules,
  webhookRules,
} from "./nameRules.ts"

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>
}
interface Operation {
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly in: string; readonly schema: JsonSchema }>
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

const documents: ReadonlyArray<Document> = [
  JSON.parse(JSON.stringify(matchpointDocument())),
  JSON.parse(JSON.stringify(OpenApi.fromApi(FeedApi))),
]

/** Schemas by name. */
type Fields = Map<string, Array<JsonSchema>>
type FieldsByPlace = Map<string, Fields>
const at = (places: FieldsByPlace, place: string): Fields => {
  const fields = places.get(place) ?? new Map()
  places.set(place, fields)
  return fields
}

const fields: FieldsByPlace = new Map()
const queries: FieldsByPlace = new Map()
const errors: Fields = new Map()
const inPaths: Fields = new Map()
/** Types of the values of all fields and parameters that are ids, by name. */
const idTypes = new Map<string, Set<string>>()

const isId = (name: string): boolean => /(^|_)ids?$|[a-z0-9](Id|Ids|IdOrSlug)$|^slug$|[a-z]Slug$/.test(name)
const addIds = (found: Fields, resolve: (reference: string) => JsonSchema): void => {
  for (const [name, schemas] of found) {
    if (isId(name))
      for (const type of schemas.flatMap((schema) => typesOf(schema, resolve)))
        idTypes.set(name, (idTypes.get(name) ?? new Set()).add(type))
  }
}

for (const { components, paths } of documents) {
  const resolve = (reference: string): JsonSchema =>
    components.schemas[reference.slice("#/components/schemas/".length)] ?? assert.fail(`${reference} is missing`)
  const collect = ({ content = {} }: Content, into: Fields) => {
    for (const { schema } of Object.values(content)) addFields(schema, resolve, into)
  }
  for (const [path, methods] of Object.entries(paths)) {
    const section = path.replace(API_ROOT, "").split("/")[1] ?? ""
    for (const { parameters, requestBody = {}, responses } of Object.values(methods)) {
      for (const { in: place, name, schema } of parameters) {
        const into = place === "path" ? inPaths : place === "query" ? at(queries, section) : undefined
        into?.set(name, [...(into.get(name) ?? []), schema])
      }
      collect(requestBody, at(fields, section))
      for (const [status, response] of Object.entries(responses)) collect(response, Number(status) < 400 ? at(fields, section) : errors)
    }
  }
  for (const found of [...fields.values(), ...queries.values(), errors, inPaths]) addIds(found, resolve)
}

/** Fields of schemas of the contract. */
const fieldsOf = (schemas: ReadonlyArray<Schema.Constraint>): Fields => {
  const found: Fields = new Map()
  for (const schema of schemas) {
    const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema)
    const resolve = (reference: string): JsonSchema =>
      definitions[reference.split("/").at(-1) ?? ""] ?? assert.fail(`${reference} is missing`)
    const ofSchema: Fields = new Map()
    addFields(root, resolve, ofSchema)
    addIds(ofSchema, resolve)
    for (const [name, one] of ofSchema) found.set(name, [...(found.get(name) ?? []), ...one])
  }
  return found
}

const patterns: Readonly<Record<NameStyle, RegExp>> = {
  camelCase: /^[a-z][a-zA-Z0-9]*$/,
  snake_case: /^[a-z0-9]+(?:_[a-z0-9]+)*$/,
}

const exceptionsOf = ({ exceptions }: NameRule): ReadonlyArray<string> => Object.values(exceptions).flat()

const follows = (found: Fields, rule: NameRule): void =>
  assert.sameMembers(
    [...found.keys()].filter((name) => !patterns[rule.style].test(name)),
    [...exceptionsOf(rule)],
    `names that are not in ${rule.style}`,
  )

const documentsOf = {
  cs2: [LiveMatch, LiveEvent, CompactMatch, CompactEvent],
  ...Object.fromEntries(
    [apexChannels, codChannels, tennisChannels].map(({ definitions, game }) => [game, definitions.map(([schema]) => schema)]),
  ),
}
const webhooksOf = {
  cs2: cs2WebhookEvents,
  tennis: tennisWebhookEvents,
  cod: codWebhookEvents,
  apex: apexWebhookEvents,
  transcript: transcriptWebhookEvents,
}

describe("names", () => {
  it("of fields have the style of their section, except those that the specification or another reason asks for", () => {
    assert.sameMembers([...fields.keys()], Object.keys(fieldRules))
    for (const [section, found] of fields) follows(found, fieldRules[section] ?? assert.fail(section))
  })

  it("of query parameters have the style of their section", () => {
    assert.sameMembers([...queries.keys()], Object.keys(queryRules))
    for (const [section, found] of queries) follows(found, queryRules[section] ?? assert.fail(section))
  })

  it("in paths and in errors are the same in all sections", () => {
    follows(inPaths, pathRule)
    follows(errors, errorRule)
  })

  it("in messages have the style of the message, those of documents the style of the game", () => {
    follows(fieldsOf([ClientMessage]), clientMessageRule)
    follows(fieldsOf([ControlMessage]), controlMessageRule)
    follows(fieldsOf(Object.values(framesOf(anyFrameParts))), frameRule)
    follows(fieldsOf([...LiveRpcs.requests.values()].map(({ payloadSchema }) => payloadSchema)), frameRule)
    for (const [game, schemas] of Object.entries(documentsOf)) follows(fieldsOf(schemas), documentRules[game] ?? assert.fail(game))
  })

  it("in webhooks have the style of the game", () => {
    for (const [game, events] of Object.entries(webhooksOf)) {
      follows(fieldsOf(Object.values(events).map(({ data }) => data)), webhookRules[game] ?? assert.fail(game))
    }
  })

  it("that do not follow a rule are in docs/customers/names.md", () => {
    const page = readFileSync(fileURLToPath(new URL("../../../docs/customers/names.md", import.meta.url)), "utf8")
    const rules = [fieldRules, queryRules, documentRules, webhookRules].flatMap((one) => Object.values(one))
    for (const name of [...rules, controlMessageRule].flatMap(exceptionsOf)) assert.include(page, `\`${name}\``)
  })
})

describe("ids", () => {
  it("are text, never numbers", () => {
    assert.isAbove(idTypes.size, 50)
    const others = [...idTypes].flatMap(([name, types]) => [...types].filter((type) => type !== "string").map((type) => `${name}: ${type}`))
    assert.deepStrictEqual(others, [])
  })

  it.each(idForms)("%s accepts %s and rejects %s", (operation, accepted, rejected) => {
    const [path = "", parameter] = operation.split(" ")
    const found = documents[0]?.paths[API_ROOT + path]?.["get"]?.parameters.find(({ name }) => name === parameter)
    const pattern = new RegExp(Object(found?.schema).pattern ?? assert.fail(`${operation} has no pattern`), "u")
    for (const id of accepted) assert.match(id, pattern)
    for (const id of rejected) assert.notMatch(id, pattern)
  })
})
