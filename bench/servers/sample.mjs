/** One resource of about 375 bytes in its envelope. */
export const sample = {
  data: {
    id: '01900000-0000-7000-8000-000000000002',
    tenant_id: '01900000-0000-7000-8000-000000000001',
    created_at: '2026-11-20T20:00:00.000Z',
    updated_at: '2026-11-20T20:00:00.000Z',
    title: 'A note of some length that stands for an ordinary resource',
    body: null,
  },
  meta: { request_id: 'req_0123456789abcdef01234567', timestamp: '2026-11-20T20:00:00.000Z', version: 'v1' },
  errors: null,
}
