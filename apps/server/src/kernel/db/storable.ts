/** Text that PostgreSQL takes inside JSON. Tested in sql.test.ts and ../audit/record.test.ts. */

/** NUL and lone surrogates cannot be stored as JSON by PostgreSQL. */
export function storable(text: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text
  return text.replace(/[\0\p{Surrogate}]/gu, '\uFFFD')
}

/** How JSON writes what cannot be stored; a text that only speaks of it looks the same and is left as it is below. */
const suspicious = /\\u(?:0000|d[89a-f])/

/** JSON whose texts can be stored; output of a model or another server may hold anything. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value)
  // A plain search is quicker by far than the pattern, and most JSON has no such escape at all.
  if (!text.includes('\\u') || !suspicious.test(text)) return text
  return JSON.stringify(value, (_name, member) => (typeof member === 'string' ? storable(member) : member))
}
