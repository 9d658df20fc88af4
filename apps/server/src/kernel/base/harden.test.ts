import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../../../test/borders/sources.ts'
import { removeProtoAccessor } from './harden.ts'

test('C32 a member named __proto__ is a member like any other and reaches no prototype', () => {
  removeProtoAccessor()
  const target: Record<string, Record<string, unknown>> = {}
  const hostile: unknown = JSON.parse('{"__proto__":{"isAdmin":true}}')
  for (const [name, value] of Object.entries(hostile as Record<string, Record<string, unknown>>)) target[name] = value
  expect(Object.getPrototypeOf(target)).toBe(Object.prototype)
  expect(Reflect.get({}, 'isAdmin')).toBeUndefined()
  expect(Reflect.get({}, '__proto__')).toBeUndefined()
})

test.each(['main.ts', 'thread.ts', 'demo/main.ts'])('C32 %s begins with it', (file) => {
  const text = readFileSync(join(repository, 'apps/server/src', file), 'utf8')
  expect(text).toMatch(/^\s*removeProtoAccessor\(\)$/m)
})
