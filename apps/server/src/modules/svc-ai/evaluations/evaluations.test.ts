import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { indexed, openSvcAi, type SvcAiWorld } from '../testing/world.ts'

let at: SvcAiWorld
beforeAll(async () => {
  at = await openSvcAi('svc-ai-evaluations')
})
afterAll(() => at?.close())

const told = (answer: { status: number; body: { error_code?: string } }) => [answer.status, answer.body.error_code]
const start = (body: object) => at.tenant.admin.post('/svc-ai/evaluations', { name: 'Search', ...body })
const animals = ['otter', 'badger', 'lynx', 'beaver', 'marten', 'wolf']

test('two configurations are measured on the same questions, with an interval', async () => {
  const files = animals.map((animal) => ({
    name: `${animal}.txt`,
    content: Buffer.from(`The ${animal} lives near the river and is watched by rangers.`).toString('base64'),
  }))
  await indexed(at.tenant.admin, { name: 'Animals', kind: 'file', files })
  const items = animals.map((animal) => ({
    query: `where does the ${animal} live`,
    relevant: [{ document: `${animal}.txt` }],
  }))
  const body = {
    dataset: { name: 'animals', items },
    baseline: { rm3: 'off' },
    candidate: { rm3: 'off', k1: 1.2 },
    k: 3,
  }
  const { id } = expectStatus(await start(body), 201).body.data
  const find = async () =>
    expectStatus(await at.tenant.admin.get(`/svc-ai/evaluations/${id}?include=items`), 200).body.data
  await expect.poll(async () => (await find()).status, { timeout: 20_000 }).toBe('completed')
  const { results, items: perItem, item_count } = await find()
  expect(results).toMatchObject({
    baseline: { ndcg: 1, recall: 1, mrr: 1 },
    candidate: { ndcg: 1 },
    difference: { ndcg: { mean: 0, low: 0, high: 0 } },
    verdict: 'no_difference',
  })
  expect([perItem.length, item_count]).toEqual([6, 6])
  const other = await at.tenant.as('ai_engineer')
  expect(told(await other.get(`/svc-ai/evaluations/${id}`))).toEqual([404, 'API-013'])
})

test('a dataset without a relevant document, and a source that there is not, are refused', async () => {
  const item = { query: 'x', relevant: [{ document: 'a', gain: 0 }] }
  expect(told(await start({ dataset: { name: 'd', items: [item] } }))).toEqual([422, 'SVC-020'])
  const good = { query: 'x', relevant: [{ document: 'a' }] }
  const unknown = { dataset: { name: 'd', items: [good] }, source_ids: ['0190c000-0000-7000-8000-00000000ffff'] }
  expect(told(await start(unknown))).toEqual([422, 'SVC-001'])
})
