/**
 * Types of message format v2, derived from the type of format v1 and a map of its keyed lists. Fields that can be null
 * are optional, and a keyed list is an object. `liveDocument` derives the schema in the same way.
 */

/**
 * Lists that are objects in format v2, by path such as `team1.players`, and the field of their items that is the key.
 */
export type KeyedLists = Readonly<Record<string, string>>

/** `Path` is the path of the object in the document, and `Left` a field that v2 leaves out. */
export type CompactOf<Full, Lists extends KeyedLists, Path extends string = "", Left = never> = Simplify<
  {
    readonly [Key in keyof Full as Key extends Left ? never : null extends Full[Key] ? never : Key]: Value<Full[Key], Lists, At<Path, Key>>
  } & {
    readonly [Key in keyof Full as Key extends Left ? never : null extends Full[Key] ? Key : never]?: Value<
      Exclude<Full[Key], null>,
      Lists,
      At<Path, Key>
    >
  }
>

type Simplify<A> = { readonly [Key in keyof A]: A[Key] }

type At<Path extends string, Key> = Path extends "" ? Key & string : `${Path}.${Key & string}`

type Primitive = string | number | boolean

type Value<Full, Lists extends KeyedLists, Path extends string> = Full extends Primitive
  ? Full
  : Full extends ReadonlyArray<infer Item>
    ? Path extends keyof Lists
      ? { readonly [Id in IdOf<Item, Lists[Path]>]: CompactOf<Item, Lists, Path, Lists[Path]> }
      : ReadonlyArray<Value<Item, Lists, Path>>
    : CompactOf<Full, Lists, Path>

/** Numbers are strings as keys. */
type IdOf<Item, Field> = Field extends keyof Item ? (Item[Field] extends string ? Item[Field] : string) : never
