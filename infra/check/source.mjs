/**
 * Reads a TypeScript file as far as the checks need it: which modules it imports or re-exports and where, and its code
 * without comments and texts. It is a scanner, not a parser, so that the check runs on the host's Node with nothing installed.
 */

/**
 * @typedef {{ readonly specifier: string, readonly line: number, readonly kind: "import" | "export", readonly clause: string }} ModuleReference
 * `kind` is "export" for `export ... from`; `clause` is what stands between the keyword and `from`.
 * @typedef {{ readonly code: string, readonly texts: ReadonlyArray<{ readonly start: number, readonly end: number }> }} Scanned
 * `code` is as long as the source and has its line breaks; comments, regular expressions and what is inside quotes are blank.
 */

/**
 * @param {string} source
 * @returns {Scanned}
 */
export function scan(source) {
  /** @type {Array<{ start: number, end: number }>} */
  const texts = []
  const out = source.split("")
  /** How many braces are open inside each `${`, innermost last. @type {Array<number>} */
  const holes = []
  /** The last character of code: decides whether `/` divides or opens a regular expression. */
  let last = ""
  let at = 0

  /** @param {number} from @param {number} to */
  const blank = (from, to) => {
    for (let i = from; i < to; i++) if (out[i] !== "\n") out[i] = " "
  }
  /** From after a backtick or a hole's `}` to after the closing backtick or the next `${`. */
  const template = () => {
    const start = at
    while (at < source.length && source[at] !== "`" && !source.startsWith("${", at)) at += source[at] === "\\" ? 2 : 1
    blank(start, Math.min(at, source.length))
    if (source[at] === "`") at += 1
    else {
      holes.push(0)
      at += 2
    }
    last = "`"
  }

  while (at < source.length) {
    const char = source.charAt(at)
    if (source.startsWith("//", at)) {
      const end = endOr(source.indexOf("\n", at), source)
      blank(at, end)
      at = end
    } else if (source.startsWith("/*", at)) {
      const end = endOr(source.indexOf("*/", at + 2) + 2, source, 1)
      blank(at, end)
      at = end
    } else if (char === '"' || char === "'") {
      const start = at
      at += 1
      while (at < source.length && source[at] !== char && source[at] !== "\n") at += source[at] === "\\" ? 2 : 1
      at += 1
      blank(start + 1, at - 1)
      texts.push({ start, end: at })
      last = char
    } else if (char === "`") {
      at += 1
      template()
    } else if (char === "}" && holes.length > 0 && holes[holes.length - 1] === 0) {
      holes.pop()
      at += 1
      template()
    } else if (char === "/" && opensRegularExpression(out, at, last)) {
      const end = endOfRegularExpression(source, at)
      blank(at, end)
      at = end
      last = "/"
    } else {
      const depth = holes.length - 1
      if (depth >= 0 && char === "{") holes[depth] = (holes[depth] ?? 0) + 1
      if (depth >= 0 && char === "}") holes[depth] = (holes[depth] ?? 0) - 1
      if (!/\s/.test(char)) last = char
      at += 1
    }
  }
  return { code: out.join(""), texts }
}

/**
 * Every module that `source` names in `import ... from`, `import "..."`, `import("...")` (types too) and `export ... from`.
 * @param {string} source
 * @param {Scanned} scanned
 * @returns {Array<ModuleReference>}
 */
export function moduleReferences(source, { code, texts }) {
  /** @type {Array<ModuleReference>} */
  const found = []
  let previousEnd = 0
  for (const { end, start } of texts) {
    const before = code.slice(previousEnd, start)
    previousEnd = end
    const specifier = source.slice(start + 1, end - 1)
    const line = lineAt(source, start)
    const statement = /(?:^|[\s;}])(import|export)\b(?!\s*\()((?:(?!\b(?:import|export)\b)[\s\S])*)\bfrom\s*$/.exec(before)
    if (statement) {
      found.push({ specifier, line, kind: statement[1] === "export" ? "export" : "import", clause: (statement[2] ?? "").trim() })
    } else if (/\bimport\s*\(?\s*$/.test(before)) {
      found.push({ specifier, line, kind: "import", clause: "" })
    }
  }
  return found
}

/**
 * The 1-based line of a position.
 * @param {string} source
 * @param {number} position
 */
export function lineAt(source, position) {
  return source.slice(0, position).split("\n").length
}

/** @param {number} found @param {string} source @param {number} [least] below this nothing was found */
function endOr(found, source, least = -1) {
  return found <= least ? source.length : found
}

/**
 * `/` opens a regular expression where a value may begin: after an operator, an opening bracket or a word like `return`.
 * @param {ReadonlyArray<string>} out
 * @param {number} at
 * @param {string} last
 */
function opensRegularExpression(out, at, last) {
  if (last === "" || "(,=:[!&|?{};+-*%<>~^".includes(last)) return true
  const word = /([A-Za-z]+)\s*$/.exec(out.slice(Math.max(0, at - 20), at).join(""))?.[1]
  return word !== undefined && ["return", "typeof", "case", "of", "in", "yield", "await", "else", "do"].includes(word)
}

/** @param {string} source @param {number} start */
function endOfRegularExpression(source, start) {
  let at = start + 1
  let inClass = false
  while (at < source.length && source[at] !== "\n" && (inClass || source[at] !== "/")) {
    if (source[at] === "[") inClass = true
    if (source[at] === "]") inClass = false
    at += source[at] === "\\" ? 2 : 1
  }
  return Math.min(at + 1, source.length)
}
