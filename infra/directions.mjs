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
  webhooks: ["contracts", "domain"],
  transcripts: ["contracts", "domain"],
  qr: ["contracts"],
  process: ["bus", "contracts", "domain", "files", "metering", "store", "uws", "webhooks"],
}

/** Regular expression for the names of the packages of games. */
const game = "(cs2|tennis|cod|apex)"

/** The packages of the engine, which know no game. */
const engine = `(${Object.keys(mayImport).join("|")})`

/** Packages that compose what customers and services get of all games. */
const compositions = "^packages/(games|client)/"

/** Layers of a game whose source may import only what a contract may: values without effects, and schemas. */
const pure = "(rules|contract|client)"

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
      comment: "Add a package of the engine to mayImport in infra/directions.mjs, and a game to the names of the games.",
      severity: "error",
      from: { path: "^packages/", pathNot: `^packages/(${engine}|${game}|game|games|client|testing)/` },
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
      comment: "services/web is a customer of the API: it may import only client, contracts and pages.",
      severity: "error",
      from: { path: "^services/web/src/" },
      to: {
        path: "^(packages|@matchpoint)/",
        pathNot: [
          "^(packages|@matchpoint)/(client|contracts)/",
          "^(packages|@matchpoint)/game/(src/)?pages/",
          "^packages/games/src/[A-Za-z]+Pages[.]ts$",
        ],
      },
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
      name: "import-of-a-game",
      comment: "Only packages/games and the client list the games. Pass it in through a port of packages/game.",
      severity: "error",
      from: { path: "^(packages|services)/[^/]+/src/", pathNot: [`^packages/${game}/`, compositions, "^packages/testing/"] },
      to: { path: `^(packages|@matchpoint)/${game}/` },
    },
    {
      name: "import-of-the-list-of-games",
      comment: "Only services and the client know which games the product has.",
      severity: "error",
      from: { path: "^packages/[^/]+/src/", pathNot: [compositions, "^packages/testing/"] },
      to: { path: "^(packages|@matchpoint)/games/" },
    },
    {
      name: "engine-imports-the-ports-of-games",
      comment: "The engine knows no games. Declare what it needs in the engine, and let packages/game implement it.",
      severity: "error",
      from: { path: `^packages/${engine}/src/` },
      to: { path: "^(packages|@matchpoint)/game/" },
    },
    {
      name: "game-imports-another-game",
      comment: "Move the shared code to packages/game.",
      severity: "error",
      from: { path: `^packages/${game}/` },
      to: { path: `^(packages|@matchpoint)/${game}/`, pathNot: "^(packages|@matchpoint)/$1/" },
    },
    {
      name: "imports-of-a-pure-layer",
      comment: "The rules, the contract and the client types of a game import no other layer and nothing that has effects.",
      severity: "error",
      from: { path: `^packages/(game|${game})/src/${pure}/` },
      to: {
        path: "^(packages|@matchpoint|node_modules)/",
        pathNot: [
          "node_modules/effect/",
          "^(packages|@matchpoint)/(domain|contracts)/",
          `^(packages|@matchpoint)/(game|$1)/(src/)?${pure}/`,
        ],
      },
    },
    {
      name: "rules-import-a-contract",
      comment: "Rules know nothing of what customers see. Import the other way round.",
      severity: "error",
      from: { path: `^packages/(game|${game})/src/rules/` },
      to: { path: ["^(packages|@matchpoint)/contracts/", `^(packages|@matchpoint)/(game|$1)/(src/)?(contract|client)/`] },
    },
    {
      name: "imports-of-pages",
      comment: "Pages are customers of the API: they import the client, contracts and parts of pages.",
      severity: "error",
      from: { path: `^packages/(game|${game})/src/pages/` },
      to: {
        path: "^(packages|@matchpoint|node_modules)/",
        pathNot: [
          "^(packages|@matchpoint)/(client|contracts)/",
          `^(packages|@matchpoint)/(game|$1)/(src/)?(pages|contract)/`,
          "^@matchpoint/client$",
        ],
      },
    },
    {
      name: "simulator-has-effects",
      comment: "A simulator is a pure function of its seed. What writes its seasons to an archive belongs to the folder sample.",
      severity: "error",
      from: { path: `^packages/${game}/src/simulator/` },
      to: {
        path: "^(packages|@matchpoint)/",
        pathNot: ["^(packages|@matchpoint)/(domain|simulator)/", `^(packages|@matchpoint)/(game|$1)/(src/)?(rules|simulator)/`],
      },
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
