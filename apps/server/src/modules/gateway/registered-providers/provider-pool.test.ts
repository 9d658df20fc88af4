/** Keys of a provider, said as a whole: added, kept, weighed and taken away, where its address stays. */
import { expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { withProvider } from '../testing/one-provider.ts'
import { addProvider, ask } from '../testing/support.ts'
import { fail, openUpstream, say } from '../testing/upstream.ts'

const here = withProvider('pool')
const [first, second] = ['sk-first-0123456789abcdef', 'sk-second-0123456789abcd']

let made = 0
async function provider(secrets: readonly object[]) {
  made += 1
  const models = [`pool-${made}`]
  const { id } = await addProvider(here.tenant.admin, `pool-${made}`, here.upstream, { secrets, models })
  return { id: String(id), model: `pool-${made}` }
}

const patch = (id: string, body: object) => here.tenant.admin.patch(`/gateway/providers/${id}`, body)

async function usedKey(model: string) {
  here.upstream.received.splice(0)
  here.upstream.reply(say('Hello.'))
  expectStatus(await ask(here.tenant.admin, `hello ${model} ${Math.random()}`, { model }), 200)
  return here.upstream.received.at(-1)?.authorization
}

test('a provider that has no key is told as that, and given one', async () => {
  const { id, model } = await provider([])
  here.upstream.reply(fail(401))
  const { body } = expectStatus(await ask(here.tenant.admin, 'hello', { model }), 502)
  expect([body.error_code, body.detail]).toEqual([
    'GW-015',
    `The provider ${model} asks for a key, and none is stored.`,
  ])
  expectStatus(await patch(id, { secrets: [{ id: 'main', value: first }] }), 200)
  expect(await usedKey(model)).toBe(`Bearer ${first}`)
})

test('a key that is named without its value stays, with the weight it is given', async () => {
  const { id, model } = await provider([{ id: 'main', value: first }])
  const added = await patch(id, {
    secrets: [
      { id: 'main', weight: 7 },
      { id: 'other', value: second },
    ],
  })
  expect(added.body.data.secrets).toMatchObject([
    { id: 'main', weight: 7, version: 1, hint: 'cdef' },
    { id: 'other', weight: 1, version: 1, hint: 'abcd' },
  ])
  expectStatus(await patch(id, { secrets: [{ id: 'main' }] }), 200)
  expect(await usedKey(model)).toBe(`Bearer ${first}`)
})

test('a key that is not named is gone, and the log says which', async () => {
  const secrets = [
    { id: 'leaked', value: first },
    { id: 'good', value: second },
  ]
  const { id, model } = await provider(secrets)
  const left = expectStatus(await patch(id, { secrets: [{ id: 'good' }] }), 200)
  expect(left.body.data.secrets).toMatchObject([{ id: 'good' }])
  expect(await usedKey(model)).toBe(`Bearer ${second}`)
  const rows = await here.world.kernel.db.tenant({ tenantId: here.tenant.id }, (tx) =>
    tx.query(sql<{ name: string }>`select name from gateway_provider_secret where provider_id = ${id}`),
  )
  expect(rows).toEqual([{ name: 'good' }])
  const entries = await here.tenant.admin.get('/admin/audit-logs', {
    query: { action: 'gateway.provider.update', target: `provider:${id}` },
  })
  expect(entries.body.data).toMatchObject([{ after: { keys_added: [], keys_removed: ['leaked'] } }])
})

test.each([
  ['a key that is not there is not kept', [{ id: 'main' }, { id: 'absent' }], '/secrets/1/value'],
  ['a key that stays gets no other value here', [{ id: 'main', value: second }], '/secrets/0/value'],
  ['a key is not named twice', [{ id: 'main' }, { id: 'main' }], '/secrets/1/id'],
])('%s, and nothing changes', async (_, secrets, pointer) => {
  const { id, model } = await provider([{ id: 'main', value: first }])
  const { body } = expectStatus(await patch(id, { secrets }), 400)
  expect(body.errors).toMatchObject([{ pointer }])
  expect(await usedKey(model)).toBe(`Bearer ${first}`)
})

test('C51 no key goes along to another address', async () => {
  const elsewhere = await openUpstream()
  try {
    const { id } = await provider([{ id: 'main', value: first }])
    const { body } = expectStatus(await patch(id, { base_url: elsewhere.url, secrets: [{ id: 'main' }] }), 400)
    expect(body.errors).toMatchObject([{ pointer: '/secrets/0/value' }])
  } finally {
    await elsewhere.close()
  }
})
