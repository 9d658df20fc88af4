/** FNV-1a (Fowler, Noll and Vo, public domain) of a part of a text, its high bits folded in; 32 bits, unsigned. */
export function fnv1a(text: string, start = 0, end = text.length): number {
  let hash = 0x811c9dc5
  for (let i = start; i < end; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
