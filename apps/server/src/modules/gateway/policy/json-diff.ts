/** The difference between two JSON values as a patch (RFC 6902). Tested by properties in json-diff.test.ts. */
import { isRecord } from '../../../kernel/base/is-record.ts'
import { canonicalJson } from '../../../kernel/crypto/canonical-json.ts'

export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

/** Operations that make `to` of `from`, in the order in which they apply. */
export function diffJson(from: unknown, to: unknown, path = ''): readonly PatchOperation[] {
  if (same(from, to)) return []
  if (Array.isArray(from) && Array.isArray(to)) return diffLists(from, to, path)
  if (isRecord(from) && isRecord(to)) return diffObjects(from, to, path)
  return [{ op: 'replace', path, value: to }]
}

const same = (a: unknown, b: unknown): boolean =>
  a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b))

function diffObjects(
  from: Readonly<Record<string, unknown>>,
  to: Readonly<Record<string, unknown>>,
  path: string,
): readonly PatchOperation[] {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort()
  return names.flatMap((name): readonly PatchOperation[] => {
    const at = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (!Object.hasOwn(to, name)) return [{ op: 'remove', path: at }]
    return Object.hasOwn(from, name) ? diffJson(from[name], to[name], at) : [{ op: 'add', path: at, value: to[name] }]
  })
}

/** The common head and tail stay; of the rest, entries are compared in pairs, then added or removed. */
function diffLists(from: readonly unknown[], to: readonly unknown[], path: string): readonly PatchOperation[] {
  const shorter = Math.min(from.length, to.length)
  let head = 0
  while (head < shorter && same(from[head], to[head])) head += 1
  let tail = 0
  while (tail < shorter - head && same(from.at(-1 - tail), to.at(-1 - tail))) tail += 1
  const [fromEnd, toEnd] = [from.length - tail, to.length - tail]
  const paired = Math.min(fromEnd, toEnd)
  return [
    ...range(head, paired).flatMap((index) => diffJson(from[index], to[index], `${path}/${index}`)),
    ...range(paired, toEnd).map((index) => ({ op: 'add', path: `${path}/${index}`, value: to[index] }) as const),
    // From the back, so that the places of the others stay.
    ...range(paired, fromEnd)
      .reverse()
      .map((index) => ({ op: 'remove', path: `${path}/${index}` }) as const),
  ]
}

const range = (from: number, to: number): number[] => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)
