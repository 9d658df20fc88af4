/** Pages for browsers, through the real server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, password, type TestTenant, type World } from '../../test/support/world.ts'

let world: World
let tenant: TestTenant
let viewer = ''

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('pages')
  const roles: readonly { readonly id: string; readonly name: string }[] = (await tenant.admin.get('/iam/roles')).body
    .data
  viewer = roles.find(({ name }) => name === 'viewer')?.id ?? ''
})
afterAll(() => world.close())

let count = 0
async function invited(): Promise<{ readonly email: string; readonly link: string }> {
  count += 1
  const email = `guest${count}@${tenant.slug}.example`
  const made = await tenant.admin.post('/iam/users', { email, role_ids: [viewer] })
  return { email, link: made.body.data.invitation_url }
}

const open = (url: string) => world.program.app.inject({ url, headers: { accept: 'text/html' } })
const post = (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
  world.program.app.inject({
    method: 'POST',
    url: '/invite',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  })

test.each([
  ['/', 200, 'Parapet'],
  ['/invite', 200, 'Accept an invitation'],
  ['/sso/complete?code=abcdefghijklmnopqrstuvwx', 200, 'You are signed in at your provider'],
  ['/sso/complete', 422, 'Sign-in not completed'],
  ['/sso/complete?code=%3Cscript%3Ealert(1)%3C%2Fscript%3E', 422, 'Sign-in not completed'],
  ['/sso/trial?trial_id=1', 200, 'The trial is over'],
])('C34 C41 C45 %s is a page that runs and sends nothing but its own', async (url, status, title) => {
  const page = await open(url)
  expect([page.statusCode, page.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
  expect(page.body).toContain(`<h1>${title}</h1>`)
  expect(page.body).toMatch(/<html lang="en">[\s\S]*<meta name="viewport"[\s\S]*<main>/)
  const policy = String(page.headers['content-security-policy'])
  for (const part of ["default-src 'none'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"])
    expect(policy).toContain(part)
  expect(policy).not.toContain('unsafe')
  expect(page.headers['referrer-policy']).toBe('no-referrer')
  expect(page.headers['cache-control']).toBe('no-store')
  expect(page.body).not.toMatch(/<style|style=|<script>|onclick|javascript:|alert\(1\)/)
})

describe('C41 a single sign-on that fails', () => {
  const path = '/api/v1/auth/sso/0198a6c4-0000-7000-8000-000000000000'
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  test.each([
    ['the return from OpenID', { method: 'GET', url: `${path}/callback?state=x&code=%3Cb%3E` }],
    ['the return from SAML', { method: 'POST', url: `${path}/callback`, headers: form, payload: 'SAMLResponse=x' }],
    ['the beginning', { method: 'GET', url: `${path}/start` }],
  ] as const)('is told in a page to browsers and as a problem to others: %s', async (_, call) => {
    const headers = 'headers' in call ? call.headers : {}
    const page = await world.program.app.inject({ ...call, headers: { ...headers, accept: 'text/html,*/*;q=0.8' } })
    const plain = await world.program.app.inject({ ...call, headers })
    expect(page.statusCode).toBe(plain.statusCode)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toContain("style-src 'self'")
    expect(page.body).toMatch(/<p role="alert">/)
    expect(page.body).not.toContain('<b>')
    expect(plain.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(plain.headers['content-security-policy']).not.toContain('style-src')
    expect(page.body).toContain(plain.json().error_code)
  })
})

test('what a page loads is there', async () => {
  for (const [url, type] of [
    ['/pages/style.css', 'text/css'],
    ['/pages/invite.js', 'text/javascript'],
  ] as const) {
    const file = await open(url)
    expect([file.statusCode, String(file.headers['content-type'])]).toEqual([200, `${type}; charset=utf-8`])
  }
})

test('every field of the form has a label', async () => {
  const { body } = await open('/invite')
  for (const [, id = ''] of body.matchAll(/<input id="(\w+)"/g)) expect(body).toContain(`<label for="${id}">`)
})

describe('an invitation is accepted by the form', () => {
  test('with the whole link or its secret, once, and the person can sign in', async () => {
    for (const part of [(link: string) => link, (link: string) => link.split('#')[1] ?? '']) {
      const { email, link } = await invited()
      const fields = { token: part(link), password, display_name: 'Guest' }
      const done = await post(fields, { 'sec-fetch-site': 'same-origin', origin: 'null' })
      expect([done.statusCode, done.body.includes(email)]).toEqual([200, true])
      expect((await (await world.signIn(email)).get('/auth/me')).body.data.user.display_name).toBe('Guest')
      const again = await post(fields)
      expect(again.statusCode).toBe(401)
      expect(again.body).toContain('role="alert"')
    }
  })

  test('and a refused password is told in the page, with the link kept and no password', async () => {
    const { link } = await invited()
    const refused = await post({ token: link, password: 'xq7"><b>' })
    expect(refused.statusCode).toBe(422)
    expect(refused.body).toMatch(/<p role="alert">/)
    expect(refused.body).toContain(`value="${link.split('#')[1]}"`)
    expect(refused.body).not.toContain('xq7')
  })

  test('C34 with text that is escaped', async () => {
    const refused = await post({ token: 'x"><script>alert(1)</script>', password, display_name: '<b>&' })
    expect(refused.body).not.toMatch(/<script>alert|<b>&/)
    expect(refused.body).toContain('&lt;b&gt;&amp;')
  })
})

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
  ['a page of the same site', { 'sec-fetch-site': 'same-site' }],
  ['another origin, by a browser that says no more', { origin: 'https://evil.example' }],
])('C44 a form that is posted by %s is refused and uses nothing up', async (_, headers) => {
  const { link } = await invited()
  const refused = await post({ token: link, password }, headers)
  expect([refused.statusCode, refused.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
  expect(refused.body).toContain('another site')
  expect((await post({ token: link, password })).statusCode).toBe(200)
})

test.each([
  ['a form that is too large', { token: 'x'.repeat(20_000) }, 413],
  ['a form with nothing in it', {}, 400],
])('%s is answered with a page', async (_, fields, status) => {
  const refused = await post(fields as Record<string, string>)
  expect([refused.statusCode, refused.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
})
