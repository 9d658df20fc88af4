import { afterAll, beforeAll, expect, it } from 'vitest'
import { untilSealed } from '../../src/kernel/audit/testing/seals.ts'
import type { TestAnswer, TestClient } from '../support/client.ts'
import { expectStatus, openWorld, type World } from '../support/world.ts'
import { differsFrom, failuresOf, told } from './each-route.ts'
import { type DeclaredRoute, declaredRoutes, fill, isScim, isSingle, singleAt } from './manifest.ts'
import { casesOf } from './module-cases.ts'
import { sampleBody } from './samples.ts'
import { fillTenant, makerOf, type TenantData } from './tenant-data.ts'

let world: World
let alpha: TenantData
let admin: TestClient

beforeAll(async () => {
  world = await openWorld({ own: true })
  alpha = await fillTenant(await world.tenant('alpha'))
  admin = alpha.tenant.admin
  // A recorded call shows its seal, so its tag changes when the seal comes.
  await untilSealed(world, alpha.tenant.id)
})
afterAll(() => world.close())

const stale = { headers: { 'if-match': '"999999-AAAAAAAAAAAAAAAA"' } }
const lacksVersion = { status: 412, code: 'API-012' }
/** Asked for and not done at once; examined beside its code. */
const overTime = new Set(['DELETE /api/v1/iam/tenants/{tenant_id}'])
const changesSingle = (method: 'PATCH' | 'DELETE') => (declared: DeclaredRoute) =>
  declared.route.method === method &&
  singleAt(declared.path) !== undefined &&
  !isScim(declared) &&
  !overTime.has(declared.name)

const tagOf = (answer: TestAnswer): string => answer.headers.etag ?? ''

it('has resources with one address to examine, and changes to them', () => {
  expect(
    world.program.assembled.modules.routes.filter(({ route, path }) => route.method === 'PATCH' && singleAt(path)),
  ).not.toHaveLength(0)
})

it('gives every single resource an entity tag and answers 304 without a body while it holds', async () => {
  const failures = await failuresOf(isSingle, async (declared) => {
    const path = fill(declared.path, alpha.ids)
    const read = expectStatus(await admin.get(path), 200)
    const tag = tagOf(read)
    const same = await admin.get(path, { headers: { 'if-none-match': tag } })
    const weak = await admin.get(path, { headers: { 'if-none-match': `"other", W/${tag.replace(/^W\//, '')}` } })
    const any = await admin.get(path, { headers: { 'if-none-match': '*' } })
    const other = await admin.get(path, { headers: { 'if-none-match': '"999999-AAAAAAAAAAAAAAAA"' } })
    return [
      ...((isScim(declared) ? /^(?:W\/)?"\d+-[\w-]{16}"$/ : /^"\d+-[\w-]{16}"$/).test(tag)
        ? []
        : [`the entity tag is ${tag}`]),
      ...[same, weak, any]
        .filter(({ status, text }) => status !== 304 || text !== '')
        .map(({ status, text }) => `gave ${status} ${text}, not 304`),
      ...(same.headers.etag === tag ? [] : ['304 carries another tag']),
      ...(other.status === 200 ? [] : [`another tag gave ${other.status}`]),
    ]
  })
  expect(failures).toEqual([])
})

it('refuses a change that was based on an older version, and changes nothing', async () => {
  const failures = await failuresOf(changesSingle('PATCH'), async (declared) => {
    const path = fill(declared.path, alpha.ids)
    const before = expectStatus(await admin.get(path), 200)
    const unknown = await admin.patch(path, sampleBody(declared, alpha.ids), stale)
    const current = await admin.patch(path, sampleBody(declared, alpha.ids), { headers: { 'if-match': tagOf(before) } })
    const late = await admin.patch(path, sampleBody(declared, alpha.ids), { headers: { 'if-match': tagOf(before) } })
    const after = expectStatus(await admin.get(path), 200)
    return [
      ...differsFrom(unknown, lacksVersion, 'an unknown version'),
      ...(current.status === 200 ? [] : [`the current version gave ${told(current)}`]),
      ...differsFrom(late, lacksVersion, 'the version before'),
      ...(tagOf(after) !== tagOf(before) ? [] : ['a change leaves the tag as it was']),
      ...(versionIn(tagOf(after)) === versionIn(tagOf(current))
        ? []
        : ['the tag of a change is not the one read after it']),
    ]
  })
  expect(failures).toEqual([])
})

/** The part that `If-Match` looks at; the rest is a digest of the answer, and a change may answer more than a read. */
function versionIn(tag: string): string {
  return tag.split('-')[0] ?? ''
}

it('changes nothing on an empty patch but the version', async () => {
  const failures = await failuresOf(changesSingle('PATCH'), async (declared) => {
    const path = fill(declared.path, alpha.ids)
    const before = expectStatus(await admin.get(path), 200).body.data
    const patched = await admin.patch(path, {})
    const after = expectStatus(await admin.get(path), 200).body.data
    const unchanged = (data: object) => JSON.stringify({ ...data, updated_at: null })
    return [
      ...(patched.status === 200 ? [] : [`gave ${told(patched)}`]),
      ...(unchanged(before) === unchanged(after) ? [] : [`was ${unchanged(before)}, is ${unchanged(after)}`]),
    ]
  })
  expect(failures).toEqual([])
})

/** The address of a resource that was made for this: by a POST to its list, or as its module says. */
async function pathOfNew(declared: DeclaredRoute): Promise<string> {
  const kind = declared.params.at(-1) ?? ''
  const special = isMade(declared) ? undefined : casesOf('found')[kind]
  if (special !== undefined) {
    const { data } = (await special(alpha.tenant)).body
    return fill(declared.path, { ...alpha.ids, [kind]: (Array.isArray(data) ? data[0] : data).id })
  }
  const maker = makerOf(kind)
  const made = expectStatus(await admin.post(maker.path, sampleBody(maker, alpha.ids)), 201)
  return made.headers.location ?? ''
}

const isMade = ({ path }: DeclaredRoute): boolean =>
  declaredRoutes.some((route) => route.route.method === 'POST' && route.path === path.replace(/\/\{[^{}]+\}$/, ''))

it('refuses a deletion that was based on an older version, and takes one that was not', async () => {
  const failures = await failuresOf(changesSingle('DELETE'), async (declared) => {
    const path = await pathOfNew(declared)
    const refused = differsFrom(await admin.delete(path, stale), lacksVersion, 'an unknown version')
    const read = await admin.get(path)
    const deleted = await admin.delete(path, { headers: { 'if-match': tagOf(read) } })
    return [
      ...refused,
      ...(deleted.status === 200 && deleted.body.data.deleted === true
        ? []
        : [`the current one gave ${told(deleted)}`]),
    ]
  })
  expect(failures).toEqual([])
})
