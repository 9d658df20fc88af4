import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffJson, type PatchOperation } from './json-diff.ts'

/** Applies a patch by the letter of RFC 6902, section 4. */
function apply(document: unknown, patch: readonly PatchOperation[]): unknown {
  let root: unknown = structuredClone(document)
  for (const operation of patch) {
    if (operation.path === '') {
      root = 'value' in operation ? operation.value : undefined
      continue
    }
    const steps = operation.path
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    const last = steps.pop() ?? ''
    const parent = steps.reduce<unknown>((value, step) => Reflect.get(Object(value), step), root)
    if (Array.isArray(parent)) {
      if (operation.op === 'add') parent.splice(Number(last), 0, operation.value)
      else if (operation.op === 'remove') parent.splice(Number(last), 1)
      else parent[Number(last)] = operation.value
    } else if (operation.op === 'remove') Reflect.deleteProperty(Object(parent), last)
    else
      Object.defineProperty(Object(parent), last, {
        value: operation.value,
        enumerable: true,
        configurable: true,
        writable: true,
      })
  }
  return root
}

const json = fc.jsonValue({ depthSize: 'small' })

test('a patch makes one value of the other', () => {
  fc.assert(
    fc.property(json, json, (from, to) => {
      const [a, b] = [JSON.parse(JSON.stringify(from)), JSON.parse(JSON.stringify(to))]
      expect(apply(a, diffJson(a, b))).toEqual(b)
    }),
  )
})

test('equal values need none, and an entry in the middle of a list is one operation', () => {
  expect(diffJson({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toEqual([])
  expect(diffJson({ a: [1, 3] }, { a: [1, 2, 3] })).toEqual([{ op: 'add', path: '/a/1', value: 2 }])
  expect(diffJson({ 'a/b~': 1 }, {})).toEqual([{ op: 'remove', path: '/a~1b~0' }])
})
