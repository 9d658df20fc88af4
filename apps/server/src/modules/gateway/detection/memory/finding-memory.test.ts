import { describe, expect, test } from 'vitest'
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { sha256 } from '../../../../kernel/crypto/digest.ts'
import { createRandom } from '../../../../kernel/crypto/random.ts'
import { createFindingMemory, type FindingMemory } from './finding-memory.ts'
import { createKnownFindings } from './known-findings.ts'

const random = createRandom(Date.now)
const [a, b] = ['a', 'b'] as unknown as readonly [TenantId, TenantId]
const finding = { detector: 'pii', type: 'EMAIL', start: 3, end: 20, score: 1 }

function filled(memory: FindingMemory, tenantId: TenantId, from: number, to: number): void {
  const held = memory.under(tenantId, 'r')
  for (let n = from; n < to; n += 1) held.set('sensitive', held.digest(`text ${n}`), [{ ...finding, start: n }])
}

function heldOf(memory: FindingMemory, tenantId: TenantId, n: number): unknown {
  const held = memory.under(tenantId, 'r')
  return held.get('sensitive', held.digest(`text ${n}`))
}

describe('the memory of findings', () => {
  test('gives back what was found, under the same tenant, rules and look only', () => {
    const memory = createFindingMemory(random)
    const held = memory.under(a, 'r')
    held.set('sensitive', held.digest('text'), [finding])
    expect(memory.under(a, 'r').get('sensitive', held.digest('text'))).toEqual([finding])
    expect(memory.under(a, 'other').get('sensitive', held.digest('text'))).toBeUndefined()
    expect(held.get('injection user', held.digest('text'))).toBeUndefined()
    const other = memory.under(b, 'r')
    expect(other.get('sensitive', held.digest('text'))).toBeUndefined()
    expect(other.get('sensitive', other.digest('text'))).toBeUndefined()
  })

  test('knows texts by a hash that nobody else can make', () => {
    const digests = [
      createFindingMemory(random).under(a, 'r').digest('text'),
      createFindingMemory(random).under(a, 'r').digest('text'),
      createFindingMemory(random).under(b, 'r').digest('text'),
      sha256('text', 'base64'),
    ]
    expect(new Set(digests).size).toBe(4)
  })

  test('tells texts apart that are the same in UTF-8', () => {
    const { digest } = createFindingMemory(random).under(a, 'r')
    expect(new Set(['\ud800', '\ud801', '\ufffd', '\udc00'].map(digest)).size).toBe(4)
  })

  test('holds no more than its bound, and what was used last', () => {
    const memory = createFindingMemory(random, { bytes: 100_000, bytesOfTenant: 50_000 })
    filled(memory, a, 0, 50)
    for (let n = 50; n < 2_000; n += 1) {
      filled(memory, a, n, n + 1)
      expect(heldOf(memory, a, 0)).toEqual([{ ...finding, start: 0 }])
      expect(memory.bytes()).toBeLessThanOrEqual(50_000)
    }
    expect(heldOf(memory, a, 1)).toBeUndefined()
    expect(heldOf(memory, a, 1_999)).toBeDefined()
  })

  test('lets no tenant drive out another one, and those that nobody asks for go first', () => {
    const memory = createFindingMemory(random, { bytes: 100_000, bytesOfTenant: 50_000 })
    filled(memory, b, 0, 50)
    filled(memory, a, 0, 5_000)
    expect(heldOf(memory, b, 0)).toBeDefined()
    const others = Array.from({ length: 20 }, (_, n) => `t${n}` as TenantId)
    for (const one of others) filled(memory, one, 0, 100)
    expect(memory.bytes()).toBeLessThanOrEqual(100_000)
    expect([heldOf(memory, a, 4_999), heldOf(memory, b, 0)]).toEqual([undefined, undefined])
    expect(heldOf(memory, 't19' as TenantId, 99)).toBeDefined()
  })

  test('does not hold a text with more findings than many others together', () => {
    const memory = createFindingMemory(random, { bytes: 100_000, bytesOfTenant: 50_000 })
    const held = memory.under(a, 'r')
    held.set('sensitive', held.digest('list'), Array(1_000).fill(finding))
    expect(held.get('sensitive', held.digest('list'))).toBeUndefined()
  })

  test('takes nothing from a call that began before its tenant was forgotten', () => {
    const memory = createFindingMemory(random)
    const held = memory.under(a, 'r')
    memory.forget(a)
    held.set('sensitive', held.digest('text'), [finding])
    expect(memory.bytes()).toBe(0)
  })
})

describe('what is known in a call', () => {
  const text = 'a text'
  const look = () => {
    const looks: string[] = []
    const find = (one: string) => {
      looks.push(one)
      return one.length
    }
    return { look: { name: 'length', find }, looks }
  }

  test('is looked for once, and not again in the next call', () => {
    const memory = createFindingMemory(random)
    const { look: length, looks } = look()
    for (const _ of [1, 2]) {
      const known = createKnownFindings(memory.under(a, 'r'))
      for (const one of [text, '', text, '']) expect(known.find(length, one)).toBe(one.length)
    }
    expect(looks).toEqual([text, ''])
  })

  test('stays known when the memory drops it meanwhile', () => {
    const memory = createFindingMemory(random)
    const { look: length, looks } = look()
    createKnownFindings(memory.under(a, 'r')).find(length, text)
    const known = createKnownFindings(memory.under(a, 'r'))
    expect(known.has(length, text)).toBe(true)
    memory.forget(a)
    expect(known.find(length, text)).toBe(text.length)
    expect(looks).toEqual([text])
  })
})
