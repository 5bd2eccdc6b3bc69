/**
 * Checks the errors of the data sections on every operation and parameter of the document: 404 for unknown ids, 400 for
 * invalid values.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { inject } from "vitest"
import { type ArchiveResponse, ArchiveStack, archiveStacks, daysFrom } from "../../fixtures/archiveStack.ts"
import { addressOf, type Operation, operations, type Parameter, takes } from "./archiveOperations.ts"
import { absent, misshapen, odd, wrongValues } from "./wrongValues.ts"

/** Asserts status and code of an error and returns its message. */
const refused = (response: ArchiveResponse, status: number, code: string, of: string) => {
  assert.strictEqual(response.status, status, `${of}: ${response.text}`)
  assert.strictEqual(response.error?.code, code, of)
  return response.error?.message ?? ""
}

/** Asserts that a validation error names the invalid parameter. */
const named = (response: ArchiveResponse, name: string, of: string) => {
  refused(response, 400, "VALIDATION_ERROR", of)
  assert.include(JSON.stringify(response.error), name, of)
}

const ranges = [
  ["from", "to"],
  ["after", "before"],
] as const

/** Asserts that an unusual request gets a regular response. */
const answered = (response: ArchiveResponse, of: string) => assert.include([200, 400, 404], response.status, `${of}: ${response.text}`)

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl")))) {
  it.layer(stack, { timeout: "60 seconds", excludeTestServices: true })(`refusals on ${database}`, (it) => {
    const each = <A>(values: ReadonlyArray<A>, ask: (value: A, get: ArchiveStack["Service"]["get"]) => Effect.Effect<void>) =>
      Effect.flatMap(ArchiveStack, ({ get }) => Effect.forEach(values, (value) => ask(value, get), { discard: true }))

    const ofPath = (operation: Operation, { name, schema }: Parameter) => {
      it.effect(`${operation.path} responds 404 to an unknown ${name} and rejects an invalid one`, () =>
        Effect.gen(function* () {
          const address = (value: string) => addressOf(operation, {}, { [name]: value })
          yield* each(absent[name] ?? [], (value, get) =>
            Effect.map(get(address(value)), (response) => {
              const message = refused(response, 404, "NOT_FOUND", value)
              assert.match(message, /GET \/cs2\//, "the message names the list to look in")
            }),
          )
          yield* each(misshapen, (value, get) =>
            Effect.map(get(address(encodeURIComponent(value))), (response) => {
              assert.include([400, 404], response.status, `${value}: ${response.text}`)
              assert.strictEqual(response.error?.code, response.status === 400 ? "VALIDATION_ERROR" : "NOT_FOUND", value)
            }),
          )
          if (schema.enum !== undefined)
            yield* each(["nonsense"], (value, get) => Effect.map(get(address(value)), (response) => named(response, name, value)))
        }),
      )
    }

    for (const operation of operations) {
      for (const parameter of operation.inPath) ofPath(operation, parameter)

      it.effect(`${operation.path} rejects invalid parameters and handles unusual values`, () =>
        Effect.gen(function* () {
          const parameters = operation.inQuery
          for (const parameter of parameters) {
            const { name } = parameter
            yield* each(wrongValues(parameter), (value, get) => {
              const address = addressOf(operation, { [name]: value })
              return Effect.map(get(address), (response) => named(response, name, address))
            })
            yield* each(odd, (value, get) => {
              const address = addressOf(operation, { [name]: value })
              return Effect.map(get(address), (response) => answered(response, address))
            })
          }
          const plain = addressOf(operation)
          const more = plain.includes("?") ? `${plain}&` : `${plain}?`
          yield* each(
            parameters.flatMap(({ name }) => [`${more}${name}=1&${name}=2`, `${more}${name}=%zz`, `${more}${name}`, `${more}${name}[]=1`]),
            (address, get) => Effect.map(get(address), (response) => answered(response, address)),
          )
          const { get } = yield* ArchiveStack
          for (const name of ["nonsense", "__proto__"]) {
            const { status, text } = yield* get(`${more}${name}=1`)
            assert.strictEqual(status, 400, `${name}: ${text}`)
            assert.include(text, name)
          }
        }),
      )

      for (const parameter of operation.inQuery.filter(({ required }) => required)) {
        it.effect(`${operation.path} requires ${parameter.name}`, () =>
          each([addressOf(operation, { [parameter.name]: undefined })], (address, get) =>
            Effect.map(get(address), (response) => named(response, parameter.name, address)),
          ),
        )
      }
    }

    for (const [from, to] of ranges) {
      it.effect(`rejects a ${to} before ${from}`, () =>
        Effect.gen(function* () {
          const { get, now } = yield* ArchiveStack
          const those = takes(from)
          assert.isNotEmpty(those)
          for (const operation of those) {
            const address = addressOf(operation, { [from]: daysFrom(now, -1), [to]: daysFrom(now, -2) })
            const message = refused(yield* get(address), 400, "VALIDATION_ERROR", address)
            assert.include(message, daysFrom(now, -1))
            const moment = addressOf(operation, { [from]: daysFrom(now, -1), [to]: daysFrom(now, -1) })
            assert.strictEqual((yield* get(moment)).status, 200, moment)
          }
        }),
      )
    }

    it.effect("responds 404 to head-to-head and form of unknown teams", () =>
      each(
        ["/cs2/head-to-head", "/cs2/stats/head-to-head"]
          .flatMap((path) => [`${path}?team1=cs2-team-1&team2=nobody-of-that-name`, `${path}?team1=cs2-team-99999&team2=cs2-team-2`])
          .concat("/cs2/stats/form?team=nobody-of-that-name"),
        (address, get) => Effect.map(get(address), (response) => assert.match(refused(response, 404, "NOT_FOUND", address), /GET \/cs2\//)),
      ),
    )
  })
}
