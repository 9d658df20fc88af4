import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestAnswer } from '../support/client.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../support/world.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld({ own: true })
  tenant = await world.tenant('markup')
})
afterAll(() => world.close())

/** Types that no browser renders or runs under `nosniff`. XML is our own metadata for identity providers. */
const inert = new Set([
  'application/gzip',
  'application/json',
  'application/oscal+json',
  'application/problem+json',
  'application/samlmetadata+xml',
  'application/scim+json',
  'application/stix+json',
  'application/vnd.apache.parquet',
  'application/vnd.parapet.bundle+json',
  'application/x-ndjson',
  'application/x-protobuf',
  'application/x-ocsf+ndjson',
  'text/csv',
  'text/event-stream',
  'text/plain',
])

/**
 * Drawn by a browser under a policy that lets nothing in it run or load: a curve of numbers and a currency, and pages of our
 * own words for people whose sign-in failed.
 */
const drawn: ReadonlySet<string> = new Set([
  '/api/v1/risk/simulations/{simulation_id} image/svg+xml',
  '/api/v1/auth/sso/{connection_id}/start text/html',
  '/api/v1/auth/sso/{connection_id}/callback text/html',
])

/** Paths whose files of many types come as attachments, which a browser stores and does not draw. */
const attached: ReadonlySet<string> = new Set([
  '/api/v1/compliance/assessments/{assessment_id}',
  '/api/v1/compliance/evidence/{evidence_id}',
  '/api/v1/platform/reports/{report_id}',
])

type Responses = Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
type Paths = Readonly<Record<string, Readonly<Record<string, { readonly responses?: Responses }>>>>

test('C34 no route declares an answer that a browser would draw', async () => {
  const { paths } = (await world.program.app.inject('/openapi.json')).json() as { readonly paths: Paths }
  const declared = Object.entries(paths).flatMap(([path, operations]) =>
    Object.values(operations).flatMap(({ responses = {} }) =>
      Object.values(responses).flatMap(({ content = {} }) => Object.keys(content).map((type) => ({ path, type }))),
    ),
  )
  expect(declared.length).toBeGreaterThan(1_000)
  const others = declared.filter(
    ({ path, type }) => !inert.has(type) && !attached.has(path) && !drawn.has(`${path} ${type}`),
  )
  expect(others).toEqual([])
})

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'",
  '<svg onload=alert(1)>',
  '<svg><script href="data:,alert(1)"/>',
  '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;">',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '![x](https://evil.example/?q=1)',
  '</title><body onload=alert(1)>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<math><mtext></mtext><style><img src=x onerror=alert(1)>',
  '{{constructor.constructor("alert(1)")()}}',
  '\u2028<script>alert(1)</script>',
]

/** As a browser asks that was sent to the address. */
const asPage = { headers: { accept: 'text/html,application/xhtml+xml' } }

function expectData(answer: TestAnswer): void {
  expect(answer.headers['content-type']).toMatch(/^application\/(problem\+)?json(;|$)/)
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
}

test('C34 words of others come back as data, also to who asks for a page', async () => {
  const { admin } = tenant
  const viewer = (await admin.get('/iam/roles', { query: { q: 'viewer' } })).body.data[0].id
  for (const [n, text] of hostile.entries()) {
    const makes = [
      ['/iam/users', { email: `person-${n}@markup.example`, display_name: text, role_ids: [viewer] }, 'display_name'],
      ['/iam/roles', { name: `Role ${n}`, description: text, permissions: ['iam:read'] }, 'description'],
      ['/iam/api-keys', { name: text, scopes: ['iam:read'] }, 'name'],
    ] as const
    for (const [path, body, member] of makes) {
      const made = expectStatus(await admin.post(path, body, asPage), 201)
      const read = expectStatus(await admin.get(`${path}/${made.body.data.id}`, asPage), 200)
      for (const answer of [made, read]) expectData(answer)
      expect(read.body.data[member]).toBe(text)
    }
    expectData(await admin.get(`/iam/users/${encodeURIComponent(text)}`, asPage))
    expectData(await admin.get('/iam/users', { ...asPage, query: { sort: text, q: text } }))
  }
})

test('C34 the page about an error shows words of ours alone', async () => {
  const page = await world.program.app.inject({ url: '/errors/API-001', ...asPage })
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  for (const text of hostile) {
    const unknown = await world.program.app.inject({ url: `/errors/${encodeURIComponent(text)}`, ...asPage })
    expect(unknown.headers['content-type']).toContain('application/problem+json')
    const asked = await world.program.app.inject({ url: `/errors/API-001?x=${encodeURIComponent(text)}`, ...asPage })
    expect(asked.body).toBe(page.body)
  }
})

test('C34 the picture of an authenticator’s secret holds shapes and no words', async () => {
  const started = expectStatus(await tenant.admin.post('/auth/mfa/totp', { name: hostile[0] }), 200).body.data
  const elements = [...started.qr_svg.matchAll(/<\/?([a-zA-Z!?][\w:-]*)/g)].map(([, name]) => name)
  expect(elements.length).toBeGreaterThan(0)
  expect(elements.filter((name) => !['svg', 'path', 'rect', 'g'].includes(name))).toEqual([])
  expect(started.qr_svg).not.toMatch(/\son\w+=|href|style=/)
})
