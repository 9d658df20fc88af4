import { describe, expect, test } from 'vitest'
import type { ModelParts, ServiceBody } from '../declared/model-schema.ts'
import { faultsOfModel } from './check-model.ts'

const service = (key: string, needs: readonly string[] = [], more: Partial<ServiceBody> = {}): ServiceBody => ({
  ...{ key, name: key, kind: 'component', criticality: 3 },
  dependencies: needs.map((target) => ({ target, type: 'hard' })),
  ...more,
})
const model = (...services: ServiceBody[]): ModelParts => ({ services, common_causes: [] })
const told = (parts: ModelParts) => faultsOfModel(parts).map(({ pointer, detail }) => [pointer, detail])

describe('a model is refused', () => {
  test('with a cycle of hard dependencies, whose path is named', () => {
    const parts = model(service('web', ['api']), service('api', ['db']), service('db', ['web']))
    expect(told(parts)).toEqual([['/services/0/dependencies', 'Hard dependencies form a cycle: web → api → db → web.']])
  })

  test('with unknown targets, repeated keys and groups that need too many', () => {
    const group = { type: 'k_of_n', group: 'copies', k: 2 } as const
    const parts = model(
      service('a', ['b']),
      service('a'),
      service('c', [], { dependencies: [{ target: 'a', ...group }] }),
    )
    expect(told(parts)).toEqual([
      ['/services/1/key', 'The key a is used twice.'],
      ['/services/0/dependencies/0/target', 'a depends on b, which is no service.'],
      ['/services/2/dependencies', 'The group copies needs 2 of 1 targets.'],
    ])
  })

  test('with an RTO beyond the tolerable disruption, or an RPO that no copy can keep', () => {
    const data = { interval_minutes: 60, lag_minutes: 30, restore_success: 1 }
    const parts = model(service('a', [], { objectives: { rto_minutes: 60, mtpd_minutes: 30, rpo_minutes: 10 }, data }))
    expect(faultsOfModel(parts).map(({ kind, pointer }) => [kind, pointer])).toEqual([
      ['objective', '/services/0/objectives/rto_minutes'],
      ['objective', '/services/0/objectives/rpo_minutes'],
    ])
  })

  test('with a law without a meaning', () => {
    const distribution = { type: 'pert', low: 5, mode: 1, high: 9 } as const
    const parts = model(service('a', [], { recovery_steps: [{ step: 'restore', distribution }] }))
    expect(faultsOfModel(parts)[0]?.pointer).toContain('/services/0/recovery_steps/0/distribution')
  })
})

test('a cycle of soft dependencies is none', () => {
  const soft = (target: string) => ({ dependencies: [{ target, type: 'soft' as const }] })
  expect(faultsOfModel(model(service('a', [], soft('b')), service('b', [], soft('a'))))).toEqual([])
})
