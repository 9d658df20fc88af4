export const encodings = ['o200k_base', 'cl100k_base'] as const
export type Encoding = (typeof encodings)[number]
