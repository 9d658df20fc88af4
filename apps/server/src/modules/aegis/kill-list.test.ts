import { describe, expect, test } from 'vitest'
import { covers, createKillList, type KillSubject } from './kill-list.ts'
import type { KillSwitch } from './schemas.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')
const subject: KillSubject = {
  tenantId: 't1',
  userId: 'u1',
  keyId: 'k1',
  agentId: 'a1',
  provider: 'openai',
  model: 'gpt-x',
  route: null,
}

function killSwitch(over: Partial<KillSwitch> = {}): KillSwitch {
  return {
    id: 'k',
    tenant_id: 't1',
    scope: 'tenant',
    value: null,
    level: 'hard',
    reason: 'an incident drill',
    exempt: [],
    source: 'gateway',
    status: 'active',
    activated_by: 'u0',
    activated_at: '2026-11-20T11:00:00.000Z',
    deactivated_by: null,
    deactivated_at: null,
    deactivation_reason: null,
    expires_at: null,
    propagation: { nodes_total: 1, nodes_acked: 1, p50_ms: 0, max_ms: 0, inflight_aborted: 0 },
    version: 1,
    created_at: '2026-11-20T11:00:00.000Z',
    updated_at: '2026-11-20T11:00:00.000Z',
    ...over,
  }
}

describe('what a kill switch covers', () => {
  test.each([
    [{ scope: 'tenant', value: null }, true],
    [{ scope: 'provider', value: 'openai' }, true],
    [{ scope: 'provider', value: 'echo' }, false],
    [{ scope: 'model', value: 'gpt-x' }, true],
    [{ scope: 'model', value: 'openai/gpt-x' }, true],
    [{ scope: 'model', value: 'GPT-X' }, true],
    [{ scope: 'provider', value: 'OpenAI' }, true],
    [{ scope: 'model', value: 'echo/gpt-x' }, false],
    [{ scope: 'agent', value: 'a1' }, true],
    [{ scope: 'user', value: 'u1' }, true],
    [{ scope: 'key', value: 'k2' }, false],
    [{ scope: 'route', value: 'fast' }, false],
  ] as const)('%o covers the call: %s', (over, expected) => {
    expect(covers(killSwitch(over), subject, now)).toBe(expected)
  })

  test('a model is stopped under dated names and in any case', () => {
    for (const model of ['gpt-x-2025-01-31', 'GPT-X', 'Gpt-X-20250131'])
      for (const value of ['gpt-x', 'openai/gpt-x'])
        expect(covers(killSwitch({ scope: 'model', value }), { ...subject, model }, now)).toBe(true)
    expect(covers(killSwitch({ scope: 'model', value: 'gpt-x' }), { ...subject, model: 'gpt-x-mini' }, now)).toBe(false)
  })

  test('C17 one of a key covers the keys made with it, whoever is exempt', () => {
    const child = { ...subject, keyId: 'k3', keyAncestors: [{ id: 'k2', rateLimitPerMinute: null }] }
    expect(covers(killSwitch({ scope: 'key', value: 'k2' }), child, now)).toBe(true)
    expect(covers(killSwitch({ scope: 'key', value: 'k1' }), child, now)).toBe(false)
    expect(covers(killSwitch({ exempt: ['k2'] }), child, now)).toBe(true)
  })

  test('C28 a tenant switch stops the tenants below, another switch of theirs does not', () => {
    const below = { ...subject, tenantId: 't3', tenantsAbove: [{ id: 't1' }] }
    expect(covers(killSwitch(), below, now)).toBe(true)
    expect(covers(killSwitch({ scope: 'user', value: 'u1' }), below, now)).toBe(false)
    expect(covers(killSwitch({ tenant_id: 't3' }), subject, now)).toBe(false)
  })

  test('a tenant switch of another tenant does not stop this one, a platform switch does', () => {
    expect(covers(killSwitch({ tenant_id: 't2' }), subject, now)).toBe(false)
    expect(covers(killSwitch({ tenant_id: 't2', scope: 'platform' }), subject, now)).toBe(true)
  })

  test('an exempt user or key passes', () => {
    expect(covers(killSwitch({ exempt: ['u1'] }), subject, now)).toBe(false)
    expect(covers(killSwitch({ exempt: ['k1'] }), subject, now)).toBe(false)
    expect(covers(killSwitch({ exempt: ['u2'] }), subject, now)).toBe(true)
  })

  test('it stops counting at its expiry, to the millisecond', () => {
    const ending = killSwitch({ expires_at: '2026-11-20T12:00:00.001Z' })
    expect(covers(ending, subject, now)).toBe(true)
    expect(covers(ending, subject, now + 1)).toBe(false)
  })
})

describe('the list', () => {
  test('applying twice aborts running calls once', () => {
    const list = createKillList()
    list.onActivation(() => 3)
    expect(list.apply(killSwitch())).toBe(3)
    expect(list.apply(killSwitch())).toBeNull()
  })

  test('holds a running call to what is hard alone, whichever came first', () => {
    const list = createKillList()
    list.apply(killSwitch({ id: 'new', level: 'block_new' }))
    expect(list.match(subject, now)?.id).toBe('new')
    expect(list.matchRunning(subject, now)).toBeNull()
    list.apply(killSwitch({ id: 'hard', scope: 'user', value: 'u1' }))
    expect(list.matchRunning(subject, now)?.id).toBe('hard')
  })

  test('a read that began before an activation does not undo it', async () => {
    const list = createKillList()
    const stored: KillSwitch[] = []
    let reads = 0
    await list.refresh(async () => {
      reads += 1
      const seen = [...stored]
      if (reads === 1) {
        stored.push(killSwitch())
        list.apply(killSwitch())
      }
      return seen
    })
    expect(reads).toBe(2)
    expect(list.match(subject, now)?.id).toBe('k')
  })

  test('a refresh takes up what was missed and drops what was ended elsewhere', async () => {
    const list = createKillList()
    list.apply(killSwitch({ id: 'old', scope: 'user', value: 'u1' }))
    list.onActivation(() => 2)
    const stored = [killSwitch({ id: 'new' })]
    expect(await list.refresh(async () => stored)).toEqual([{ killSwitch: stored[0], aborted: 2 }])
    expect(await list.refresh(async () => stored)).toEqual([])
    expect(list.match(subject, now)?.id).toBe('new')
    list.lift('new')
    expect(list.match(subject, now)).toBeNull()
  })

  test('a refresh that something changes under again and again puts nothing in place and says so', async () => {
    const list = createKillList()
    let reads = 0
    const restless = async () => {
      reads += 1
      list.apply(killSwitch({ id: `k${reads}` }))
      return []
    }
    expect(await list.refresh(restless)).toBeNull()
    expect(list.match(subject, now)?.id).toBe('k1')
  })
})

test.each([
  ['tool', 'wire_money', { tools: ['lookup', 'wire_money'] }],
  ['mcp_server', 'payments', { mcpServers: ['payments'] }],
  ['agents_by_tag', 'finance', { agentTags: ['finance'] }],
] as const)('a switch of the scope %s covers subjects that name its value, and no others', (scope, value, named) => {
  const active = killSwitch({ scope, value })
  expect(covers(active, { ...subject, ...named }, now)).toBe(true)
  expect(covers(killSwitch({ scope, value: 'other' }), { ...subject, ...named }, now)).toBe(false)
  expect(covers(active, subject, now)).toBe(false)
})
