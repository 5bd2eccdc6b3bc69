// Owns the Node flags of the service, for `npm start` and for benchmarks.
// Most objects die young under load. With Node's default young generation of 16 MB, a third of the time would go into
// collecting it.
// V8 allocates twice the configured size. To save memory it therefore starts with 32 MB, and grows to 64 MB only where
// many objects survive: under load of the engine, but not in an idle `npm start`.
// The minimum is set because V8 otherwise keeps its small initial size where few objects survive, and requests would
// cost a tenth more.
// `--no-allocation-site-pretenuring` is left out: requests would cost a seventh less, but match events, whose objects
// live long, a fifth more.
export const nodeFlags = ["--max-semi-space-size=64", "--min-semi-space-size=32"]

/**
 * Environment variables of the service for glibc's allocator. Other allocators ignore them. The embedded database
 * allocates many buffers above 128 KB when it starts: these are returned to the system as soon as they are freed. Freed
 * memory is kept in at most two arenas.
 */
export const allocatorSettings = { MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_ARENA_MAX: "2" }
