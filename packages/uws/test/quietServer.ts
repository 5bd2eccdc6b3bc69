// A server process for the test of its stderr. Prints its port.
import { Effect, Layer, Schedule, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { NetAddress } from "effect/net"
import { accept, reject } from "../src/ConnectDecision.ts"
import { UwsHttpServer } from "../src/UwsHttpServer.ts"
import { UwsServer } from "../src/UwsServer.ts"

/** Decides as late as a query for an unknown key does. */
const late = <A>(value: A) => Effect.delay(Effect.succeed(value), "20 millis")

const Streams = Layer.effectDiscard(
  Effect.gen(function* () {
    const server = yield* UwsServer
    yield* server.websocket("/ws", {
      upgrade: ({ query }) => late(query.get("refused") === null ? accept({}, { headers: { "x-late": "yes" } }) : reject(401)),
      open: (connection) => connection.send("hello"),
    })
    yield* server.sse("/sse", { connect: () => late(accept({})), open: (connection) => connection.write(Buffer.from("data: 1\n\n")) })
  }),
)

const { HttpServerRequest: Current } = HttpServerRequest
const Routes = Layer.mergeAll(
  HttpRouter.add("GET", "/now", HttpServerResponse.text("now")),
  HttpRouter.add("GET", "/late", late(HttpServerResponse.text("late"))),
  HttpRouter.add("GET", "/large", late(HttpServerResponse.text("x".repeat(3_000_000)))),
  HttpRouter.add(
    "GET",
    "/stream",
    HttpServerResponse.stream(Stream.repeat(Stream.succeed(Buffer.from("piece")), Schedule.spaced("5 millis")).pipe(Stream.take(20))),
  ),
  HttpRouter.add("GET", "/fails", Effect.delay(Effect.die("a failure"), "10 millis")),
  HttpRouter.add(
    "POST",
    "/body",
    Effect.flatMap(Current, ({ text }) => Effect.map(text, (read) => HttpServerResponse.text(String(read.length)))),
  ),
  HttpRouter.add("POST", "/early", HttpServerResponse.text("no", { status: 401 })),
  HttpRouter.add(
    "GET",
    "/socket",
    Effect.gen(function* () {
      const request = yield* Current
      yield* Effect.sleep("20 millis")
      const socket = yield* request.upgrade
      const { pull } = yield* socket.reader
      const { write } = yield* socket.writer
      yield* write("hello")
      return yield* Effect.forever(pull)
    }).pipe(Effect.scoped, Effect.ignore, Effect.as(HttpServerResponse.empty())),
  ),
)

const Printed = Layer.effectDiscard(
  Effect.map(UwsServer, ({ address }) => process.stdout.write(`${NetAddress.isInetAddress(address) ? address.port : 0}\n`)),
)

const server = Layer.mergeAll(HttpRouter.serve(Routes, { disableLogger: true, disableListenLog: true }), Streams, Printed).pipe(
  Layer.provide(UwsHttpServer.layer()),
  Layer.provide(UwsServer.layer({ port: 0, host: "127.0.0.1" })),
)

Effect.runFork(Layer.launch(server))
