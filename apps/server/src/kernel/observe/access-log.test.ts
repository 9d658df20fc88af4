import { expect, test } from 'vitest'
import { accessLine, createAccessLog } from './access-log.ts'

const facts = {
  requestId: 'req_1',
  method: 'GET',
  route: '/api/v1/iam/users',
  status: 200,
  milliseconds: 1.23456,
  tenantId: null,
  actorId: null,
  errorCode: null,
}

test('a line is one line of JSON', () => {
  const line = accessLine({ ...facts, tenantId: 't', actorId: 'a', errorCode: 'API-001' }, '2026-11-20T20:00:00.000Z')
  expect(line.endsWith('}\n')).toBe(true)
  expect(JSON.parse(line)).toEqual({
    level: 'info',
    time: '2026-11-20T20:00:00.000Z',
    request_id: 'req_1',
    method: 'GET',
    route: '/api/v1/iam/users',
    status: 200,
    ms: 1.235,
    tenant_id: 't',
    actor_id: 'a',
    error_code: 'API-001',
  })
})

test('a caller without a credential leaves no empty ids', () => {
  const lines: string[] = []
  createAccessLog({ now: () => 'now', destination: { write: (line) => lines.push(line) } }).write(facts)
  expect(JSON.parse(lines[0] ?? '')).not.toHaveProperty('tenant_id')
})
