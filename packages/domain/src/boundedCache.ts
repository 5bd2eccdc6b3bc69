/**
 * Options of an `LRUCache` whose memory grows with its content. `max` would allocate for all entries at once: 1 MB for
 * 50,000.
 */
export const boundedCache = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
