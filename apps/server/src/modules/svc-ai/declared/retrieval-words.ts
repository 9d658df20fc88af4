/** How passages are found: by words alone, or by words and vectors; `auto` takes vectors where there are some. */
export const retrievalModes = ['auto', 'lexical', 'hybrid'] as const
export type RetrievalMode = (typeof retrievalModes)[number]

/**
 * Why only words were searched: the caller asked for it, no model is bound to make vectors, no searched source has vectors
 * of the bound model yet, or the gateway refused the call.
 */
export const lexicalReasons = ['asked', 'no_embedding_model', 'not_embedded', 'embedding_refused'] as const
export type LexicalReason = (typeof lexicalReasons)[number]
