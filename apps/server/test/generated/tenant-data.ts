/** Fills a tenant with two of everything that can be made through the API, and knows the ids. */

import { makeSamlProvider } from '../../src/modules/iam/sso/testing/saml-provider.ts'
import type { TestAnswer, TestClient } from '../support/client.ts'
import { expectStatus, type TestTenant } from '../support/world.ts'
import { dataIn } from './each-route.ts'
import { type DeclaredRoute, declaredRoutes, isPublic } from './manifest.ts'
import { casesOf, type Ids } from './module-cases.ts'
import { nextSample, sampleBody } from './samples.ts'

export interface TenantData {
  readonly tenant: TestTenant
  /**
   * One resource of each kind, by the path parameter that addresses it; none is the caller or what the caller signs in
   * with, but for `admin_id` and `used_session_id`. `used_key_id` is a key that has called a model, `used_session_id` the
   * caller's session, which has too.
   */
  readonly ids: Ids
  /** Every id that was answered while the data was made. */
  readonly everyId: ReadonlySet<string>
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

const chat = { model: 'echo-1', messages: [{ role: 'user', content: 'Sample' }] }

/** Kinds that are not made by a POST to their list: where an id of them is found instead. */
const found = casesOf('found')

/** The caller, with a key of its own where SCIM is spoken: no other credential opens it. */
export async function withScimKey(client: TestClient): Promise<TestClient> {
  const made = expectStatus(await client.post('/iam/api-keys', { name: 'Directory', kind: 'scim' }), 201)
  return client.alsoWith('/scim/', made.body.data.secret)
}

export async function fillTenant(given: TestTenant): Promise<TenantData> {
  const tenant: TestTenant = {
    ...given,
    admin: await withScimKey(given.admin),
    as: async (role) => (role === 'tenant_admin' ? withScimKey(await given.as(role)) : given.as(role)),
  }
  const ids: Record<string, string> = { tenant_id: tenant.id }
  const everyId = new Set<string>([tenant.id])
  const note = (answer: TestAnswer): string => {
    for (const [id] of answer.text.matchAll(uuid)) everyId.add(id)
    const data = dataIn(answer)
    return Array.isArray(data) ? data[0].id : data.id
  }
  for (const kind of kinds()) {
    for (let copies = 0; copies < 2; copies += 1) {
      const id = note(await make(tenant, kind, ids))
      ids[kind] = kind === 'tenant_id' ? tenant.id : id
    }
  }
  const admin: string = expectStatus(await tenant.admin.get('/auth/me'), 200).body.data.user.id
  const usedKey = await useKey(tenant)
  expectStatus(await tenant.admin.post('/gateway/cache/purge', { all: true }), 200)
  const usedSession = await sessionOfCalls(tenant, admin)
  const ofConnection = { name: 'Of a connection', kind: 'scim', sso_connection_id: ids.connection_id }
  note(expectStatus(await tenant.admin.post('/iam/api-keys', ofConnection), 201))
  note(expectStatus(await tenant.admin.post('/scim/v2/Users', { userName: `scim@${tenant.slug}.example` }), 201))
  const review = expectStatus(await tenant.admin.get(`/iam/access-reviews/${ids.review_id}`), 200)
  note(review)
  const changes = [await changeSetting(tenant, 61), await changeSetting(tenant, 62)]
  const change_id = changes.map(note).at(-1) ?? ''
  const trial = note(await beginTrial(tenant))
  const reviewItem: string = review.body.data.items[0].id
  return {
    tenant,
    ids: {
      ...ids,
      admin_id: admin,
      used_key_id: usedKey,
      used_session_id: usedSession,
      review_item_id: reviewItem,
      change_id,
      trial_id: trial,
    },
    everyId: new Set([...everyId, admin, usedKey, usedSession]),
  }
}

async function sessionOfCalls({ admin }: TestTenant, userId: string): Promise<string> {
  const calls = expectStatus(await admin.get('/gateway/requests', { query: { user_id: userId } }), 200).body.data
  return calls.find((call: { session_id: string | null }) => call.session_id !== null).session_id
}

async function changeSetting({ admin }: TestTenant, days: number): Promise<TestAnswer> {
  const body = { values: { 'flags.stale_days': days }, comment: `Sample ${days}` }
  return expectStatus(await admin.patch('/admin/config', body), 200)
}

/** A trial of a SAML connection without an answer yet. */
async function beginTrial({ admin }: TestTenant): Promise<TestAnswer> {
  const { metadata } = await makeSamlProvider()
  const body = { name: 'Sample to try', type: 'saml', saml: { idp_metadata_xml: metadata } }
  const { id } = expectStatus(await admin.post('/iam/sso-connections', body), 201).body.data
  const begun = expectStatus(await admin.post(`/iam/sso-connections/${id}/test`, { mode: 'login' }), 200)
  return { ...begun, body: { ...begun.body, data: { id: begun.body.data.trial.id } } }
}

/** Calls a model with a key and then stops the key, so that a log row and a kill switch name it. */
async function useKey({ admin }: TestTenant): Promise<string> {
  const key = expectStatus(await admin.post('/iam/api-keys', { name: 'Used', scopes: ['gateway:write'] }), 201).body
    .data
  expectStatus(await admin.with(key.secret).post('/gateway/chat/completions', chat), 200)
  const reason = 'The key is out of use in this tenant'
  expectStatus(await admin.post('/gateway/kill-switches', { scope: 'key', value: key.id, reason }), 201)
  return key.id
}

/** The parameters of all paths, each after those its own making needs: roles before users; then kinds without a path. */
function kinds(): readonly string[] {
  const all = new Set(['role_id', ...declaredRoutes.flatMap(({ params }) => params), ...Object.keys(found)])
  return [...all]
}

async function make(tenant: TestTenant, kind: string, ids: Ids): Promise<TestAnswer> {
  const special = found[kind]
  if (special !== undefined) return special(tenant)
  const route = makerOf(kind)
  const headers = { 'idempotency-key': `sample-${nextSample()}` }
  return expectStatus(await tenant.admin.post(route.path, sampleBody(route, ids), { headers }), 201)
}

/** @throws Error for a parameter whose resource no route makes */
export function makerOf(kind: string): DeclaredRoute {
  const addressed = declaredRoutes.find(({ path }) => path.endsWith(`/{${kind}}`) || path.includes(`/{${kind}}/`))
  const collection = addressed?.path.slice(0, addressed.path.indexOf(`/{${kind}}`))
  const route = declaredRoutes.find(
    (declared) => declared.path === collection && declared.route.method === 'POST' && !isPublic(declared),
  )
  if (route === undefined)
    throw new Error(`nothing makes a ${kind}: say in found of its module’s testing/cases.ts where one is`)
  return route
}
