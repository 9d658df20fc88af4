/**
 * Tests a name against a pattern in which `*` stands for any run of characters. Linear in the name, without backtracking.
 */
export function matchesWildcard(pattern: string, name: string): boolean {
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.pop()
  if (tail === undefined) return pattern === name
  if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false
  let at = head.length
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found === -1 || found + piece.length > name.length - tail.length) return false
    at = found + piece.length
  }
  return true
}
