/**
 * Rules about which files may import which others, for dependency-cruiser. Run them with `npm run check -- directions`.
 * They also apply to type-only imports. biome.json has the rules about the environment, the console and re-exports.
 */

/**
 * For each package, the other packages that its source may import. Every package must be listed. Tests may import
 * whatever their package.json declares.
 * @type {Readonly<Record<string, ReadonlyArray<string>>>}
 */
const mayImport = {
  domain: [],
  contracts: ["domain"],
  files: [],
  cluster: ["contracts", "domain"],
  bus: ["contracts", "domain", "files"],
  store: ["contracts", "domain", "files", "transcripts"],
  uws: ["contracts", "domain"],
  realtime: ["contracts", "domain"],
  metering: ["contracts", "domain"],
  simulator: ["contracts", "domain"],
  client: ["contracts", "domain"],
  webhooks: ["contracts", "domain"],
  transcripts: ["contracts", "domain"],
  qr: ["contracts"],
  process: ["bus", "contracts", "domain", "files", "metering", "store", "uws", "webhooks"],
  testing: ["store"],
}

/** Regular expression for the names of the games. A folder with such a name belongs to that game. */
const game = "(cs2|tennis|cod|apex)"

/** Files that register the games, with one line per game. They may import from the folders of the games. */
const pluggingIn = [
  "packages/client/src/games.ts",
  "packages/games/src/api/FeedApi.ts",
  "packages/games/src/api/MatchpointApi.ts",
  "packages/games/src/api/OperatorApi.ts",
  "packages/games/src/Repositories.ts",
  "services/feed/src/games.ts",
  "services/feed/src/intakeRoutes.ts",
  "services/feed/src/odds.ts",
  "services/feed/src/simulatedGames.ts",
  "services/gateway/src/Gateway.ts",
  "services/gateway/src/admin/AdminRoutes.ts",
  "services/gateway/src/admin/cli/main.ts",
  "services/match/src/Matches.ts",
  "services/standalone/src/feeds.ts",
  "services/standalone/src/metrics/catalog.ts",
  "services/web/src/archive/games.ts",
  "services/web/src/live/games.ts",
]

/**
 * Configuration of dependency-cruiser.
 * @type {import("dependency-cruiser").IConfiguration}
 */
export default {
  forbidden: [
    ...Object.entries(mayImport).map(([name, targets]) => ({
      name: `imports-of-${name}`,
      comment: `${name} may import ${targets.join(", ") || "no other package"}. Declare a port in ${name} and let a service connect the two.`,
      severity: /** @type {const} */ ("error"),
      from: { path: `^packages/${name}/src/` },
      // If package.json does not declare an imported package, dependency-cruiser reports the import specifier
      // (`@matchpoint/...`) instead of a file path. The patterns therefore match both.
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
      comment:
        "Only services/standalone and the composition of a process may import services. Communicate over the bus, or move the shared code to a package.",
      severity: "error",
      from: { path: "^((?:packages|services)/[^/]+)/", pathNot: "^services/(standalone/|[^/]+/src/[A-Z][A-Za-z]+Process[.]ts$)" },
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
      name: "import-of-a-whole-platform",
      comment: 'Import one module, for example "@effect/platform-node/NodeRuntime": the whole package also loads the client of Redis.',
      severity: "error",
      from: {},
      to: { path: "@effect/platform-node/(dist|src)/index[.]" },
    },
    {
      name: "file-name-without-meaning",
      comment: "Name the file after its content, and import files directly instead of through an index.",
      severity: "error",
      // This rule applies to files and not to imports, and dependency-cruiser requires such a rule to have a condition.
      // The condition is the number of dependents; 100 is the largest number allowed.
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
    exclude: { path: ["^test/clientPackage/projects/", "^packages/[^/]+/dist/"] },
    // With this option, the rules also apply to imports that the compiler removes, such as type-only ones.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
}
