import { expect, test } from 'vitest'
import { scrubbedFault, withEvidence, withoutKey, withoutKeyInJson } from './evidence.ts'
import { UpstreamFault } from './fault.ts'

test('a key that the provider says back is taken out word for word, however it looks', () => {
  const secret = { value: '0123456789abcdef0123456789abcdef' }
  const said = `The key ${secret.value} has no deployment.`
  const fault = withEvidence(
    new UpstreamFault('bad_request', said, { status: 400, retryAfterMs: 5 }),
    `{"m":"${said}"}`,
  )
  const clean = scrubbedFault(fault, withoutKey(secret))
  expect(clean.message).toBe('The key [secret] has no deployment.')
  expect(clean).toMatchObject({ kind: 'bad_request', status: 400, retryAfterMs: 5 })
  expect(clean.evidence?.beginning).toBe('{"m":"The key [secret] has no deployment."}')
  expect(clean.evidence?.sha256).toBe(fault.evidence?.sha256)
})

test('both halves of a key of two parts are taken out, and short words stay', () => {
  const clean = withoutKey({ value: 'AKIDEXAMPLE12345:wJalrXUtnFEMIK7MDENG' })
  expect(clean('AKIDEXAMPLE12345 signed with wJalrXUtnFEMIK7MDENG')).toBe('[secret] signed with [secret]')
  expect(withoutKey({ value: 'abc' })('abc of everything')).toBe('abc of everything')
  expect(withoutKey(null)('nothing to hide')).toBe('nothing to hide')
})

test('what is kept is the beginning, without what only looks like a key, even one that is cut', () => {
  const text = `${'x '.repeat(80)}sk-${'a1'.repeat(80)} and more`
  const { evidence } = scrubbedFault(
    withEvidence(new UpstreamFault('invalid', 'it is not JSON'), text),
    withoutKey(null),
  )
  expect(evidence?.beginning).toContain('[secret]')
  expect(evidence?.beginning).not.toContain('a1a1')
  expect(evidence?.beginning.length).toBeLessThanOrEqual(200)
})

test('a key at the edge of what is kept leaves no piece', () => {
  const secret = { value: '0123456789abcdef0123456789abcdef' }
  const fault = withEvidence(new UpstreamFault('invalid', 'bad'), `${'x '.repeat(95)}${secret.value}`)
  expect(scrubbedFault(fault, withoutKey(secret)).evidence?.beginning).toMatch(/x \[secret\]$|x \[secre?t?$/)
})

test('a character that takes two units is not cut in half', () => {
  const fault = withEvidence(new UpstreamFault('invalid', 'bad'), `${'x '.repeat(99)}x😀`)
  expect(scrubbedFault(fault, withoutKey(null)).evidence?.beginning).toBe(`${'x '.repeat(99)}x\uFFFD`)
})

test('the first text that is kept of a fault stays', () => {
  const first = withEvidence(new UpstreamFault('invalid', 'bad'), 'one')
  expect(withEvidence(first, 'two')).toBe(first)
})

test('an answer loses the key as it stands in JSON, and no word that only serves as one', () => {
  const clean = withoutKeyInJson({ value: 'Qv7"unshaped key19' })
  expect(clean(JSON.stringify({ said: 'Bearer Qv7"unshaped key19!' }))).toBe('{"said":"Bearer [secret]!"}')
  expect(withoutKeyInJson({ value: 'lm-studio' })('{"said":"I am lm-studio"}')).toBe('{"said":"I am lm-studio"}')
  expect(withoutKeyInJson(null)('{}')).toBe('{}')
})
