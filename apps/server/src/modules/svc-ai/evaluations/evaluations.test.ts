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

test('answers are measured by what they cite and what they refuse', async () => {
  const files = [
    { name: 'heron.txt', content: Buffer.from('The heron nests in May and eats fish.').toString('base64') },
    { name: 'stork.txt', content: Buffer.from('The stork travels to Africa in August.').toString('base64') },
  ]
  const source = await indexed(at.tenant.admin, { name: 'Birds', kind: 'file', files })
  at.model.say(({ messages }) => {
    const question: string = messages.at(-1).content
    return question.includes('heron') ? 'The heron nests in May [1].' : 'NOT_FOUND'
  })
  const items = [
    { query: 'When does the heron nest?', relevant: [{ document: 'heron.txt' }] },
    { query: 'Which stork travels to Africa?', relevant: [{ document: 'stork.txt' }] },
    { query: 'Does a stork fish in Norway?', relevant: [], answerable: false },
  ]
  const body = { dataset: { name: 'birds', items }, source_ids: [source.id], answers: true, k: 3 }
  const { id } = expectStatus(await start(body), 201).body.data
  const find = async () =>
    expectStatus(await at.tenant.admin.get(`/svc-ai/evaluations/${id}?include=items`), 200).body.data
  await expect.poll(async () => (await find()).status, { timeout: 60_000 }).toBe('completed')
  const { results, items: perItem } = await find()
  expect(perItem[0].baseline).toMatchObject({ citation_precision: 1, citation_recall: 1, refusal_correctness: 1 })
  expect(perItem[1].baseline).toMatchObject({ groundedness: null, citation_recall: 0, refusal_correctness: 0 })
  expect(perItem[2].baseline).toMatchObject({ ndcg: null, citation_recall: null, refusal_correctness: 1 })
  expect(results.baseline.citation_recall).toBe(0.5)
  expect(results.baseline.refusal_correctness).toBeCloseTo(2 / 3, 12)
  expect(results.baseline.groundedness).toBeGreaterThan(0.6)
  expect(results.baseline.total_tokens).toBeGreaterThan(0)
})

test('a question that is both answerable and without a document, or neither, is refused with its place', async () => {
  const query = 'x'
  for (const item of [
    { query, relevant: [] },
    { query, relevant: [{ document: 'a' }], answerable: false },
  ]) {
    const answer = await start({ dataset: { name: 'd', items: [item] } })
    expect(told(answer)).toEqual([422, 'SVC-020'])
    expect(answer.body.errors[0].pointer).toBe('/dataset/items/0')
  }
})

test('a dataset without a relevant document, and a source that there is not, are refused', async () => {
  const item = { query: 'x', relevant: [{ document: 'a', gain: 0 }] }
  expect(told(await start({ dataset: { name: 'd', items: [item] } }))).toEqual([422, 'SVC-020'])
  const good = { query: 'x', relevant: [{ document: 'a' }] }
  const unknown = { dataset: { name: 'd', items: [good] }, source_ids: ['0190c000-0000-7000-8000-00000000ffff'] }
  expect(told(await start(unknown))).toEqual([422, 'SVC-001'])
})
