import { expect, test } from 'vitest'
import { measuredGuardrail } from './measured.ts'

const period = { from: '2026-01-01T00:00:00Z', to: '2026-01-31T00:00:00Z' }
const seen = (agentId: string, blocked: number, passed: number, step = 'injection_detection') => ({
  ...{ step, agentId, blocked, passed },
})

test('nothing seen is nothing measured', () => {
  expect(measuredGuardrail({ ...period, seen: [] }, 'a')).toBeNull()
  expect(measuredGuardrail({ ...period, seen: [seen('a', 5, 5, 'sensitive_data')] }, 'a')).toBeNull()
})

test('few attacks are no certainty: three blocked of three are 0.8, with a wide interval', () => {
  const control = measuredGuardrail({ ...period, seen: [seen('a', 3, 0)] }, 'a')
  expect(control?.efficacy).toBeCloseTo(0.8, 12)
  expect(control?.measured).toMatchObject({ blocked: 3, passed: 0, high: 1 })
  expect(control?.measured?.low).toBeLessThan(0.45)
})

test('an agent with enough attacks has its own efficacy, another that of the tenant', () => {
  const attacks = { ...period, seen: [seen('a', 10, 10), seen('b', 90, 0), seen('b', 0, 10, 'reported_missed')] }
  expect(measuredGuardrail(attacks, 'a')?.efficacy).toBeCloseTo(0.5, 12)
  expect(measuredGuardrail(attacks, 'b')?.efficacy).toBeCloseTo(91 / 102, 12)
  expect(measuredGuardrail(attacks, 'c')?.measured).toMatchObject({ blocked: 100, passed: 20 })
})
