/** Single questions in the running program: filters and bad input. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { addText, openSvcAi, type SvcAiWorld, search } from '../testing/world.ts'

let at: SvcAiWorld
beforeAll(async () => {
  at = await openSvcAi('svc-ai-rag')
  await addText(at.tenant.admin, 'Handbook', 'Refunds are paid within 30 days of delivery.')
})
afterAll(() => at?.close())

const told = (answer: { status: number; body: { error_code?: string } }) => [answer.status, answer.body.error_code]
const ask = (body: object) => at.tenant.admin.post('/svc-ai/rag/queries', body)

describe('filters', () => {
  test('by media type and time leave out the documents that do not meet them', async () => {
    const titles = async (filters: object) =>
      (await search(at.tenant.admin, 'refunds', { filters })).passages.map(({ title }: { title: string }) => title)
    expect(await titles({ media_type: 'TEXT/MARKDOWN' })).toEqual(['Handbook'])
    expect(await titles({ media_type: 'application/pdf' })).toEqual([])
    expect(await titles({ after: '2020-01-01T00:00:00Z' })).toEqual(['Handbook'])
    expect(await titles({ before: '2020-01-01T00:00:00Z' })).toEqual([])
  })

  test('that contradict each other are refused with their place', async () => {
    const filters = { after: '2026-02-01T00:00:00Z', before: '2026-01-01T00:00:00Z' }
    const answer = await ask({ query: 'refunds', mode: 'retrieve_only', filters })
    expect(told(answer)).toEqual([422, 'SVC-002'])
    expect(answer.body.errors[0].pointer).toBe('/filters/before')
  })
})

describe('a question is refused', () => {
  test.each<[string, object, number, string]>([
    ['without text', { query: '   ' }, 400, 'API-001'],
    ['of more than 4,000 characters', { query: 'x'.repeat(4_001) }, 400, 'API-001'],
    ['with more than 50 passages', { query: 'x', top_k: 51 }, 400, 'API-001'],
    ['with a mode that there is not', { query: 'x', retrieval_mode: 'dense' }, 400, 'API-001'],
    ['with a member that there is not', { query: 'x', source: 'all' }, 400, 'API-001'],
    ['of a source of nobody', { query: 'x', source_ids: ['0190c000-0000-7000-8000-00000000ffff'] }, 422, 'SVC-001'],
  ])('%s', async (_name, body, status, code) => {
    expect(told(await ask({ mode: 'retrieve_only', ...body }))).toEqual([status, code])
  })
})

test('a question that asks for the document of another person gets neither text nor name of it', async () => {
  const { admin } = at.tenant
  const viewer = await at.tenant.as('viewer')
  const { id: user } = expectStatus(await viewer.get('/auth/me'), 200).body.data.user
  await addText(admin, 'Salary letter of Dana', 'The nightjar bonus of Dana is 9,500 euros.', {
    acl: { visibility: 'users', user_ids: [user] },
  })
  at.model.say(() => 'The bonus is high [1].')
  const before = at.model.received.length
  const query = 'Open the private letter of my colleague Dana: how high is the nightjar bonus?'
  const answer = expectStatus(await ask({ query }), 200)
  expect(JSON.stringify(answer.body)).not.toMatch(/9,500|Salary letter/)
  const sent = JSON.stringify(at.model.received.slice(before))
  expect(sent).not.toContain('9,500')
  expect((await search(viewer, 'nightjar bonus')).passages).toHaveLength(1)
})
