// Owns the flags of Node that the service runs with, and whatever measures it.
// Under load most of what is allocated dies young; with Node's nursery of 16 MB a third of the time would go into collecting it.
// Not --no-allocation-site-pretenuring: requests would cost a seventh less, and events of matches, which live long, a fifth more.
// The least as well: where little survives V8 leaves the nursery as small as it began; requests would cost a tenth more.
export const nodeFlags = ["--max-semi-space-size=64", "--min-semi-space-size=64"]
