/** The content is no Zstandard, or not one that we accept. */
export class ZstdError extends Error {}
