/** Parse options for request bodies: an unknown field is an error that names the field. */
export const strictBody = { onExcessProperty: "error" } as const
