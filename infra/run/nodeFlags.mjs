// Owns the flags of Node that the service runs with, and whatever measures it.
// Under load most of what is allocated dies young; with Node's nursery of 16 MB a third of the time would go into collecting it.
// Not --no-allocation-site-pretenuring: requests would cost a seventh less, and events of matches, which live long, a fifth more.
// The least as well: where little survives V8 leaves the nursery as small as it began; requests would cost a tenth more.
// It takes twice its size, so it begins with 32 MB, and grows to 64 where much survives: under load of the engine, but not in an idle `npm start`.
export const nodeFlags = ["--max-semi-space-size=64", "--min-semi-space-size=32"]

/**
 * Environment of the service, for glibc's allocator; others ignore it. Buffers above 128 KB, of which the embedded database makes many when
 * it starts, are given back when they are freed, and at most two arenas keep what was freed.
 */
export const allocatorSettings = { MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_ARENA_MAX: "2" }
