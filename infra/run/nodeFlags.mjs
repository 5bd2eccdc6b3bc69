// Owns the flags of Node that the service runs with, and whatever measures it.
// Under load nearly everything that is allocated dies young. With Node's nursery of 16 MB a third of the time would go into collecting it;
// and V8 goes by what outlived the start when it allocates some of it old right away, which keeps alive what it refers to.
export const nodeFlags = ["--max-semi-space-size=64", "--no-allocation-site-pretenuring"]
