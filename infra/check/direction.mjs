/**
 * The house's directions as a check: who may import whom, what the pure rooms stay free of, where the environment is read.
 * The table below is the rule; packages not of this house (`effect`, drivers) are each room's own choice in its package.json,
 * except where `only` says otherwise.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join, posix, relative, sep } from "node:path"
import { checkGames } from "./games.mjs"
import { lineAt, moduleReferences, scan } from "./source.mjs"

/**
 * domain <- contracts <- { bus, store, uws, realtime, metering, simulator, client } <- services; standalone composes services.
 * @typedef {{ readonly may: ReadonlyArray<string>, readonly only?: ReadonlyArray<string> }} Room
 * `may`: the rooms it may import. `only`: the outside packages it may import; without it, any.
 * @type {Readonly<Record<string, Room>>}
 */
const packages = {
  domain: { may: [], only: ["effect"] },
  contracts: { may: ["domain"], only: ["effect"] },
  bus: { may: ["contracts", "domain"] },
  store: { may: ["contracts", "domain"] },
  uws: { may: ["contracts", "domain"] },
  realtime: { may: ["contracts", "domain"] },
  metering: { may: ["contracts", "domain"] },
  simulator: { may: ["contracts", "domain"] },
  client: { may: ["contracts", "domain"] },
}

/**
 * Services that may import fewer packages than others. Web is a customer of the API: it follows and reads with the client.
 * @type {Readonly<Record<string, ReadonlyArray<string>>>}
 */
const limitedServices = { "service-web": ["client", "contracts"] }

/** The one service that runs the others in its own process. */
const composer = "service-standalone"

const scope = "@matchpoint/"
const emptyNames = ["utils", "util", "common", "misc", "helpers", "helper", "index"]
const environmentFiles = /^services\/[^/]+\/src\/([^/]*Config|main)\.ts$/

/**
 * @typedef {{ readonly file: string, readonly line: number, readonly rule: string, readonly remedy: string }} Violation
 * @typedef {{ readonly name: string, readonly folder: string, readonly service: boolean, readonly declared: ReadonlyArray<string> }} House
 * One room as found on disk: `name` is `bus` or `service-feed`, `declared` what its package.json lists for its tests as well.
 */

/**
 * Every violation in the rooms below `root`, by file and line.
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
        rule: `the package ${room.name} is not in the table of directions`,
        remedy: "add it to the table in infra/check/direction.mjs with the rooms it may import",
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
        rule: "packages and services don't write to the console",
        remedy: "log with Effect.log, so that level and format are the operator's choice",
      })
    }
  }
  return found
}

/**
 * What is wrong with `file` of `room` naming the module `specifier`, if anything.
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
    return { rule: "a relative import leaves its room", remedy: `import another room by its name: ${scope}<room>/<File>` }
  }
  if (specifier.startsWith(scope)) {
    const target = specifier.slice(scope.length).split("/")[0] ?? ""
    return brokenRoomDirection(room, target, isTest)
  }
  const only = packages[room.name]?.only
  if (only === undefined || isTest) return undefined
  if (specifier.startsWith("node:")) {
    return {
      rule: `${room.name} stays free of node: modules`,
      remedy: "let the caller hand the value in, or do this in a room that may do IO",
    }
  }
  const outside = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")
  if (only.includes(outside)) return undefined
  return {
    rule: `${room.name} may import only ${only.join(", ")} from outside, not ${outside}`,
    remedy: "move what needs it to the room that uses it",
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
      return { rule: `a package imports no service: ${room.name} -> ${target}`, remedy: "move the shared part to a package" }
    if (room.name === composer && target !== "test") return undefined
    return {
      rule: `only ${composer} imports services: ${room.name} -> ${target}`,
      remedy: "talk to it over the bus, or move the shared part to a package",
    }
  }
  const allowed = room.service ? (limitedServices[room.name] ?? Object.keys(packages)) : (packages[room.name]?.may ?? [])
  if (allowed.includes(target) || (isTest && room.declared.includes(scope + target))) return undefined
  const list = allowed.length === 0 ? "no other room" : `only ${allowed.join(", ")}`
  return { rule: `${room.name} may import ${list}, not ${target}`, remedy: "declare a port in this room and let a service connect the two" }
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
  return { file, line, rule: `re-exports ${specifier} of another package`, remedy: "let those who need it import it from where it lives" }
}

/**
 * @param {string} file
 * @param {number} line
 * @returns {Violation}
 */
function environment(file, line) {
  const remedy = "read it in services/<service>/src/<Name>Config.ts and pass it in; tests get addresses by vitest's inject"
  return { file, line, rule: "the environment is read in *Config.ts and main.ts of services only", remedy }
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
      rule: `"${name}" names no content`,
      remedy: "name the file after what it holds; import files directly instead of through an index",
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
 * TypeScript and JavaScript files below `folder`, relative to `root`, with forward slashes.
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
