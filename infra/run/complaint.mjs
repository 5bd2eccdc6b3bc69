/** Error that the user can act on. Scripts print its message without a stack trace and exit with code 1. */
export class Complaint extends Error {}
