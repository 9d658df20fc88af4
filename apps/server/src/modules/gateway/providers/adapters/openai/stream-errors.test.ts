import { expect, test } from 'vitest'
import { createStreamDecoder } from './decode.ts'
import { createResponsesDecoder } from './responses/decode.ts'
import { faultOfStreamError } from './stream-errors.ts'

test.each([
  [{ code: 'rate_limit_exceeded', type: 'tokens' }, 'rate_limited', 429],
  [{ code: 'insufficient_quota', type: 'insufficient_quota' }, 'rate_limited', 429],
  [{ code: 'invalid_api_key', type: 'invalid_request_error' }, 'credential', 401],
  [{ code: 'server_error' }, 'server_error', 500],
  [{ code: 'slow_down' }, 'server_error', 503],
  [{ code: 'context_length_exceeded', type: 'invalid_request_error' }, 'context_too_long', 400],
  [{ code: 'content_filter' }, 'content_filtered', 400],
  [{ code: 'model_not_found', type: 'invalid_request_error' }, 'bad_request', 404],
  [{ code: '429' }, 'rate_limited', 429],
  [{ code: 502 }, 'server_error', 502],
  [{ code: 200 }, 'server_error', null],
  [{ code: null, type: 'requests' }, 'rate_limited', 429],
  [{ code: 'nobody_knows', type: 'authentication_error' }, 'credential', 401],
  [{ code: 'tenant_quota_used_up' }, 'rate_limited', 429],
  [{ type: 'BadRequestError' }, 'bad_request', 400],
  [{ code: 'something', type: 'else' }, 'server_error', 500],
  [{ code: 'toString' }, 'server_error', 500],
  [{}, 'server_error', 500],
])('%j inside a stream is the fault %s', (error, kind, status) => {
  expect(faultOfStreamError({ ...error, message: 'so it is' })).toMatchObject({ kind, status })
})

const caught = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

test('both interfaces say it the same way, and the newer one in three places', () => {
  const error = { code: 'insufficient_quota', message: 'You exceeded your quota.' }
  const chat = createStreamDecoder({ form: null })
  expect(caught(() => chat.push({ event: '', data: JSON.stringify({ error }) }))).toMatchObject({
    kind: 'rate_limited',
  })
  const frames = [
    { type: 'response.failed', response: { error } },
    { type: 'error', ...error },
    { type: 'error', error },
  ]
  for (const frame of frames) {
    const decoder = createResponsesDecoder()
    const told = caught(() => decoder.push({ event: frame.type, data: JSON.stringify(frame) }))
    expect(told).toMatchObject({ kind: 'rate_limited', status: 429 })
  }
})
