import { expect, test } from 'vitest'
import { serverSpan } from './http-span.ts'

const request = {
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  parentSpanId: null,
  requestId: 'req_1',
  tenantId: null,
  method: 'GET',
  route: '/api/v1/iam/users/{user_id}',
  scheme: 'https',
  status: 200,
  errorCode: null,
  startedAt: '2026-11-22T04:00:00.000Z',
  milliseconds: 12.5,
}

test('a request is a span of its route with the ids it was answered with', () => {
  expect(serverSpan(request)).toMatchObject({
    name: 'GET /api/v1/iam/users/{user_id}',
    kind: 'server',
    trace: { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', sampled: true },
    startMs: Date.parse(request.startedAt),
    endMs: Date.parse(request.startedAt) + 12.5,
    failed: false,
  })
  expect(serverSpan(request)?.attributes).not.toHaveProperty('error.type')
})

// https://opentelemetry.io/docs/specs/semconv/http/http-spans/#status: a client's error is no error of the server.
test.each([
  [404, 'API-004', false, 'API-004'],
  [503, 'API-009', true, 'API-009'],
  [500, null, true, '500'],
])('a %i with %s', (status, errorCode, failed, type) => {
  expect(serverSpan({ ...request, status, errorCode })).toMatchObject({ failed, attributes: { 'error.type': type } })
})
