import { describe, expect, test } from 'vitest'
import { emptyCall } from '../../../call/call.ts'
import type { UpstreamRequest } from '../../adapter.ts'
import { askingOf } from '../testing/asking.ts'
import { awsBedrockAdapter as adapter } from './adapter.ts'
import { awsKeyForm } from './key.ts'
import { checkSignature } from './testing/signature.ts'

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const key = `AKIAIOSFODNN7EXAMPLE:${secret}`
const now = Date.UTC(2026, 10, 22, 3, 4, 5)

function seenBy(request: UpstreamRequest, body = String(request.body ?? '')) {
  const { host, pathname, search } = new URL(request.url)
  return { method: request.method, target: `${pathname}${search}`, headers: { ...request.headers, host }, body }
}

describe('the check of these tests', () => {
  // `get-vanilla` of the test suite that AWS published with Signature Version 4.
  const headers = {
    host: 'example.amazonaws.com',
    'x-amz-date': '20150830T123600Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  }
  const vanilla = { method: 'GET', target: '/', headers, body: '' }

  test('agrees with the published example, and with nothing else', () => {
    expect(checkSignature(vanilla, 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY')).toMatchObject({ valid: true })
    expect(checkSignature({ ...vanilla, body: 'x' }, secret)).toMatchObject({ valid: false })
  })
})

describe('a request with a pair of keys', () => {
  const model = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'

  test('is signed for its region and time, with a model whose name is escaped', async () => {
    const request = await adapter.request(askingOf(adapter, { model, key, now }))
    expect(request.url).toBe(
      'https://bedrock-runtime.eu-west-1.amazonaws.com/model/eu.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse',
    )
    expect(checkSignature(seenBy(request), secret)).toMatchObject({
      id: 'AKIAIOSFODNN7EXAMPLE',
      scope: '20261122/eu-west-1/bedrock/aws4_request',
      signed: expect.arrayContaining(['host', 'x-amz-date', 'content-type']),
      valid: true,
    })
    // Only the connection may set it.
    expect(Object.keys(request.headers)).not.toContain('host')
  })

  test('is not what was signed when a letter of it is another', async () => {
    const request = await adapter.request(askingOf(adapter, { model, key, now }))
    const changed = `${String(request.body)} `
    expect(checkSignature(seenBy(request, changed), secret)).toMatchObject({ valid: false })
    expect(checkSignature(seenBy(request), `${secret}x`)).toMatchObject({ valid: false })
  })

  test('signs its session token too', async () => {
    const token = `IQoJb3JpZ2luX2Vj${'A'.repeat(400)}/+==`
    const request = await adapter.request(askingOf(adapter, { model, key: `${key}:${token}`, now, stream: true }))
    expect(request.headers['x-amz-security-token']).toBe(token)
    expect(request.url).toMatch(/\/converse-stream$/)
    const check = checkSignature(seenBy(request), secret)
    expect(check?.valid).toBe(true)
    expect(check?.signed).toContain('x-amz-security-token')
  })

  test('asks another service for the list, also at an address of its own', async () => {
    const list = (baseUrl: string | null) => adapter.models?.request(askingOf(adapter, { key, now, baseUrl }))
    const request = await list(null)
    expect(request?.url).toBe('https://bedrock.eu-west-1.amazonaws.com/foundation-models?byInferenceType=ON_DEMAND')
    if (request !== undefined) expect(checkSignature(seenBy(request), secret)).toMatchObject({ valid: true })
    expect((await list('https://vpce-1.bedrock-runtime.eu-west-1.vpce.amazonaws.com/'))?.url).toMatch(
      /^https:\/\/vpce-1\.bedrock\.eu-west-1\.vpce\.amazonaws\.com\/foundation-models\?/,
    )
  })
})

test('an API key of Bedrock is shown', async () => {
  const request = await adapter.request(askingOf(adapter, { key: 'ABSKQmVkcm9ja0FQSUtleQ==', call: emptyCall }))
  expect(request.headers.authorization).toBe('Bearer ABSKQmVkcm9ja0FQSUtleQ==')
})

test('a key of another form is refused, and a pair is known by its id', () => {
  expect(awsKeyForm.problemOf(key)).toBe(null)
  expect(awsKeyForm.problemOf(`${key}:IQoJb3JpZ2luX2VjEXAMPLE=`)).toBe(null)
  for (const value of ['AKIA:short', 'a b', `${key}:x`, `${key}::`])
    expect(awsKeyForm.problemOf(value)).toMatch(/^Send/)
  expect(awsKeyForm.nameOf(key)).toBe('AKIAIOSFODNN7EXAMPLE')
})
