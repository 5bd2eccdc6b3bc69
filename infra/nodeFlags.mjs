// Node flags of the services in images and benchmarks. Under load, most objects become garbage soon after
// they are created. With Node's default young generation of 16 MB, a third of the time would be spent on collecting
// this garbage. V8 allocates twice the configured size. To save memory, the size therefore starts at 32 MB and grows to
// 64 MB only if many objects survive, as they do when the engine is under load but not in an idle `npm start`. The
// minimum is set because V8 otherwise keeps its small initial size as long as few objects survive, and requests would
// then cost a tenth more. The flag `--no-allocation-site-pretenuring` is not used: it would make requests a seventh
// cheaper, but match events, whose objects live long, a fifth more expensive.
export const nodeFlags = ["--max-semi-space-size=64", "--min-semi-space-size=32"]

// Node flags of `npm start` and `npm run cluster`, which usually run a few matches: a young generation that starts at half
// the size and grows to half the size saves 50 MB per process. With 500 matches, an event would cost a fifth more, so images
// and benchmarks use the flags above.
export const startFlags = ["--max-semi-space-size=32", "--min-semi-space-size=16"]

/**
 * Environment variables that make glibc's memory allocator keep less freed memory in the service. Other allocators
 * ignore them. The embedded database allocates many buffers above 128 KB when it starts. With the first variable,
 * buffers of this size are returned to the system as soon as they are freed. The second allows at most two arenas, in
 * which other freed memory is kept.
 */
export const allocatorSettings = { MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_ARENA_MAX: "2" }
