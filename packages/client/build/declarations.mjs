/**
 * Generates the TypeScript declarations of both entry points. The declarations of the browser entry point are plain
 * TypeScript: types of the API contract are written out in full, so that they depend neither on the workspace nor on
 * Effect. The declarations of the Effect entry point include the contract's own declarations, with relative imports.
 */
import { dirname, join, posix } from "node:path"
import ts from "typescript"
import { plainTypes } from "./plainTypes.mjs"

const ENTRY = "client/src/client.d.ts"
const EFFECT_ENTRY = "client/src/effect.d.ts"
/** Files whose types are derived from schemas and must therefore be written out in full. */
const WRITTEN_OUT = ["client/src/reads.d.ts"]
const CONTRACT = "types/contract.d.ts"

/** Matches the module specifiers in `from "x"` and `import("x")`. */
const SPECIFIER = /(\bfrom |\bimport\()"([^"]+)"/g

/**
 * Returns the contents of all declaration files by their path inside the package.
 * @param {string} root
 * @returns {ReadonlyMap<string, string>}
 */
export function declarations(root) {
  const packages = join(root, "packages")
  const program = programOf(root, [join(packages, "client/src/client.ts"), join(packages, "client/src/effect.ts")])
  const emitted = emit(program, packages)
  /**
   * Contents of the declaration files of the package, by path.
   * @type {Map<string, string>}
   */
  const files = new Map()
  for (const [path, text] of reachable(emitted, EFFECT_ENTRY)) {
    files.set(
      `effect-types/${path}`,
      rewrite(text, (specifier) => relativeTo(path, specifier)),
    )
  }
  /**
   * Types of the API contract that the declarations use and that must be written out in full.
   * @type {Map<string, import("./plainTypes.mjs").Wanted>}
   */
  const wanted = new Map()
  for (const [path, text] of reachable(emitted, ENTRY, (specifier) => specifier.startsWith("."), WRITTEN_OUT)) {
    const target = `types/${path.slice("client/src/".length)}`
    if (WRITTEN_OUT.includes(path)) {
      const names = Array.from(text.matchAll(/^export type (\w+)/gm), ([, name = ""]) => name)
      files.set(
        target,
        plainTypes(
          program,
          names.map((name) => ({ module: sourceOf(packages, path), name })),
        ),
      )
      continue
    }
    for (const { module, name } of workspaceImports(text)) {
      const known = wanted.get(name)
      if (known !== undefined && known.module !== sourceOf(packages, module))
        throw new Error(`two types of the contract are called ${name}`)
      wanted.set(name, { module: sourceOf(packages, module), name })
    }
    const contract = relativeImport(target, CONTRACT)
    files.set(
      target,
      rewrite(text, (specifier) => (specifier.startsWith(".") ? specifier.replace(/\.ts$/, ".js") : contract)),
    )
  }
  files.set(
    CONTRACT,
    plainTypes(
      program,
      [...wanted.values()].sort((a, b) => a.name.localeCompare(b.name)),
    ),
  )
  for (const [path, text] of files) {
    if (path.startsWith("types/") && /from "(effect|@matchpoint)|\bBrand\b/.test(text)) throw new Error(`${path} is not plain`)
  }
  return files
}

/**
 * Creates the TypeScript program that emits the declarations of the entry points.
 * @param {string} root
 * @param {ReadonlyArray<string>} entries
 */
function programOf(root, entries) {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ compilerOptions: config.compilerOptions, files: [] }, ts.sys, root)
  return ts.createProgram(entries, {
    ...options,
    types: [],
    lib: ["lib.es2024.d.ts", "lib.esnext.iterator.d.ts", "lib.dom.d.ts"],
    // Resolves the workspace's packages to their sources. If TypeScript found them in node_modules, it would treat them
    // as libraries and emit no declarations for them.
    paths: Object.fromEntries(
      ["contracts", "domain", "game", "games", "cs2", "tennis", "cod", "apex"].map((name) => [
        `@matchpoint/${name}/*`,
        [join(root, `packages/${name}/src/*.ts`)],
      ]),
    ),
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: join(root, "packages"),
    rootDir: join(root, "packages"),
  })
}

/**
 * Returns the emitted declarations of the workspace's files, by their path below `packages`.
 * @param {ts.Program} program
 * @param {string} packages
 */
function emit(program, packages) {
  /**
   * Emitted declarations by path.
   * @type {Map<string, string>}
   */
  const emitted = new Map()
  const { diagnostics } = program.emit(undefined, (file, text) => void emitted.set(posix.relative(packages, file), text), undefined, true)
  const [first] = diagnostics
  if (first !== undefined) throw new Error(ts.flattenDiagnosticMessageText(first.messageText, "\n"))
  return emitted
}

/**
 * Returns the declaration files that an entry point imports, directly or indirectly, by path. The entry point itself is
 * included.
 * @param {ReadonlyMap<string, string>} emitted
 * @param {string} entry
 * @param {(specifier: string) => boolean} isFollowed
 * @param {ReadonlyArray<string>} leaves paths of files whose imports are not followed
 */
function reachable(emitted, entry, isFollowed = () => true, leaves = []) {
  /**
   * Contents of the files found so far, by path.
   * @type {Map<string, string>}
   */
  const found = new Map()
  const waiting = [entry]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    const text = emitted.get(path)
    if (text === undefined) throw new Error(`no declarations of ${path}`)
    found.set(path, text.replace(/^export \{\};\n/m, ""))
    if (leaves.includes(path)) continue
    for (const [, , specifier = ""] of text.matchAll(SPECIFIER)) {
      const target = isFollowed(specifier) ? targetOf(path, specifier) : undefined
      if (target !== undefined) waiting.push(target)
    }
  }
  return found
}

/**
 * Returns the path of the declaration file that an import specifier refers to. Undefined for packages outside the
 * workspace.
 * @param {string} path
 * @param {string} specifier
 */
function targetOf(path, specifier) {
  if (specifier.startsWith(".")) return posix.join(dirname(path), specifier).replace(/\.ts$/, ".d.ts")
  const [, name, file] = /^@matchpoint\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  return name === undefined || file === undefined ? undefined : `${name}/src/${file}.d.ts`
}

/**
 * Converts an import specifier in the file `path` to a relative one. Specifiers of packages outside the workspace stay
 * unchanged.
 * @param {string} path
 * @param {string} specifier
 */
function relativeTo(path, specifier) {
  const target = targetOf(path, specifier)
  return target === undefined ? specifier : relativeImport(path, target)
}

/**
 * Returns the relative import specifier with which the file `from` imports the file `to`.
 * @param {string} from
 * @param {string} to
 */
function relativeImport(from, to) {
  const relative = posix.relative(dirname(from), to.replace(/\.d\.ts$/, ".js"))
  return relative.startsWith(".") ? relative : `./${relative}`
}

/**
 * Replaces every import specifier in the text by the result of `change`.
 * @param {string} text
 * @param {(specifier: string) => string} change
 */
const rewrite = (text, change) => text.replace(SPECIFIER, (_, before, specifier) => `${before}"${change(specifier)}"`)

/**
 * Returns the names that a declaration file imports or exports from the workspace's packages, each with the module that exports
 * it.
 * @param {string} text
 */
function workspaceImports(text) {
  return Array.from(
    text.matchAll(/^(?:import|export) (?:type )?\{([^}]+)\} from "(@matchpoint\/[^"]+)"/gm),
    ([, names = "", specifier = ""]) =>
      names.split(",").map((name) => ({ module: targetOf("", specifier) ?? "", name: name.replace(/\btype\b/, "").trim() })),
  ).flat()
}

/**
 * Returns the path of the source file from which a declaration file was emitted.
 * @param {string} packages
 * @param {string} path
 */
const sourceOf = (packages, path) => join(packages, path.replace(/\.d\.ts$/, ".ts"))
