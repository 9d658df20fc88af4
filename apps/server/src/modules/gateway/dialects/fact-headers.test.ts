import { expect, test } from 'vitest'
import type { CallState } from '../pipeline/contract/call-parts.ts'
import { factHeaders } from './fact-headers.ts'

test('pointers to what was left out are written so that a header holds them and a list of them can be taken apart', () => {
  const state = {
    attempts: {
      served: null,
      lowered: [],
      dropped: ['/temperature', '/messages/0/naïve ⟦EMAIL_1⟧', '/a,b', '/50%', '/half\ud800', '/a~1b'],
    },
    findings: { found: new Map() },
    plan: { call: { turns: [] }, targets: [], policy: { effective: { mode: 'enforce' } } },
  } as unknown as CallState
  const said = factHeaders(state)['x-gateway-dropped-params'] ?? ''
  expect(said).toMatch(/^[ -~]*$/)
  expect(said.split(', ').map(decodeURIComponent)).toEqual([
    ...['/temperature', '/messages/0/naïve ⟦EMAIL_1⟧', '/a,b', '/50%', '/half\ufffd', '/a~1b'],
  ])
})

test('what a policy changed in the request is told in one header, and nothing where it changed nothing', () => {
  const state = (over: object) =>
    ({
      ...{ dropped: [], lowered: [], found: new Map(), call: { turns: [] } },
      ...{ served: null, targets: [], policy: { effective: { mode: 'enforce' } } },
      ...over,
    }) as unknown as CallState
  const said = (over: object) => factHeaders(state(over))['x-gateway-request-changes']
  expect(said({})).toBeUndefined()
  expect(said({ found: new Map([['a', { action: 'redact', step: 'output_inspection' }]]) })).toBeUndefined()
  expect(
    said({
      lowered: [{ asked: null, sent: 1000, source: 'policy' }],
      call: { turns: [{ role: 'system', at: '' }] },
      found: new Map([['a', { action: 'redact', step: 'sensitive_data' }]]),
    }),
  ).toBe('max_tokens=1000, system_prompt, redaction')
})
