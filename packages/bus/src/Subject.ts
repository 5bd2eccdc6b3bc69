/** Subjects and filters by the rules of NATS, so that every driver behaves the same. */

const printable = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x21 || code === 0x7f) return false
  }
  return text.isWellFormed()
}

const maxSubjectLength = 255

/** A subject has non-empty tokens without wildcards, spaces or control characters, at most 255 characters. */
export const isSubject = (subject: string): boolean =>
  subject.length <= maxSubjectLength && printable(subject) && subject.split(".").every((token) => token !== "" && !/[*>]/.test(token))

/** A filter is a subject in which tokens may be `*` and the last one may be `>`. */
export const isFilter = (filter: string): boolean => {
  const tokens = filter.split(".")
  return (
    filter.length <= maxSubjectLength &&
    printable(filter) &&
    tokens.every((token, i) => token !== "" && (token === "*" || (token === ">" && i === tokens.length - 1) || !/[*>]/.test(token)))
  )
}

export const isExact = (filter: string): boolean => !filter.includes("*") && !filter.includes(">")

/** True if both a NATS server and a file system accept the name. */
export const isStreamName = (name: string): boolean => /^[A-Za-z0-9_-]{1,128}$/.test(name)

/** A record id has 1 to 512 characters, no control characters, no space at either end (a NATS header would trim it). */
export const isRecordId = (id: string): boolean => {
  const length = id.length
  if (length === 0 || length > 512 || id.charCodeAt(0) === 0x20 || id.charCodeAt(length - 1) === 0x20) return false
  for (let i = 0; i < length; i++) {
    const code = id.charCodeAt(i)
    if (code < 0x20 || code === 0x7f) return false
  }
  return id.isWellFormed()
}

/** Runs once per record. For the usual filters (exact, `a.b.>`, `a.b.*`) it allocates no memory. */
export const matcher = (filter: string): ((subject: string) => boolean) => {
  if (filter === ">") return () => true
  if (isExact(filter)) return (subject) => subject === filter
  const prefix = filter.slice(0, -1)
  if (isExact(prefix)) {
    return filter.endsWith(">")
      ? (subject) => subject.length > prefix.length && subject.startsWith(prefix)
      : (subject) => subject.startsWith(prefix) && subject.indexOf(".", prefix.length) === -1
  }
  const pattern = filter.split(".")
  return (subject) => covers(pattern, subject.split("."))
}

export const matcherOf = (filters: ReadonlyArray<string>): ((subject: string) => boolean) => {
  const [first, ...others] = filters
  if (first !== undefined && others.length === 0) return matcher(first)
  const patterns = filters.map((filter) => filter.split("."))
  return (subject) => {
    const tokens = subject.split(".")
    return patterns.some((pattern) => covers(pattern, tokens))
  }
}

/** Returns true if `outer` matches every subject that `inner` matches. `inner` is a filter or a subject. */
export const contains = (outer: string, inner: string): boolean => covers(outer.split("."), inner.split("."))

/** Returns true if some subject could match both. */
export const overlaps = (left: string, right: string): boolean => {
  const a = left.split(".")
  const b = right.split(".")
  for (let i = 0; ; i++) {
    if (i === a.length || i === b.length) return a.length === b.length
    if (a[i] === ">" || b[i] === ">") return true
    if (a[i] !== "*" && b[i] !== "*" && a[i] !== b[i]) return false
  }
}

const covers = (outer: ReadonlyArray<string>, inner: ReadonlyArray<string>): boolean => {
  for (let i = 0; i < outer.length; i++) {
    if (i === inner.length) return false
    if (outer[i] === ">") return true
    if (inner[i] === ">" || (outer[i] !== "*" && outer[i] !== inner[i])) return false
  }
  return outer.length === inner.length
}
