/** Classes of data, the least first; the same words as in the gateway's policies. */
export const classes = ['public', 'internal', 'confidential', 'restricted'] as const
export type DataClass = (typeof classes)[number]

export const rankOf = (name: DataClass): number => classes.indexOf(name)
export const higherClass = (a: DataClass, b: DataClass): DataClass => (rankOf(a) >= rankOf(b) ? a : b)
