/** Something the reader can act on: the scripts show it as a sentence, without a stack, and end with exit code 1. */
export class Complaint extends Error {}
