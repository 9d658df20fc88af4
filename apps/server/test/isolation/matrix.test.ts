import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { failuresOf, told } from '../generated/each-route.ts'
import {
  type DeclaredRoute,
  declaredRoutes,
  fill,
  isList,
  isPublic,
  isServed,
  isSingle,
} from '../generated/manifest.ts'
import { casesAmong } from '../generated/module-cases.ts'
import { fillTenant, type TenantData } from '../generated/tenant-data.ts'
import type { TestAnswer } from '../support/client.ts'
import { held } from '../support/matrices.ts'
import { expectStatus, openWorld, type World } from '../support/world.ts'
import { callWith, type IdPlace, idPlaces, isConstant, unusedPlaces } from './id-places.ts'

let world: World
let alpha: TenantData
let beta: TenantData
let cases = 0

beforeAll(async () => {
  world = await openWorld({ own: true })
  alpha = await fillTenant(await world.tenant('alpha'))
  beta = await fillTenant(await world.tenant('beta'))
})
afterAll(() => world.close())

/** A caller of alpha with this id in this place. */
function ask(declared: DeclaredRoute, at: IdPlace, id: string): Promise<TestAnswer> {
  const { path, query, body } = callWith(declared, at, { id, own: alpha.ids })
  cases += 1
  return alpha.tenant.admin.send(declared.route.method, path, { body, options: { query } })
}

/** Everything that may differ between two answers that tell the same. */
function essence({ status, text }: TestAnswer, id: string): string {
  const told = text
    .replaceAll(id, '<given id>')
    .replaceAll(/req_[0-9a-f]{24}/g, '<request>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/sample[- ]\d+/gi, '<sample>')
    .replaceAll(/"\w*_ms":[\d.]+/g, '<duration>')
    .replaceAll(/"etag":"[^"]*"/g, '<etag>')
  return `${status} ${told}`
}

/** Of our problem form, or of the error in a vendor's form. */
function codeOf({ body }: TestAnswer): unknown {
  return body.error_code ?? body.error?.code
}

const notFound: Readonly<Record<IdPlace['part'], readonly number[]>> = {
  path: [404],
  query: [200, 404],
  body: [400, 404, 422],
}
const accepted = [200, 201]

const protectedRoutes = (declared: DeclaredRoute): boolean => !isPublic(declared)
/** Agents alone: an administrator reads nothing there. */
const isForAgents = ({ route }: DeclaredRoute): boolean => route.permission === 'agent'

it('knows nothing about members that are gone', () => {
  expect(unusedPlaces(declaredRoutes)).toEqual([])
})

/** Tables that the data of a filled tenant leave empty. */
const emptyTables = casesAmong('emptyTables')
const isFilledList = (declared: DeclaredRoute): boolean =>
  isList(declared) && !emptyTables.has(declared.route.list?.table.name ?? '')

/** Ids that only one of the two tenants may ever see. */
function idsOnlyOf(tenant: TenantData, other: TenantData): readonly string[] {
  return [...tenant.everyId].filter((id) => !other.everyId.has(id))
}

it('C10 never shows a row, an id or a name of another tenant in a list or a resource', async () => {
  const secrets = [...idsOnlyOf(beta, alpha), 'beta']
  expect(secrets.length).toBeGreaterThan(20)
  const failures = await failuresOf(
    (declared) =>
      protectedRoutes(declared) && !isForAgents(declared) && isServed(declared) && declared.route.method === 'GET',
    async (declared) => {
      const answers = isList(declared)
        ? await walk(declared)
        : [await alpha.tenant.admin.get(fill(declared.path, alpha.ids))]
      cases += answers.length
      const text = answers.map((answer) => answer.text).join()
      const rows = answers.flatMap((answer) => (Array.isArray(answer.body?.data) ? answer.body.data : []))
      return [
        ...answers.filter(({ status }) => status !== 200).map(told),
        ...secrets.filter((secret) => text.includes(secret)).map((secret) => `shows ${secret}`),
        ...(isFilledList(declared) && rows.length < 2 ? [`lists ${rows.length} rows, which is too few to tell`] : []),
        ...(isList(declared) ? total(answers, rows.length) : []),
      ]
    },
  )
  expect(failures).toEqual([])
})

it('C10 answers a call with another tenant’s id exactly as one with an id that nothing has', async () => {
  const failures = await failuresOf(protectedRoutes, async (declared) => {
    const faults: string[] = []
    for (const at of idPlaces(declared)) {
      const foreign = beta.ids[at.kind]
      if (foreign === undefined) throw new Error(`the tenants have no ${at.kind} to try at ${at.where}`)
      const unknown = randomUUID()
      const [other, nothing] = [await ask(declared, at, foreign), await ask(declared, at, unknown)]
      const may = at.verbatim ? accepted : notFound[at.part]
      if (!may.includes(other.status)) faults.push(`${at.where}: ${told(other)}`)
      if (at.part === 'path' && codeOf(other) !== 'API-013') faults.push(`${at.where}: ${told(other)}`)
      if (essence(other, foreign) !== essence(nothing, unknown))
        faults.push(`${at.where} tells them apart: ${told(other)} and ${told(nothing)}`)
    }
    return faults
  })
  expect(failures).toEqual([])
})

it('answers the same calls otherwise when the id is the caller’s own', async () => {
  const failures = await failuresOf(
    (declared) => protectedRoutes(declared) && declared.route.method === 'GET',
    async (declared) => {
      const faults: string[] = []
      for (const at of idPlaces(declared)) {
        const own = alpha.ids[at.kind] ?? ''
        const unknown = randomUUID()
        const [mine, nothing] = [await ask(declared, at, own), await ask(declared, at, unknown)]
        if (mine.status !== 200) faults.push(`${at.where}: ${told(mine)}`)
        if (at.shows && essence(mine, own) === essence(nothing, unknown))
          faults.push(`${at.where} shows nothing of one's own either`)
      }
      return faults
    },
  )
  expect(failures).toEqual([])
})

async function walk(declared: DeclaredRoute): Promise<readonly TestAnswer[]> {
  const answers: TestAnswer[] = []
  let cursor: string | null = null
  do {
    const query: Record<string, string> = { limit: '1', ...(cursor === null ? {} : { cursor }) }
    const answer = expectStatus(await alpha.tenant.admin.get(fill(declared.path, alpha.ids), { query }), 200)
    answers.push(answer)
    cursor = answer.body.meta.pagination.has_more ? answer.body.meta.pagination.cursor : null
  } while (cursor !== null)
  return answers
}

function total(answers: readonly TestAnswer[], rows: number): readonly string[] {
  const counted = answers[0]?.body.meta.pagination.total_count
  return counted === rows ? [] : [`counts ${counted} rows and lists ${rows}`]
}

/** An order of the list that is not its default. */
function otherOrder({ route: { list } }: DeclaredRoute): string {
  const orders = list?.table.sorts.flatMap((column) => [column, `-${column}`]) ?? []
  return orders.find((order) => order !== list?.default) ?? 'id'
}

it('C10 refuses the cursor of another tenant, of another list and of another order', async () => {
  const cursors = new Map<string, string>()
  for (const declared of declaredRoutes.filter(isFilledList)) {
    const path = fill(declared.path, alpha.ids)
    const page = expectStatus(await alpha.tenant.admin.get(path, { query: { limit: '1' } }), 200)
    cursors.set(declared.path, page.body.meta.pagination.cursor)
  }
  const failures = await failuresOf(isFilledList, async (declared) => {
    const cursor = cursors.get(declared.path) ?? ''
    const foreign = [...cursors].find(([path]) => path !== declared.path)?.[1] ?? ''
    const { admin } = alpha.tenant
    const path = fill(declared.path, alpha.ids)
    cases += 4
    const answers = [
      await beta.tenant.admin.get(fill(declared.path, beta.ids), { query: { cursor } }),
      await admin.get(path, { query: { cursor: foreign } }),
      await admin.get(path, { query: { cursor, sort: otherOrder(declared) } }),
      await admin.get(path, {
        query: { cursor: cursor.slice(0, -2) + (cursor.endsWith('AA') ? 'BA' : 'AA') },
      }),
    ]
    const own = await admin.get(path, { query: { cursor } })
    return [
      ...answers.filter(({ body }) => body.error_code !== 'API-003').map((answer) => `takes it: ${told(answer)}`),
      ...(own.status === 200 ? [] : [`refuses its own: ${told(own)}`]),
    ]
  })
  expect(failures).toEqual([])
})

it('C10 never answers 304 to the entity tag of another tenant’s twin', async () => {
  const failures = await failuresOf(
    (declared) => isSingle(declared) && !isConstant(declared),
    async (declared) => {
      const theirs = await beta.tenant.admin.get(fill(declared.path, beta.ids))
      const tag = theirs.headers.etag ?? ''
      cases += 1
      const answer = await alpha.tenant.admin.get(fill(declared.path, alpha.ids), { headers: { 'if-none-match': tag } })
      return answer.status === 200 ? [] : [`${tag} gave ${answer.status}`]
    },
  )
  expect(failures).toEqual([])
})

it('C10 is asked as many things as there are places for ids', () => held('cases of two tenants', cases))
