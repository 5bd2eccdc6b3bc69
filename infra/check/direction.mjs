/**
 * Checks import directions: which package may import which, what the pure packages may not use, and where the
 * environment may be read. The table below is the rule. Each package chooses its external dependencies (`effect`,
 * drivers) in its own package.json, unless `only` restricts them.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join, posix, relative, sep } from "node:path"
import { checkGames } from "./games.mjs"
import { lineAt, moduleReferences, scan } from "./source.mjs"

/**
 * Allowed directions: domain <- contracts <- { bus, store, uws, realtime, metering, simulator, client } <- services.
 * Only standalone imports services.
 * @typedef {{ readonly may: ReadonlyArray<string>, readonly only?: ReadonlyArray<string> }} Room
 * `may`: the workspace packages it may import. `only`: the external packages it may import; any if absent.
 * @type {Readonly<Record<string, Room>>}
 */
const packages = {
  domain: { may: [], only: ["effect"] },
  contracts: { may: ["domain"], only: ["effect"] },
  files: { may: [] },
  bus: { may: ["contracts", "domain", "files"] },
  store: { may: ["contracts", "domain", "files"] },
  uws: { may: ["contracts", "domain"] },
  realtime: { may: ["contracts", "domain"] },
  metering: { may: ["contracts", "domain"] },
  simulator: { may: ["contracts", "domain"] },
  client: { may: ["contracts", "domain"] },
  testing: { may: ["store"] },
}

/** Packages that only tests may import. */
const forTests = ["testing"]

/**
 * Services that may import fewer packages than others. Web is a customer of the API: it follows and reads with the client.
 * @type {Readonly<Record<string, ReadonlyArray<string>>>}
 */
const limitedServices = { "service-web": ["client", "contracts"] }

/** The only service that imports other services: it runs them in its own process. */
const composer = "service-standalone"

const scope = "@matchpoint/"
const emptyNames = ["utils", "util", "common", "misc", "helpers", "helper", "index"]
const environmentFiles = /^services\/[^/]+\/src\/([^/]*Config|main)\.ts$/

/**
 * @typedef {{ readonly file: string, readonly line: number, readonly rule: string, readonly remedy: string }} Violation
 * @typedef {{ readonly name: string, readonly folder: string, readonly service: boolean, readonly declared:
 * ReadonlyArray<string> }} House
 * A workspace package or service found on disk. `name` is `bus` or `service-feed`, for example. `declared` lists all
 * dependencies in its package.json, those for tests included.
 */

/**
 * Returns every violation in the packages and services below `root`, sorted by file and line.
 * @param {string} root
 * @returns {{ readonly files: number, readonly violations: ReadonlyArray<Violation> }}
 */
export function checkDirections(root) {
  /** @type {Array<Violation>} */
  const violations = []
  /** @type {Array<string>} */
  const sources = []
  let files = 0
  for (const room of roomsBelow(root)) {
    if (!room.service && packages[room.name] === undefined) {
      violations.push({
        file: `${room.folder}/package.json`,
        line: 1,
        rule: `the package ${room.name} is missing from the table of directions`,
        remedy: "add it to the table in infra/check/direction.mjs with the packages it may import",
      })
      continue
    }
    for (const part of ["src", "test"]) {
      for (const file of filesBelow(join(root, room.folder, part), root)) {
        files += 1
        sources.push(file)
        violations.push(...namesNothing(file), ...checkFile(room, file, readFileSync(join(root, file), "utf8"), part === "test"))
      }
    }
  }
  for (const file of filesBelow(join(root, "test"), root)) {
    files += 1
    violations.push(...namesNothing(file), ...reexports(file, readFileSync(join(root, file), "utf8")))
  }
  violations.push(...checkGames(root, sources))
  return { files, violations: violations.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line) }
}

/**
 * @param {House} room
 * @param {string} file
 * @param {string} source
 * @param {boolean} isTest
 * @returns {Array<Violation>}
 */
function checkFile(room, file, source, isTest) {
  const scanned = scan(source)
  /** @type {Array<Violation>} */
  const found = []
  for (const reference of moduleReferences(source, scanned)) {
    const broken = brokenDirection(room, file, reference.specifier, isTest)
    if (broken) found.push({ file, line: reference.line, ...broken })
    else if (reference.kind === "export" && reference.specifier.startsWith(scope)) found.push(reexport(file, reference))
    const readsEnvironment = reference.specifier === "node:process" && /\benv\b/.test(reference.clause)
    if (readsEnvironment && !environmentFiles.test(file)) found.push(environment(file, reference.line))
  }
  if (!environmentFiles.test(file)) {
    for (const match of scanned.code.matchAll(/\bprocess\s*\??\.\s*env\b/g)) found.push(environment(file, lineAt(source, match.index ?? 0)))
  }
  if (!isTest) {
    for (const match of scanned.code.matchAll(/\bconsole\s*(\?\.|\.|\[)/g)) {
      const line = lineAt(source, match.index ?? 0)
      found.push({
        file,
        line,
        rule: "packages and services must not write to the console",
        remedy: "log with Effect.log, so that operators can choose level and format",
      })
    }
  }
  return found
}

/**
 * Returns the rule that `file` of `room` breaks by importing the module `specifier`, or undefined if the import is
 * allowed.
 * @param {House} room
 * @param {string} file
 * @param {string} specifier
 * @param {boolean} isTest
 * @returns {{ readonly rule: string, readonly remedy: string } | undefined}
 */
function brokenDirection(room, file, specifier, isTest) {
  if (specifier.startsWith(".")) {
    const target = posix.join(dirname(file).split(sep).join("/"), specifier)
    if (target.startsWith(`${room.folder}/`)) return undefined
    return { rule: "a relative import leaves its package", remedy: `import another package by name: ${scope}<package>/<File>` }
  }
  if (specifier.startsWith(scope)) {
    const target = specifier.slice(scope.length).split("/")[0] ?? ""
    return brokenRoomDirection(room, target, isTest)
  }
  const only = packages[room.name]?.only
  if (only === undefined || isTest) return undefined
  if (specifier.startsWith("node:")) {
    return {
      rule: `${room.name} must not import node: modules`,
      remedy: "take the value as a parameter, or move the code to a package that may do IO",
    }
  }
  const outside = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")
  if (only.includes(outside)) return undefined
  return {
    rule: `${room.name} may import only these external packages: ${only.join(", ")}; not ${outside}`,
    remedy: "move the code to the package or service that uses it",
  }
}

/**
 * @param {House} room
 * @param {string} target
 * @param {boolean} isTest
 * @returns {{ readonly rule: string, readonly remedy: string } | undefined}
 */
function brokenRoomDirection(room, target, isTest) {
  if (target === room.name) return undefined
  if (target.startsWith("service-") || target === "test") {
    if (!room.service)
      return { rule: `a package must not import a service: ${room.name} -> ${target}`, remedy: "move the shared code to a package" }
    if (room.name === composer && target !== "test") return undefined
    return {
      rule: `only ${composer} may import services: ${room.name} -> ${target}`,
      remedy: "communicate over the bus, or move the shared code to a package",
    }
  }
  const forServices = limitedServices[room.name] ?? Object.keys(packages).filter((name) => !forTests.includes(name))
  const allowed = room.service ? forServices : (packages[room.name]?.may ?? [])
  if (allowed.includes(target) || (isTest && room.declared.includes(scope + target))) return undefined
  const list = allowed.length === 0 ? "no other package" : `only ${allowed.join(", ")}`
  return {
    rule: `${room.name} may import ${list}, not ${target}`,
    remedy: "declare a port in this package and let a service connect the two",
  }
}

/**
 * @param {string} file
 * @param {string} source
 * @returns {Array<Violation>}
 */
function reexports(file, source) {
  const references = moduleReferences(source, scan(source))
  return references
    .filter(({ kind, specifier }) => kind === "export" && specifier.startsWith(scope))
    .map((reference) => reexport(file, reference))
}

/**
 * @param {string} file
 * @param {import("./source.mjs").ModuleReference} reference
 * @returns {Violation}
 */
function reexport(file, { line, specifier }) {
  return { file, line, rule: `re-exports ${specifier} of another package`, remedy: "import it from its own package where it is needed" }
}

/**
 * @param {string} file
 * @param {number} line
 * @returns {Violation}
 */
function environment(file, line) {
  const remedy = "read it in services/<service>/src/<Name>Config.ts and pass it in; tests get addresses from vitest's inject"
  return { file, line, rule: "the environment may be read only in *Config.ts and main.ts of services", remedy }
}

/**
 * @param {string} file
 * @returns {Array<Violation>}
 */
function namesNothing(file) {
  const name = basename(file).split(".")[0] ?? ""
  if (!emptyNames.includes(name.toLowerCase())) return []
  return [
    {
      file,
      line: 1,
      rule: `"${name}" does not describe the content`,
      remedy: "name the file after its content, and import files directly instead of through an index",
    },
  ]
}

/**
 * @param {string} root
 * @returns {Array<House>}
 */
function roomsBelow(root) {
  return ["packages", "services"].flatMap((group) => {
    if (!existsSync(join(root, group))) return []
    return readdirSync(join(root, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(root, group, entry.name, "package.json")))
      .map((entry) => {
        const folder = `${group}/${entry.name}`
        const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
        const declared = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
        return { name: String(manifest.name).replace(scope, ""), folder, service: group === "services", declared }
      })
  })
}

/**
 * Lists the TypeScript and JavaScript files below `folder`, relative to `root`, with forward slashes.
 * @param {string} folder
 * @param {string} root
 * @returns {Array<string>}
 */
function filesBelow(folder, root) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesBelow(path, root)
    return /\.[cm]?[jt]sx?$/.test(entry.name) ? [relative(root, path).split(sep).join("/")] : []
  })
}
