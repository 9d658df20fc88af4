export type Block = Record<string, unknown>
