import { NodeHttpServer } from "@effect/platform-node"
import { httpServerSuite } from "./httpServerSuite.ts"

httpServerSuite({ name: "node", layer: NodeHttpServer.layerTest })
