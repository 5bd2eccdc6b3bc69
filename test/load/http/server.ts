// Owns one server process of the measurement: `node server.ts uws|node`. Reports its port to its parent, and its CPU
// time on request.

import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { routing } from "@matchpoint/process/http/literalPaths"
import { UwsHttpServer } from "@matchpoint/uws/UwsHttpServer"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { NetAddress } from "effect/net"
import { ApiRoutes } from "./api.ts"

const listen = { port: 0, host: "127.0.0.1" }

const Server =
  process.argv[2] === "uws"
    ? UwsHttpServer.layer().pipe(Layer.provide(UwsServer.layer(listen)))
    : NodeHttpServer.layerServer(createServer, listen)

const Report = Layer.effectDiscard(
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    process.on("message", () => process.send?.({ cpuUs: process.cpuUsage() }))
    process.on("disconnect", () => process.exit(0))
    if (NetAddress.isInetAddress(address)) process.send?.({ port: address.port })
  }),
)

HttpRouter.serve(ApiRoutes, routing).pipe(
  Layer.provideMerge(Report),
  Layer.provide(Server),
  Layer.provide(NodeHttpServer.layerHttpServices),
  Layer.launch,
  NodeRuntime.runMain,
)
