/**
 * Sets a value at a JSON Pointer (RFC 6901): as a member of an existing object, or inserted into an existing list
 * before the element at that index; a pointer that does not resolve has no effect. Tested in pointer.test.ts.
 */
const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

export function setAt(body: Record<string, unknown>, pointer: string, value: unknown): boolean {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const last = names.pop()
  if (last === undefined || unsafeNames.has(last)) return false
  let place: unknown = body
  for (const name of names) place = memberOf(place, name)
  if (Array.isArray(place)) {
    const index = /^\d+$/.test(last) ? Number(last) : -1
    if (index < 0 || index > place.length) return false
    place.splice(index, 0, value)
    return true
  }
  if (typeof place !== 'object' || place === null) return false
  Object.assign(place, { [last]: value })
  return true
}

function memberOf(place: unknown, name: string): unknown {
  if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return undefined
  return Reflect.get(place, name)
}
