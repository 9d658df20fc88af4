import { expect, test } from 'vitest'
import type { CallState } from '../pipeline/contract/call-parts.ts'
import { factHeaders } from './fact-headers.ts'

test('pointers to what was left out are written so that a header holds them and a list of them can be taken apart', () => {
  const state = {
    attempts: {
      served: null,
      dropped: ['/temperature', '/messages/0/naïve ⟦EMAIL_1⟧', '/a,b', '/50%', '/half\ud800', '/a~1b'],
    },
    plan: { targets: [], policy: { effective: { mode: 'enforce' } } },
  } as unknown as CallState
  const said = factHeaders(state)['x-gateway-dropped-params'] ?? ''
  expect(said).toMatch(/^[ -~]*$/)
  expect(said.split(', ').map(decodeURIComponent)).toEqual([
    ...['/temperature', '/messages/0/naïve ⟦EMAIL_1⟧', '/a,b', '/50%', '/half\ufffd', '/a~1b'],
  ])
})
