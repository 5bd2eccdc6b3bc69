/**
 * Rules of imports, for dependency-cruiser: `npm run check -- directions`. Type-only imports count. Rules about the environment, the
 * console and re-exports are in biome.json.
 */

/**
 * What the source of each package may import from other packages. Every package is listed. Tests may import what their package.json
 * declares.
 * @type {Readonly<Record<string, ReadonlyArray<string>>>}
 */
const mayImport = {
  domain: [],
  contracts: ["domain"],
  files: [],
  bus: ["contracts", "domain", "files"],
  store: ["contracts", "domain", "files"],
  uws: ["contracts", "domain"],
  realtime: ["contracts", "domain"],
  metering: ["contracts", "domain"],
  simulator: ["contracts", "domain"],
  client: ["contracts", "domain"],
  testing: ["store"],
}

/** A folder with one of these names belongs to that game. */
const game = "(cs2|tennis)"

/** Files that plug the games in, with one line per game. They may import from the folders of games. */
const pluggingIn = [
  "packages/client/src/games.ts",
  "packages/contracts/src/http/FeedApi.ts",
  "packages/contracts/src/http/MatchpointApi.ts",
  "packages/contracts/src/http/admin/OperatorApi.ts",
  "packages/store/src/Repositories.ts",
  "services/feed/src/games.ts",
  "services/feed/src/intakeRoutes.ts",
  "services/gateway/src/Gateway.ts",
  "services/gateway/src/admin/AdminRoutes.ts",
  "services/gateway/src/admin/cli/main.ts",
  "services/standalone/src/Standalone.ts",
  "services/standalone/src/feeds.ts",
  "services/standalone/src/metrics/catalog.ts",
]

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...Object.entries(mayImport).map(([name, targets]) => ({
      name: `imports-of-${name}`,
      comment: `${name} may import ${targets.join(", ") || "no other package"}. Declare a port in ${name} and let a service connect the two.`,
      severity: /** @type {const} */ ("error"),
      from: { path: `^packages/${name}/src/` },
      // The path of an import that package.json does not declare is the name in the import.
      to: { path: "^(packages|@matchpoint)/", pathNot: `^(packages|@matchpoint)/(${[name, ...targets].join("|")})/` },
    })),
    {
      name: "package-not-listed",
      comment: "Add the package to mayImport in infra/directions.mjs.",
      severity: "error",
      from: { path: "^packages/", pathNot: `^packages/(${Object.keys(mayImport).join("|")})/` },
      to: {},
    },
    {
      name: "import-of-a-service",
      comment: "Only services/standalone may import services. Communicate over the bus, or move the shared code to a package.",
      severity: "error",
      from: { path: "^((?:packages|services)/[^/]+)/", pathNot: "^services/standalone/" },
      to: { path: "^(services/|@matchpoint/service-)", pathNot: "^$1/" },
    },
    {
      name: "import-of-tests",
      comment: "Only tests may import packages/testing, and only test/ may import test/. Move the shared code to another package.",
      severity: "error",
      from: { path: "^(packages|services)/[^/]+/src/", pathNot: "^packages/testing/" },
      to: { path: "^(packages/testing|@matchpoint/testing|test)/" },
    },
    {
      name: "imports-of-the-web-service",
      comment: "services/web is a customer of the API: it may import only client and contracts.",
      severity: "error",
      from: { path: "^services/web/src/" },
      to: { path: "^(packages|@matchpoint)/", pathNot: "^(packages|@matchpoint)/(client|contracts)/" },
    },
    {
      name: "relative-import-of-another-package",
      comment: "Import another package by name: @matchpoint/<package>/<File>.",
      severity: "error",
      from: { path: "^((?:packages|services)/[^/]+)/" },
      to: { dependencyTypes: ["local"], pathNot: "^$1/" },
    },
    {
      name: "imports-of-a-pure-package",
      comment: "domain and contracts may import only effect. Take the value as a parameter, or move the code to a package that may do IO.",
      severity: "error",
      from: { path: "^packages/(domain|contracts)/src/" },
      to: { pathNot: ["^(packages|services|test|@matchpoint)/", "node_modules/effect/"] },
    },
    {
      name: "undeclared-import",
      comment: "The module does not exist, or the package.json of this package does not declare it.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "generic-code-imports-a-game",
      comment: "Pass it in through the game's value, or move this file to the folder of the game.",
      severity: "error",
      from: { path: "^(packages|services)/[^/]+/src/", pathNot: [`/${game}/`, `^(${pluggingIn.join("|")})$`] },
      to: { path: `^(packages|services)/.*/${game}/` },
    },
    {
      name: "game-imports-another-game",
      comment: "Move the shared code to a folder that belongs to no game.",
      severity: "error",
      from: { path: `^(?:packages|services)/[^/]+/src.*/${game}/`, pathNot: `^(${pluggingIn.join("|")})$` },
      to: { path: `^(packages|services)/.*/${game}/`, pathNot: "/$1/" },
    },
    {
      name: "file-name-without-meaning",
      comment: "Name the file after its content, and import files directly instead of through an index.",
      severity: "error",
      // A rule about a file, not about an import, needs a condition. 100 is the largest number allowed.
      module: {
        path: "(^|/)([Uu]tils?|[Cc]ommon|[Mm]isc|[Hh]elpers?|[Ii]ndex)\\.[^/]+$",
        pathNot: "node_modules",
        numberOfDependentsLessThan: 100,
      },
      from: {},
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: ["^test/clientPackage/projects/", "/dist/"] },
    // Includes imports that the compiler removes, such as type-only ones.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
}
