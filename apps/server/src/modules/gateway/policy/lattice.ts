/**
 * The small joins strictest merge is made of. Each is commutative, associative and idempotent, so their combination is
 * too: the result depends on which policies apply and never on their order. Tested by properties in merge.test.ts.
 */
import { canonicalJson } from '../../../kernel/crypto/canonical-json.ts'

export type Join<T> = (a: T, b: T) => T
export type Joins<T> = { readonly [K in keyof T]: Join<T[K]> }

/** The later word of the list wins. */
export function stricter<T extends string | null>(...order: readonly T[]): Join<T> {
  return (a, b) => (order.indexOf(a) >= order.indexOf(b) ? a : b)
}

export const least: Join<number> = Math.min
export const most: Join<number> = Math.max
export const both: Join<boolean> = (a, b) => a && b
export const either: Join<boolean> = (a, b) => a || b
export const leastOrNull: Join<number | null> = (a, b) => (a === null ? b : b === null ? a : Math.min(a, b))
/** No value is stricter than the other here; the order of letters keeps the result independent of the order of policies. */
export const firstText: Join<string | null> = (a, b) => (a === null ? b : b === null ? a : a < b ? a : b)

/** Any choice but the default wins over it, and of two choices the first by letters. */
export function chosen<T extends string>(byDefault: T): Join<T> {
  return (a, b) => (a === byDefault ? b : b === byDefault ? a : a < b ? a : b)
}

/** All members of both, each once, in an order that depends on the members only. */
export function union<T>(a: readonly T[], b: readonly T[]): T[] {
  const members = new Map([...a, ...b].map((member) => [canonicalJson(member), member]))
  return [...members].sort(([x], [y]) => (x < y ? -1 : 1)).map(([, member]) => member)
}

/** The members both have. */
export function intersection(a: readonly string[], b: readonly string[]): string[] {
  const inB = new Set(b)
  return union(
    a.filter((member) => inB.has(member)),
    [],
  )
}

export function joinFields<T extends object>(joins: Joins<T>): Join<T> {
  return (a, b) => {
    const joined = Object.entries<Join<unknown>>(joins as Record<string, Join<unknown>>).map(([name, join]) => [
      name,
      join(Reflect.get(a, name), Reflect.get(b, name)),
    ])
    return Object.fromEntries(joined) as T
  }
}

/** Member by member; a member that only one side has is taken as it is. */
export function joinMembers<T>(join: Join<T>): Join<Readonly<Record<string, T>>> {
  return (a, b) => {
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()
    const joined = names.map((name) => {
      const [mine, theirs] = [a[name], b[name]]
      return [name, mine === undefined ? theirs : theirs === undefined ? mine : join(mine, theirs)]
    })
    return Object.fromEntries(joined) as Record<string, T>
  }
}
