import { expect, test } from 'vitest'
import { UpstreamFault, unsaid } from './fault.ts'
import { errorOfPrivate, witnessed } from './private-answer.ts'

test.each([
  '{"error":{"message":"model \\"x\\" not found","code":"model_not_found"}}',
  '{"error":"model not found"}',
  '{"object":"error","message":"too long","code":400}',
  '{"type":"error","message":"overloaded"}',
  '[{"error":{"message":"quota","status":"RESOURCE_EXHAUSTED"}}]',
])('an error as model servers write one stays: %s', (text) => {
  expect(errorOfPrivate(text)).toBe(text)
})

test.each([
  'root:x:0:0:root:/root:/bin/bash',
  '{"message":"secret of an inner service"}',
  '{"detail":"secret of an inner service"}',
  '{"error":{"root_cause":[{"reason":"secret"}]}}',
  '{"kind":"Status","message":"secret"}',
  '<html>secret</html>',
  '',
])('C55 anything else is nothing: %s', (text) => {
  expect(errorOfPrivate(text)).toBe('')
})

const refusing = (text: string, isPrivate: boolean) => {
  try {
    witnessed({ text, isPrivate }, () => {
      throw new UpstreamFault('bad_request', text)
    })
  } catch (error) {
    if (error instanceof UpstreamFault) return error
  }
  throw new Error('no fault')
}

test('C55 the fault of a private answer has neither its words nor its beginning', () => {
  const fault = refusing('{"detail":"inner secret"}', true)
  expect(fault.message).toBe(unsaid)
  expect(fault.evidence?.beginning).not.toContain('secret')
  expect(fault.evidence?.sha256).toMatch(/^[0-9a-f]{64}$/)
})

test('that of a public one has both', () => {
  const fault = refusing('{"detail":"its words"}', false)
  expect([fault.message, fault.evidence?.beginning]).toEqual(['{"detail":"its words"}', '{"detail":"its words"}'])
})
