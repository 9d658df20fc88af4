import { expect, test } from 'vitest'
import { cites, techniqueOf } from './techniques.ts'

const blocked = (error_code: string, provenance: string | null) => ({
  data: { blocked_by: { error_code }, provenance },
})

test.each([
  ['GW-003', 'user', 'AML.T0051.000'],
  ['GW-003', null, 'AML.T0051.000'],
  ['GW-003', 'tool_result', 'AML.T0051.001'],
  ['GW-006', 'assistant', 'AML.T0057'],
  ['GW-009', null, null],
  ['GW-004', 'user', null],
])('a call blocked by %s in text of %s is an attempt of %s', (code, provenance, technique) => {
  expect(techniqueOf(blocked(code, provenance))).toBe(technique)
})

test('a cited technique covers its sub-techniques and nothing else', () => {
  expect(cites('AML.T0051', 'AML.T0051.001')).toBe(true)
  expect(cites('AML.T0051.001', 'AML.T0051.001')).toBe(true)
  expect(cites('AML.T0051.000', 'AML.T0051.001')).toBe(false)
  expect(cites('AML.T005', 'AML.T0051.001')).toBe(false)
})
