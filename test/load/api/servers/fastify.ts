// Owns the peer built with fastify.
import { fastify } from "fastify"
import { answer, peer } from "./pool.ts"

const app = fastify()

app.get("/*", async (request, reply) => (await answer(request.url)) ?? reply.code(404).send())

peer(async () => Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port))
