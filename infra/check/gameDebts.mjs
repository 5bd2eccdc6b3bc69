/** Generic files that still import from a game's folder: see games.mjs. An entry leaves with its last such import. */
export const gameDebts = [
  "packages/client/src/LiveChange.ts",
  "packages/client/src/Matchpoint.ts",
  "packages/contracts/src/asyncapi/asyncApi.ts",
  "packages/contracts/src/asyncapi/exampleMatch.ts",
  "packages/contracts/src/asyncapi/jsonSchemas.ts",
  "packages/contracts/src/asyncapi/messageExamples.ts",
  "packages/contracts/src/rpc/LiveRpcs.ts",
  "packages/contracts/src/stream/frames.ts",
  "packages/contracts/src/stream/messages.ts",
  "services/gateway/src/http/assetRoutes.ts",
  "services/gateway/src/http/knownPaths.ts",
  "services/gateway/src/rpc/LiveRpcHandlers.ts",
  "services/standalone/src/demo/DemoSeason.ts",
]
