/** The suite of one resource: through HTTP, on the database that the environment asks for. */
export const resourceTest = (module, one) => `import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'

const path = '/${module.name}/${one.folder}'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('${module.name}-${one.folder}')
})
afterAll(() => world?.close())

const made = async (body: object) => expectStatus(await tenant.admin.post(path, body), 201).body.data

const actionsOn = async (id: string) => {
  const entries = await world.kernel.db.read(
    tenant.id,
    sql<{ action: string }>\`select action from audit_entry where target = \${\`${one.name}:\${id}\`} order by at, id\`,
  )
  return entries.map(({ action }) => action)
}

test('${one.withArticle} is made, read and found by its status and by how its name begins', async () => {
  const { admin } = tenant
  const one = await made({ name: 'Alpha one', description: 'The first' })
  const other = await made({ name: 'Beta' })
  expect(one).toMatchObject({ name: 'Alpha one', description: 'The first', status: 'active', expires_at: null })
  const read = expectStatus(await admin.get(\`\${path}/\${one.id}\`), 200)
  expect(read.body.data).toEqual(one)
  expect(read.headers.etag).toMatch(/^"1-/)
  const found = async (query: Record<string, string>) =>
    expectStatus(await admin.get(path, { query }), 200).body.data.map(({ id }: { id: string }) => id)
  expect(await found({ q: 'alpha' })).toEqual([one.id])
  expect(await found({ q: '%' })).toEqual([])
  expect(await found({ status: 'active', sort: 'created_at' })).toEqual([one.id, other.id])
  expect(await found({ status: 'retired' })).toEqual([])
})

test('a name is taken once, in whatever case it is written', async () => {
  await made({ name: 'Taken' })
  const again = await tenant.admin.post(path, { name: 'TAKEN' })
  expect([again.status, again.body.error_code]).toEqual([409, '${module.errorPrefix}-001'])
})

test('a change keeps what it does not name and is refused to whoever saw an older version', async () => {
  const { admin } = tenant
  const { id } = await made({ name: 'Changing', description: 'Before' })
  const { etag = '' } = (await admin.get(\`\${path}/\${id}\`)).headers
  const changed = await admin.patch(\`\${path}/\${id}\`, { description: null }, { headers: { 'if-match': etag } })
  expect(expectStatus(changed, 200).body.data).toMatchObject({ name: 'Changing', description: null })
  const late = await admin.patch(\`\${path}/\${id}\`, { name: 'Late' }, { headers: { 'if-match': etag } })
  expect([late.status, late.body.error_code]).toEqual([412, 'API-012'])
  expect(await actionsOn(id)).toEqual(['${module.segment}.${one.name}.create', '${module.segment}.${one.name}.update'])
})

test('one that is retired is told of and does not change any more', async () => {
  const { admin } = tenant
  const { id } = await made({ name: 'Retiring' })
  expect(expectStatus(await admin.patch(\`\${path}/\${id}\`, { status: 'retired' }), 200).body.data.status).toBe('retired')
  const late = await admin.patch(\`\${path}/\${id}\`, { name: 'Late' })
  expect([late.status, late.body.error_code]).toEqual([409, '${module.errorPrefix}-002'])
  const told = () =>
    world.kernel.db.system('test', (tx) =>
      tx.query(
        sql<{ data: object }>\`
          select data from event_log
          where tenant_id = \${tenant.id} and subject = \${id} and channel = '${module.segment}.${one.name}.retired'\`,
      ),
    )
  await expect.poll(told).toMatchObject([{ data: { ${one.name}_id: id, cause: 'request' } }])
})

test('one that is deleted is gone', async () => {
  const { admin } = tenant
  const { id } = await made({ name: 'Deleted' })
  expect(expectStatus(await admin.delete(\`\${path}/\${id}\`), 200).body.data).toEqual({ id, deleted: true })
  expect((await admin.get(\`\${path}/\${id}\`)).body.error_code).toBe('API-013')
  expect(await actionsOn(id)).toEqual(['${module.segment}.${one.name}.create', '${module.segment}.${one.name}.delete'])
})
`
