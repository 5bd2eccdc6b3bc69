/**
 * Readers of JSON whose format is not guaranteed: a value that is not as expected is noted and dropped, and the rest is
 * read. `null` is read like an absent value.
 */
import { Result, Schema } from "effect"

/** Notes a value that cannot be read. `path` are the keys that lead to it, `issue` says what was expected. */
export type Note = (path: ReadonlyArray<string>, issue: unknown) => void

/** As far as the value can be read. Undefined if it cannot be read at all. */
export type Reader<A> = (value: unknown, note: Note, path: ReadonlyArray<string>) => A | undefined

type TypeOf<R> = R extends Reader<infer A> ? A : never

export const decodedBy = <S extends Schema.Decoder<unknown>>(schema: S): Reader<S["Type"]> => {
  const decode = Schema.decodeUnknownResult(schema)
  return (value, note, path) => {
    const decoded = decode(value)
    if (Result.isSuccess(decoded)) return decoded.success
    note(path, decoded.failure)
    return undefined
  }
}

/** Ignores other fields. A field that cannot be read is absent. */
export const fieldsOf = <const F extends Readonly<Record<string, Reader<unknown>>>>(
  fields: F,
): Reader<{ readonly [K in keyof F]?: TypeOf<F[K]> }> => {
  const readers = Object.entries(fields)
  return (value, note, path) => {
    if (!isObject(value)) return expectedObject(note, path)
    const read = readers.flatMap(([key, reader]) => {
      const found = value[key] == null ? undefined : reader(value[key], note, [...path, key])
      return found === undefined ? [] : [[key, found]]
    })
    // The entries have exactly the keys and types of the fields' readers.
    return Object.fromEntries(read) as { readonly [K in keyof F]?: TypeOf<F[K]> }
  }
}

/** Any keys, one type of values. An entry that cannot be read is left out. */
export const entriesOf =
  <A>(reader: Reader<A>): Reader<Readonly<Record<string, A>>> =>
  (value, note, path) => {
    if (!isObject(value)) return expectedObject(note, path)
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, entry]) => {
        const found = entry == null ? undefined : reader(entry, note, [...path, key])
        return found === undefined ? [] : [[key, found] as const]
      }),
    )
  }

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const expectedObject = (note: Note, path: ReadonlyArray<string>): undefined => {
  note(path, "Expected an object")
  return undefined
}
