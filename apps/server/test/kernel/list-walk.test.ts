import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TenantId } from '../../src/kernel/access/actor.ts'
import { json, sql } from '../../src/kernel/db/sql.ts'
import type { TestClient } from '../support/client.ts'
import { type NotesWorld, openNotesWorld } from './notes-world.ts'

interface Row {
  readonly title: string
  /** Seconds after the epoch of the test; few different ones, so that many rows share one. */
  readonly second: number
}

const sorts = ['id', '-id', 'created_at', '-created_at', 'title', '-title'] as const
type Sort = (typeof sorts)[number]

let world: NotesWorld

beforeAll(async () => {
  world = await openNotesWorld()
})
afterAll(() => world.close())

const someRows = (max: number) =>
  fc.array(
    fc.record({
      title: fc.oneof(
        fc.constantFrom('a', 'A', 'ä', 'b', ' '),
        fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
      ),
      second: fc.integer({ min: 0, max: 3 }),
    }),
    { maxLength: max },
  )

async function insert(tenantId: TenantId, rows: readonly Row[]): Promise<readonly string[]> {
  const made = rows.map(({ title, second }) => ({
    id: world.kernel.random.uuid(),
    title,
    at: new Date(1_700_000_000_000 + second * 1_000).toISOString(),
  }))
  await world.kernel.db.tenant({ tenantId }, (tx) =>
    tx.execute(sql`
      insert into test_note (id, title, created_at, updated_at)
      select id::uuid, title, at::timestamptz, at::timestamptz
      from jsonb_to_recordset(${json(made)}::jsonb) as made (id text, title text, at text)`),
  )
  return made.map(({ id }) => id)
}

/** The whole list in one statement that knows nothing of pages. */
async function wholeList(tenantId: TenantId, sort: Sort): Promise<readonly string[]> {
  const orders = {
    id: sql`id`,
    '-id': sql`id desc`,
    created_at: sql`created_at, id`,
    '-created_at': sql`created_at desc, id desc`,
    title: sql`title, id`,
    '-title': sql`title desc, id desc`,
  }
  const rows = await world.kernel.db.tenant({ tenantId }, (tx) =>
    tx.query(sql<{ id: string }>`select id from test_note order by ${orders[sort]}`),
  )
  return rows.map(({ id }) => id)
}

interface PageOf {
  readonly ids: readonly string[]
  readonly pagination: {
    readonly cursor: string | null
    readonly limit: number
    readonly has_more: boolean
    readonly total_count: number
  }
}

async function readPage(client: TestClient, query: Readonly<Record<string, string>>): Promise<PageOf> {
  const answer = await client.get('/risk/notes', { query })
  expect(answer.status, answer.text).toBe(200)
  return { ids: answer.body.data.map((note: { id: string }) => note.id), pagination: answer.body.meta.pagination }
}

/** All pages of a walk; `between` happens after each of them. */
async function walk(
  client: TestClient,
  how: { readonly sort: Sort; readonly limit: number },
  between: () => Promise<unknown> = async () => undefined,
): Promise<readonly PageOf[]> {
  const query = { sort: how.sort, limit: String(how.limit) }
  const pages = [await readPage(client, query)]
  for (let cursor = pages[0]?.pagination.cursor; typeof cursor === 'string'; ) {
    await between()
    const page = await readPage(client, { ...query, cursor })
    pages.push(page)
    cursor = page.pagination.cursor
  }
  return pages
}

describe.each(sorts)('sorted by %s', (sort) => {
  test('the pages one after the other are the whole list, and each says what it is', async () => {
    await fc.assert(
      fc.asyncProperty(someRows(25), fc.integer({ min: 1, max: 12 }), async (rows, limit) => {
        const tenantId = await world.tenant()
        await insert(tenantId, rows)
        const pages = await walk(await world.person(tenantId), { sort, limit })
        expect(pages.flatMap(({ ids }) => ids)).toEqual(await wholeList(tenantId, sort))
        const last = pages.length - 1
        pages.forEach(({ ids, pagination }, index) => {
          expect(pagination).toMatchObject({ limit, total_count: rows.length, has_more: index < last })
          expect(pagination.cursor === null).toBe(index === last)
          if (index < last) expect(ids).toHaveLength(limit)
        })
      }),
      { numRuns: 12 },
    )
  })

  test('rows that come in during a walk repeat nothing and hide nothing that was there', async () => {
    await fc.assert(
      fc.asyncProperty(someRows(20), someRows(3), fc.integer({ min: 1, max: 6 }), async (rows, more, limit) => {
        const tenantId = await world.tenant()
        const there = await insert(tenantId, rows)
        // A walk towards newer ids would otherwise never end.
        const batches = Array.from({ length: 20 }, () => more)
        const pages = await walk(await world.person(tenantId), { sort, limit }, () =>
          insert(tenantId, batches.pop() ?? []),
        )
        const seen = pages.flatMap(({ ids }) => ids)
        expect(new Set(seen).size).toBe(seen.length)
        expect(there.filter((id) => !seen.includes(id))).toEqual([])
      }),
      { numRuns: 8 },
    )
  })
})

describe('the total', () => {
  test('is counted with the first page of a walk and carried along', async () => {
    const tenantId = await world.tenant()
    await insert(
      tenantId,
      Array.from({ length: 6 }, (_, second) => ({ title: 'x', second })),
    )
    const pages = await walk(await world.person(tenantId), { sort: '-id', limit: 2 }, () =>
      insert(tenantId, [{ title: 'late', second: 9 }]),
    )
    expect(pages.map(({ pagination }) => pagination.total_count)).toEqual([6, 6, 6])
  })

  test('is that of the tenant alone', async () => {
    const [ours, theirs] = [await world.tenant(), await world.tenant()]
    await insert(ours, [{ title: 'ours', second: 1 }])
    await insert(theirs, [
      { title: 'theirs', second: 1 },
      { title: 'theirs too', second: 2 },
    ])
    const { ids, pagination } = await readPage(await world.person(ours), {})
    expect([ids.length, pagination.total_count]).toEqual([1, 1])
  })
})

describe('a cursor', () => {
  test('C10 is good for its own list only: not for another tenant, sort or made-up position', async () => {
    const tenants = [await world.tenant(), await world.tenant()]
    const people = await Promise.all(tenants.map((tenantId) => world.person(tenantId)))
    for (const tenantId of tenants)
      await insert(tenantId, [
        { title: 'a', second: 1 },
        { title: 'b', second: 2 },
      ])
    const [mine, theirs] = people
    if (mine === undefined || theirs === undefined) throw new Error('two people were made')
    const { pagination } = await readPage(mine, { limit: '1', sort: 'title' })
    const cursor = pagination.cursor ?? ''
    expect((await readPage(mine, { limit: '1', sort: 'title', cursor })).ids).toHaveLength(1)
    const refused = [
      await theirs.get('/risk/notes', { query: { limit: '1', sort: 'title', cursor } }),
      await mine.get('/risk/notes', { query: { limit: '1', sort: '-title', cursor } }),
      await mine.get('/risk/notes', { query: { limit: '1', cursor } }),
      await mine.get('/risk/notes', { query: { limit: '1', sort: 'title', cursor: `${cursor}x` } }),
    ]
    for (const answer of refused) expect([answer.status, answer.body.error_code]).toEqual([400, 'API-003'])
  })

  test('may be used with another limit', async () => {
    const tenantId = await world.tenant()
    const person = await world.person(tenantId)
    await insert(
      tenantId,
      Array.from({ length: 5 }, (_, second) => ({ title: 'x', second })),
    )
    const first = await readPage(person, { limit: '2', sort: 'created_at' })
    const rest = await readPage(person, { limit: '200', sort: 'created_at', cursor: first.pagination.cursor ?? '' })
    expect([...first.ids, ...rest.ids]).toEqual(await wholeList(tenantId, 'created_at'))
  })
})

test.each(['0', '201', '-1', '1.5', '0x10', '1e2', '', ' 5', '５', '99999999999999999999'])(
  'a limit of %j is 400',
  async (limit) => {
    const answer = await (await world.person(await world.tenant())).get('/risk/notes', { query: { limit } })
    expect(answer.body).toMatchObject({ status: 400, errors: [{ pointer: '?limit' }] })
  },
)

test.each(['version', 'body', '', 'title;drop', '--title', 'TITLE'])('a sort by %j is 400', async (sort) => {
  const answer = await (await world.person(await world.tenant())).get('/risk/notes', { query: { sort } })
  expect(answer.body).toMatchObject({ status: 400, errors: [{ pointer: '?sort' }] })
})
