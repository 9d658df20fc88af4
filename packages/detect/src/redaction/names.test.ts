import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNames } from './names.ts'
import { defaultBrackets, placeholderType } from './placeholder.ts'

test('names, values and beginnings are those of a list of all names', () => {
  const type = fc.constantFrom('EMAIL', 'A', 'A_1', 'A_1_1', 'OUT_A', 'a', '9')
  const step = fc.record({ type, value: fc.nat(40).map(String), isRestorable: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const names = createNames(defaultBrackets)
      const numbers = new Map<string, string>()
      const counts = new Map<string, number>()
      const values = new Map<string, string>()
      for (const { type, value, isRestorable } of steps) {
        const safe = placeholderType(type)
        const key = `${safe}\n${value}`
        if (!numbers.has(key)) {
          counts.set(safe, (counts.get(safe) ?? 0) + 1)
          numbers.set(key, `${safe}_${counts.get(safe)}`)
        }
        const name = numbers.get(key) ?? ''
        if (isRestorable && !values.has(name)) values.set(name, value)
        expect(names.of(type, value, isRestorable).placeholder).toBe(`\u27e6${name}\u27e7`)
      }
      const known = [...values.keys()]
      expect(names.entries().map(({ value }) => value)).toEqual([...values.values()])
      for (const name of numbers.values()) {
        expect(names.entry(name)?.value).toBe(values.get(name))
        for (const more of ['', '0', '1', '_', '_1', 'X']) {
          for (let length = 0; length <= name.length; length += 1) {
            const prefix = name.slice(0, length) + more
            expect(names.begins(prefix), prefix).toBe(known.some((each) => each.startsWith(prefix)))
          }
        }
      }
    }),
  )
})
