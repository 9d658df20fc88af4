import { expect, test } from 'vitest'
import { type Caller, covers } from './budget.ts'
import type { ScopeRule } from './schemas.ts'

const caller: Caller = {
  userId: 'u1',
  keyId: 'k1',
  roles: ['ai_engineer'],
  agentId: 'a1',
  tags: ['team-x', 'test'],
  requested: 'fast',
}
const target = { provider: { name: 'acme' }, model: 'gpt-4o-mini' }
const isCovered = (...scope: ScopeRule[]): boolean => covers({ scope }, caller, target)

test.each<[ScopeRule, boolean]>([
  [{ kind: 'tenant' }, true],
  [{ kind: 'user', value: 'u1' }, true],
  [{ kind: 'user', value: 'u2' }, false],
  [{ kind: 'role', value: 'ai_engineer' }, true],
  [{ kind: 'role', value: 'viewer' }, false],
  [{ kind: 'key', value: 'k1' }, true],
  [{ kind: 'agent', value: 'a2' }, false],
  [{ kind: 'provider', value: 'acme' }, true],
  [{ kind: 'provider', value: 'ac' }, false],
  [{ kind: 'model', value: 'gpt-4o-mini' }, true],
  [{ kind: 'model', value: 'acme/gpt-*' }, true],
  [{ kind: 'model', value: 'gpt-4o' }, false],
  [{ kind: 'route', value: 'fast' }, true],
  [{ kind: 'tag', value: 'test' }, true],
  [{ kind: 'tag', value: 'prod' }, false],
])('%j covers the call: %s', (rule, expected) => {
  expect(isCovered(rule)).toBe(expected)
})

test('all rules must fit', () => {
  expect(isCovered({ kind: 'user', value: 'u1' }, { kind: 'tag', value: 'test' })).toBe(true)
  expect(isCovered({ kind: 'user', value: 'u1' }, { kind: 'tag', value: 'prod' })).toBe(false)
})

test('C17 a budget of a key counts the keys made with it', () => {
  const child = { ...caller, keyId: 'k9', keyAncestors: [{ id: 'k1', rateLimitPerMinute: null }] }
  expect(covers({ scope: [{ kind: 'key', value: 'k1' }] }, child, target)).toBe(true)
  expect(covers({ scope: [{ kind: 'key', value: 'k2' }] }, child, target)).toBe(false)
})
