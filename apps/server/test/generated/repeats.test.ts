import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestAnswer, TestClient } from '../support/client.ts'
import { openWorld, type World } from '../support/world.ts'
import { dataIn, differsFrom, failuresOf, told } from './each-route.ts'
import { type DeclaredRoute, fill, isPublic, routesAt } from './manifest.ts'
import type { Ids } from './module-cases.ts'
import { nextSample, sampleBody } from './samples.ts'
import { fillTenant, type TenantData } from './tenant-data.ts'

let world: World
let alpha: TenantData
let beta: TenantData

beforeAll(async () => {
  world = await openWorld({ own: true })
  alpha = await fillTenant(await world.tenant('alpha'))
  beta = await fillTenant(await world.tenant('beta'))
})
afterAll(() => world.close())

/** A creating route: answers 201, or is a model call, which leaves a log row behind. */
function creates(declared: DeclaredRoute): boolean {
  const { route } = declared
  const isOpen = !isPublic(declared) && route.permission !== 'agent'
  return route.method === 'POST' && isOpen && (route.returns[0] === 201 || route.rateClass === 'inference')
}

interface Asked {
  readonly client: TestClient
  readonly key: string
  readonly body: unknown
  /** Whose resources the path names; default: those of alpha. */
  readonly ids?: Ids
}

function ask(declared: DeclaredRoute, { client, key, body, ids = alpha.ids }: Asked): Promise<TestAnswer> {
  return client.post(fill(declared.path, ids), body, { headers: { 'idempotency-key': key } })
}

const isReplay = (answer: TestAnswer): boolean => answer.headers['idempotency-replayed'] === 'true'
/** An embedding has no id of its own; its request has. */
const givenId = (answer: TestAnswer): string => {
  const data = dataIn(answer)
  return data?.id ?? data?.event_id ?? answer.headers['x-request-id']
}
const nextKey = (): string => `key-${nextSample()}`

/** The statement when it does not hold. */
const unless = (holds: boolean, text: string): readonly string[] => (holds ? [] : [text])

it('answers a repeated call with the first answer, and 409 API-011 when the body is another', async () => {
  const failures = await failuresOf(creates, async (declared) => {
    const { admin } = alpha.tenant
    const asked = { client: admin, key: nextKey(), body: sampleBody(declared, alpha.ids) }
    const first = await ask(declared, asked)
    const second = await ask(declared, asked)
    const other = await ask(declared, { ...asked, body: sampleBody(declared, alpha.ids) })
    return [
      ...unless(first.status === declared.route.returns[0] && !isReplay(first), `first gave ${told(first)}`),
      ...unless(second.status === first.status && isReplay(second), `second gave ${told(second)}`),
      ...unless(JSON.stringify(dataIn(second)) === JSON.stringify(dataIn(first)), 'the data differ'),
      ...unless(second.headers.location === first.headers.location, 'the locations differ'),
      ...unless(second.headers['x-request-id'] !== first.headers['x-request-id'], 'the request ids are the same'),
      ...differsFrom(other, { status: 409, code: 'API-011' }, 'another body'),
    ]
  })
  expect(failures).toEqual([])
})

it('C10 never gives an answer to somebody else who uses the same key', async () => {
  const colleague = await alpha.tenant.as('tenant_admin')
  const failures = await failuresOf(creates, async (declared) => {
    const key = nextKey()
    const first = await ask(declared, { client: alpha.tenant.admin, key, body: sampleBody(declared, alpha.ids) })
    const others = [
      { client: colleague, key, body: sampleBody(declared, alpha.ids) },
      { client: beta.tenant.admin, key, body: sampleBody(declared, beta.ids), ids: beta.ids },
    ]
    const answers = await Promise.all(others.map((asked) => ask(declared, asked)))
    return answers.flatMap((answer) => [
      ...unless(answer.status === declared.route.returns[0] && !isReplay(answer), `another gave ${told(answer)}`),
      ...unless(givenId(answer) !== givenId(first), 'another caller got the first answer'),
    ])
  })
  expect(failures).toEqual([])
})

it('does the work once when the same call comes twice at the same time', async () => {
  const failures = await failuresOf(creates, async (declared) => {
    const asked = { client: alpha.tenant.admin, key: nextKey(), body: sampleBody(declared, alpha.ids) }
    const answers = await Promise.all([ask(declared, asked), ask(declared, asked), ask(declared, asked)])
    const done = answers.filter(({ status }) => status === declared.route.returns[0])
    return [
      ...unless(new Set(done.map(givenId)).size === 1, 'more than one resource was made'),
      ...unless(done.filter((answer) => !isReplay(answer)).length === 1, 'not exactly one answer is no replay'),
      ...answers
        .filter((answer) => !done.includes(answer))
        .flatMap((answer) => differsFrom(answer, { status: 409, code: 'API-011' }, 'the call beside it')),
    ]
  })
  expect(failures).toEqual([])
})

it('answers 400 to a key that is not 1 to 255 visible ASCII characters, and does nothing', async () => {
  const failures = await failuresOf(creates, async (declared) => {
    const keys = ['', 'two words', 'a'.repeat(256), 'ä']
    const body = sampleBody(declared, alpha.ids)
    const answers = await Promise.all(keys.map((key) => ask(declared, { client: alpha.tenant.admin, key, body })))
    return answers.flatMap((answer, index) => differsFrom(answer, { status: 400, code: 'API-001' }, keys[index]))
  })
  expect(failures).toEqual([])
})

it('says where a created resource is, and it is there', async () => {
  const failures = await failuresOf(
    ({ route }) => route.method === 'POST' && route.returns[0] === 201 && route.permission !== 'public',
    async (declared) => {
      const { admin } = alpha.tenant
      const made = await admin.post(fill(declared.path, alpha.ids), sampleBody(declared, alpha.ids))
      const location = made.headers.location ?? ''
      if (!/^\/(?:api\/v1|scim\/v2)\//.test(location)) return [`Location is ${location}`]
      if (!routesAt(location).some(({ route }) => route.method === 'GET')) return []
      const read = await admin.get(location)
      return unless(read.status === 200 && dataIn(read).id === dataIn(made).id, `${location} gave ${told(read)}`)
    },
  )
  expect(failures).toEqual([])
})
