import { describe, expect, test } from 'vitest'
import { type CanonicalCall, emptyCall, type Turn } from '../../call/call.ts'
import type { CallState } from '../../pipeline/contract/call-parts.ts'
import { keyOf, likenessOf } from './partition.ts'
import type { CacheRules } from './rules.ts'

const rules: CacheRules = {
  mode: 'semantic',
  scope: 'key',
  ttlMs: 1000,
  maxTemperature: 1,
  threshold: 0.95,
  embeddingModel: 'echo-embed-1',
  maxAgeMs: 1000,
}

interface Base {
  readonly tenantId: string
  readonly roles: readonly string[]
  readonly userId: string
  readonly keyId: string | null
  readonly policies: readonly { readonly id: string; readonly version: number }[]
  readonly entities: readonly string[]
  readonly places: readonly string[]
  readonly call: CanonicalCall
}

const turn = (text: string): Turn => ({
  role: 'user',
  parts: [{ type: 'text', text }],
  toolCalls: [],
  toolCallId: null,
  name: null,
})

const base: Base = {
  tenantId: 't1',
  roles: ['a', 'b'],
  userId: 'u1',
  keyId: 'k1',
  policies: [{ id: 'p1', version: 1 }],
  entities: [],
  places: ['one/m'],
  call: { ...emptyCall, turns: [turn('How are you?')], metadata: { team: 'x' } },
}

function state(over: Partial<Base> = {}): CallState {
  const { tenantId, roles, userId, keyId, policies, entities, places, call } = { ...base, ...over }
  return {
    facts: { tenantId, actor: { tenantId, roles, userId, keyId }, asked: { agentId: null } },
    findings: { entities: new Map(entities.map((name) => [name, 1])) },
    plan: {
      call,
      left: new Set(),
      policy: { sha256: 'same', sources: policies },
      targets: places.map((place) => ({ provider: { id: place.split('/')[0] }, model: place.split('/')[1] })),
    },
  } as unknown as CallState
}

const differences: readonly [string, Partial<Base>][] = [
  ['tenant', { tenantId: 't2' }],
  ['key', { keyId: 'k2' }],
  ['person without a key', { keyId: null }],
  ['version of a policy', { policies: [{ id: 'p1', version: 2 }] }],
  ['policy that says the same', { policies: [{ id: 'p2', version: 1 }] }],
  ['kind of data', { entities: ['PERSON'] }],
  ['class of data that the caller declares', { call: { ...base.call, metadata: { classification: 'restricted' } } }],
  ['target', { places: ['two/m'] }],
  ['order of targets', { places: ['two/m', 'one/m'] }],
  ['temperature', { call: { ...base.call, temperature: 0 } }],
  ['name of the end user', { call: { ...base.call, user: 'jane' } }],
]

describe('the key and the context', () => {
  test.each(differences)('are others for another %s', (_what, over) => {
    expect(keyOf(state(over), rules)).not.toBe(keyOf(state(), rules))
    expect(likenessOf(state(over), rules)?.context).not.toBe(likenessOf(state(), rules)?.context)
  })

  test('are the same for other metadata and another order of roles', () => {
    const over = { call: { ...base.call, metadata: {} }, roles: ['b', 'a'] }
    for (const scope of ['key', 'role'] as const) {
      const scoped = { ...rules, scope }
      expect(keyOf(state(over), scoped)).toBe(keyOf(state(), scoped))
      expect(likenessOf(state(over), scoped)).toEqual(likenessOf(state(), scoped))
    }
  })

  test('of one scope are never those of another', () => {
    const scopes = ['tenant', 'role', 'user', 'key'] as const
    expect(new Set(scopes.map((scope) => keyOf(state(), { scope }))).size).toBe(scopes.length)
  })
})

describe('the context', () => {
  const contextOf = (text: string, over: Partial<CacheRules> = {}) =>
    likenessOf(state({ call: { ...base.call, turns: [turn(text)] } }), { ...rules, ...over })?.context

  test('is that of all questions that only differ in words', () => {
    expect(contextOf('How are you?')).toBe(contextOf('How were you doing?'))
    expect(contextOf('How are 2 of you?')).not.toBe(contextOf('How are 3 of you?'))
  })

  test('is another for another embedding model', () => {
    expect(contextOf('How are you?', { embeddingModel: 'other' })).not.toBe(contextOf('How are you?'))
  })

  test('is none where the last word is not plain text of a user', () => {
    const last: readonly Turn[] = [
      { ...turn('How?'), role: 'tool' },
      { ...turn('How?'), name: 'Jane' },
      { ...turn('How?'), parts: [...turn('How?').parts, { type: 'image', url: 'x', detail: null }] },
    ]
    for (const one of last) expect(likenessOf(state({ call: { ...base.call, turns: [one] } }), rules)).toBeNull()
    expect(likenessOf(state({ call: { ...base.call, turns: [] } }), rules)).toBeNull()
  })
})
