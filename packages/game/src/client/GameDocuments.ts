/** Types of a game's matches and events in both message formats, v1 and v2. */

export interface GameDocuments<FullMatch, CompactMatch, FullEvent, CompactEvent = FullEvent> {
  readonly v1: { readonly match: FullMatch; readonly event: FullEvent }
  readonly v2: { readonly match: CompactMatch; readonly event: CompactEvent }
}
