/**
 * Options of an `LRUCache` (lru-cache) of at most `entries` entries, whose memory grows with its content. The option `max` would
 * allocate the memory of all entries at once, for 50,000 about a megabyte.
 */
export const boundedCache = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
