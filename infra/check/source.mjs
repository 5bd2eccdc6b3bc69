/**
 * Scans a TypeScript file for the import checks: which modules it imports or re-exports and on which line, and its code
 * without comments and string contents. It is a scanner, not a parser, so that the check runs on the host's Node with
 * nothing installed.
 */

/**
 * @typedef {{ readonly specifier: string, readonly line: number, readonly kind: "import" | "export", readonly clause:
 * string }} ModuleReference
 * `kind` is "export" for `export ... from`. `clause` is the text between the keyword and `from`.
 * @typedef {{ readonly code: string, readonly texts: ReadonlyArray<{ readonly start: number, readonly end: number }> }}
 * Scanned
 * `code` has the length and the line breaks of the source. Comments, regular expressions and string contents are
 * replaced by spaces. `texts` holds the positions of string literals, quotes included.
 */

/**
 * @param {string} source
 * @returns {Scanned}
 */
export function scan(source) {
  /** @type {Array<{ start: number, end: number }>} */
  const texts = []
  const out = source.split("")
  /** Number of open braces inside each template substitution (`${`), innermost last. @type {Array<number>} */
  const holes = []
  /** Last non-blank character of code. Decides whether `/` is a division or starts a regular expression. */
  let last = ""
  let at = 0

  /** @param {number} from @param {number} to */
  const blank = (from, to) => {
    for (let i = from; i < to; i++) if (out[i] !== "\n") out[i] = " "
  }
  /**
   * Blanks template text from after a backtick, or after the `}` that ends a substitution, up to the closing backtick
   * or the next `${`.
   */
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
 * Returns every module that `source` names in `import ... from`, `import "..."`, `import("...")` (also in types) and
 * `export ... from`.
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
 * Returns the line number of a position, counted from 1.
 * @param {string} source
 * @param {number} position
 */
export function lineAt(source, position) {
  return source.slice(0, position).split("\n").length
}

/** @param {number} found @param {string} source @param {number} [least] a result up to this value means "not found" */
function endOr(found, source, least = -1) {
  return found <= least ? source.length : found
}

/**
 * Returns true if `/` starts a regular expression: after an operator, an opening bracket or a keyword like `return`.
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
