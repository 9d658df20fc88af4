/** Operations that a call may request, and the forms it may come in. */
export const operations = ['chat', 'responses', 'messages', 'embeddings', 'rerank'] as const
export type Operation = (typeof operations)[number]
export const dialects = ['parapet', 'openai', 'anthropic'] as const
export type Dialect = (typeof dialects)[number]
