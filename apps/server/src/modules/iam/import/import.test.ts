import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { hashRaw } from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accept, expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'

let world: OwnWorld
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld({ own: true })
  tenant = await world.tenant('acme')
})
afterAll(() => world.close())

const send = (wish: object, as = tenant.admin) => as.post('/iam/users', { import: wish })
const table = (text: string, more: object = {}) => send({ format: 'csv', document: text, ...more })
const rowsOf = async (answer: Awaited<ReturnType<typeof send>>) => expectStatus(answer, 201).body.data.rows
const inTenant = <Row>(statement: Sql<Row>) =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.query(statement))
const accountOf = async (email: string) => (await tenant.admin.get('/iam/users', { query: { q: email } })).body.data[0]
const login = (email: string, password: string) => world.stranger.post('/auth/login', { email, password })
const hashOf = async (email: string) =>
  (await inTenant(sql<{ hash: string | null }>`select password_hash as hash from iam_user where email = ${email}`))[0]
    ?.hash

const secret = 'a secret of another realm'
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** A credential as Keycloak 26 writes it. */
function pbkdf2Credential(password = secret) {
  const salt = randomBytes(16)
  const value = base64(pbkdf2Sync(password, salt, 210_000, 64, 'sha512'))
  return {
    id: 'f0a1',
    type: 'password',
    userLabel: 'My password',
    createdDate: 1_700_000_000_000,
    secretData: JSON.stringify({ value, salt: base64(salt), additionalParameters: {} }),
    credentialData: JSON.stringify({ hashIterations: 210_000, algorithm: 'pbkdf2-sha512', additionalParameters: {} }),
  }
}

async function argon2Credential() {
  const salt = randomBytes(16)
  const value = base64(await hashRaw(secret, { salt, memoryCost: 7168, timeCost: 5, parallelism: 1, outputLen: 32 }))
  const additionalParameters = {
    hashLength: ['32'],
    memory: ['7168'],
    type: ['id'],
    version: ['1.3'],
    parallelism: ['1'],
  }
  return {
    type: 'password',
    secretData: JSON.stringify({ value, salt: base64(salt), additionalParameters: {} }),
    credentialData: JSON.stringify({ hashIterations: 5, algorithm: 'argon2', additionalParameters }),
  }
}

const realm = (users: readonly object[], more: object = {}) =>
  send({ format: 'keycloak', document: JSON.stringify({ realm: 'acme', enabled: true, users }), ...more })

describe('a table of people', () => {
  test('is imported with roles by name, and everybody is invited', async () => {
    const answer = await table(
      'email,display_name,roles,department,expires_at\n' +
        'ada@acme.example,"Lovelace, Ada",viewer;auditor,Engines,2099-01-01T00:00:00.000Z\n' +
        'Grace@acme.example,Grace,Navy,,\n',
      { roles: [{ from: 'Navy', to: 'ai_engineer' }] },
    )
    const [ada, grace] = await rowsOf(answer)
    expect(answer.body.data.counts).toEqual({ created: 2, exists: 0, skipped: 0, refused: 0 })
    expect(ada).toMatchObject({ line: 2, outcome: 'created', status: 'invited', roles: ['viewer', 'auditor'] })
    expect(grace).toMatchObject({ line: 3, email: 'Grace@acme.example', roles: ['ai_engineer'] })
    expect(await accountOf('ada@acme.example')).toMatchObject({
      id: ada.user_id,
      display_name: 'Lovelace, Ada',
      role: 'viewer',
      department: 'Engines',
      expires_at: '2099-01-01T00:00:00.000Z',
    })
    await accept(world.stranger, grace.invitation_url)
    expect((await accountOf('grace@acme.example')).status).toBe('active')
  })

  test('changes nothing in a dry run, and says what would be', async () => {
    const text = 'email,roles\ndry@acme.example,viewer\n'
    const [row] = await rowsOf(await table(text, { dry_run: true }))
    expect(row).toMatchObject({ outcome: 'created', status: 'invited', user_id: null })
    expect(row.invitation_url).toBeUndefined()
    expect(await accountOf('dry@acme.example')).toBeUndefined()
  })

  test('C25 with bad rows imports nobody and names them by line', async () => {
    const text =
      'email,display_name,roles\n' +
      'good@acme.example,Good,viewer\n' +
      'no-address,Bad,viewer\n' +
      'formula@acme.example,=cmd|calc,viewer\n' +
      'good@acme.example,Twice,viewer\n' +
      'norole@acme.example,Bad,unheard of\n' +
      'late@acme.example,"two\nlines",viewer,more\n'
    const refused = await table(text)
    expect(refused.status).toBe(422)
    expect(refused.body.error_code).toBe('IAM-017')
    const details = refused.body.errors.map(({ detail }: { detail: string }) => detail)
    expect(details[0]).toMatch(/^Line 3: email: /)
    expect(details.slice(1)).toEqual([
      'Line 4: display_name begins as a formula does; put an apostrophe before it.',
      'Line 5: email: it is in the document before.',
      'Line 6: None of its roles is here: unheard of.',
      'Line 7: The row has 4 cells and the header 3.',
    ])
    expect(await accountOf('good@acme.example')).toBeUndefined()
    const taken = expectStatus(await table(text, { skip_refused: true }), 201).body.data
    expect(taken.counts).toEqual({ created: 1, exists: 0, skipped: 0, refused: 5 })
    expect(await accountOf('good@acme.example')).toMatchObject({ display_name: 'Good' })
  })

  test('can be sent again: who is there already is left as they are', async () => {
    const text = 'email,display_name,roles\nagain@acme.example,First,viewer\n'
    await rowsOf(await table(text))
    const [row] = await rowsOf(await table(text.replace('First', 'Second')))
    expect(row).toMatchObject({ outcome: 'exists', user_id: null })
    expect((await accountOf('again@acme.example')).display_name).toBe('First')
  })

  test('gives a default role to who has none, and otherwise refuses them', async () => {
    const text = 'email\nplain@acme.example\n'
    expect((await table(text)).body.errors[0].detail).toBe('Line 2: It has no role; give a default_role.')
    expect((await table(text, { default_role: 'nothing' })).body.errors[0].pointer).toBe('/import/default_role')
    const [row] = await rowsOf(await table(text, { default_role: 'Viewer' }))
    expect(row.roles).toEqual(['viewer'])
  })

  test('makes accounts that sign in elsewhere where nobody is to be invited', async () => {
    const [row] = await rowsOf(
      await table('email\nelsewhere@acme.example\n', { default_role: 'viewer', delivery: 'none' }),
    )
    expect(row).toMatchObject({ status: 'active', password_taken_over: false })
    expect((await login('elsewhere@acme.example', 'whatever it is')).body.error_code).toBe('AUTH-007')
  })

  test.each([
    ['', 'email\n'],
    ['There is no column "mail"', 'mail\nx@acme.example\n'],
    ['Line 2: a quotation mark is never closed', 'email\n"x@acme.example\n'],
    ['more than 10000 rows', `email\n${'x@acme.example\n'.repeat(10_001)}`],
  ])('C25 that cannot be read is refused: %s', async (words, text) => {
    const refused = await table(text)
    expect([refused.status, refused.body.error_code]).toEqual([422, 'IAM-017'])
    expect(refused.body.detail).toContain(words)
  })

  test('takes hashes as PHC strings, and refuses others by line', async () => {
    const salt = randomBytes(16)
    const unpadded = (bytes: Uint8Array) => base64(bytes).replaceAll('=', '')
    const tag = pbkdf2Sync(secret, salt, 30_000, 32, 'sha256')
    const phc = `$pbkdf2-sha256$i=30000$${unpadded(salt)}$${unpadded(tag)}`
    const bcrypt = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'
    const text = `email,roles,password_hash\nphc@acme.example,viewer,${phc}\nbc@acme.example,viewer,${bcrypt}\n`
    expect((await table(text)).body.errors[0].detail).toMatch(/^Line 3: password_hash: not one of/)
    await rowsOf(await table(text, { skip_refused: true }))
    expect((await login('phc@acme.example', secret)).status).toBe(200)
  })
})

describe('a Keycloak realm', () => {
  test('C04 comes with its password hashes, which are made anew at the first sign-in', async () => {
    const users = [
      {
        username: 'kay',
        email: 'kay@acme.example',
        emailVerified: true,
        firstName: 'Kay',
        lastName: 'Cloak',
        enabled: true,
        createdTimestamp: 1_700_000_000_000,
        totp: false,
        credentials: [pbkdf2Credential()],
        disableableCredentialTypes: [],
        requiredActions: [],
        realmRoles: ['default-roles-acme', 'offline_access', 'viewer'],
        clientRoles: { account: ['view-profile'] },
        notBefore: 0,
        groups: ['/staff'],
      },
      { username: 'arg@acme.example', enabled: true, credentials: [await argon2Credential()], realmRoles: ['viewer'] },
    ]
    const rows = await rowsOf(await realm(users))
    expect(rows[0]).toMatchObject({
      line: 1,
      status: 'active',
      roles: ['viewer'],
      password_taken_over: true,
      notes: ['account/view-profile is no role here.', '/staff is no role here.'],
    })
    for (const email of ['kay@acme.example', 'arg@acme.example']) {
      expect(await hashOf(email)).toMatch(/^imported:\$/)
      expect((await login(email, `${secret}.`)).body.error_code).toBe('AUTH-007')
      expect((await login(email, secret)).status).toBe(200)
      expect(await hashOf(email)).toMatch(/^\$argon2id\$v=19\$m=19456/)
      expect((await login(email, secret)).status).toBe(200)
    }
    expect(await accountOf('kay@acme.example')).toMatchObject({
      display_name: 'Kay Cloak',
      password_changed_at: '2023-11-14T22:13:20.000Z',
    })
  })

  test('keeps who was disabled out, invites who has no password, and leaves services and second factors behind', async () => {
    const users = [
      { username: 'off', email: 'off@acme.example', enabled: false, credentials: [pbkdf2Credential()] },
      { username: 'new', email: 'new@acme.example', enabled: true },
      { username: 'service-account-app', enabled: true, serviceAccountClientId: 'app' },
      {
        username: 'two',
        email: 'two@acme.example',
        enabled: true,
        requiredActions: ['UPDATE_PASSWORD'],
        credentials: [pbkdf2Credential(), { type: 'otp', secretData: '{"value":"x"}', credentialData: '{}' }],
      },
    ]
    const rows = await rowsOf(await realm(users, { default_role: 'viewer' }))
    expect(rows.map(({ outcome, status }: { outcome: string; status: string }) => [outcome, status])).toEqual([
      ['created', 'deactivated'],
      ['created', 'invited'],
      ['skipped', undefined],
      ['created', 'active'],
    ])
    expect(rows[3].notes).toEqual(['The second factor (otp) is not taken over; a new one is enrolled here.'])
    expect((await login('off@acme.example', secret)).body.error_code).toBe('AUTH-007')
    expect((await accountOf('two@acme.example')).must_change_password).toBe(true)
  })

  test.each([
    ['no JSON', 'users: []', 'is not valid JSON'],
    ['no users', '{"realm":"acme"}', 'has no list `users`'],
    [
      'a member twice',
      '{"users":[{"email":"a@b.example","email":"c@d.example"}]}',
      'The member appears twice. (/users/0/email)',
    ],
    ['a name of every object', '{"users":[{"__proto__":{"enabled":true}}]}', 'This member name is not allowed.'],
    ['nesting without end', `{"users":${'['.repeat(100)}${']'.repeat(100)}}`, 'nests deeper than 64'],
  ])('C25 with %s is refused', async (_, document, words) => {
    const refused = await send({ format: 'keycloak', document })
    expect([refused.status, refused.body.error_code]).toEqual([422, 'IAM-017'])
    expect(refused.body.detail).toContain(words)
  })

  test('C25 names users of another form by their place', async () => {
    const users = [7, { email: ['x'] }, { email: 'x@acme.example', credentials: [{ type: 'password' }] }]
    const refused = await send({ format: 'keycloak', document: JSON.stringify({ users }), default_role: 'viewer' })
    const details: readonly string[] = refused.body.errors.map(({ detail }: { detail: string }) => detail)
    expect(details.map((detail) => /^Line \d: /.exec(detail)?.[0])).toEqual(['Line 1: ', 'Line 2: ', 'Line 3: '])
    expect(details[2]).toContain('of an algorithm or cost that is not taken over')
  })
})

describe('an import', () => {
  test('C14 gives no role that its sender could not give, and never the platform', async () => {
    const officer = await tenant.as('security_admin')
    const text = 'email,roles\nboss@acme.example,tenant_admin\n'
    const refused = await send({ format: 'csv', document: text }, officer)
    expect([refused.status, refused.body.error_code]).toEqual([403, 'IAM-003'])
    expect(await accountOf('boss@acme.example')).toBeUndefined()
    const greater = await world.operator.post('/iam/users', {
      import: { format: 'csv', document: 'email,roles\nroot@root.example,super_admin\n' },
    })
    expect(greater.body.errors[0].detail).toBe('Line 2: super_admin is not given by an import.')
  })

  test('stands alone in its body, and a single user still needs a role', async () => {
    const wish = { format: 'csv', document: 'email\nx@acme.example\n' }
    expect((await tenant.admin.post('/iam/users', { import: wish, email: 'x@acme.example' })).status).toBe(400)
    const alone = await tenant.admin.post('/iam/users', { email: 'x@acme.example' })
    expect([alone.status, alone.body.errors[0].pointer]).toEqual([400, '/role_ids'])
  })

  test('is bounded by the quota as a whole', async () => {
    const small = await world.tenant('small')
    expectStatus(await world.operator.patch(`/iam/tenants/${small.id}`, { quotas: { users: 3 } }), 200)
    const people = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@small.example\n`).join('')
    const wish = (count: number) => ({ format: 'csv', document: `email\n${people(count)}`, default_role: 'viewer' })
    expect((await send(wish(3), small.admin)).body.error_code).toBe('IAM-009')
    expect((await send(wish(2), small.admin)).status).toBe(201)
  })

  test('leaves a trace of itself and of each account, without addresses in the entry about all', async () => {
    const answer = expectStatus(await table('email,roles\ntrace@acme.example,viewer\n'), 201).body.data
    const entries = await inTenant(sql<{ action: string; target: string; after: unknown }>`
      select action, target, after from audit_entry
      where target in (${`user_import:${answer.id}`}, ${`user:${answer.rows[0].user_id}`})`)
    expect(entries.map(({ action }) => action).sort()).toEqual(['iam.user.create', 'iam.user.import'])
    expect(JSON.stringify(entries)).not.toContain('trace@acme.example')
    const events = await inTenant(sql<{ channel: string }>`
      select channel from outbox where data ->> 'user_id' = ${answer.rows[0].user_id}
      union all select channel from event_log where data ->> 'user_id' = ${answer.rows[0].user_id}`)
    expect(events.map(({ channel }) => channel)).toEqual(['iam.user.invited'])
  })

  // The embedded database takes most of a minute for the whole number.
  const people = process.env.PARAPET_TEST_DB === 'pg' ? 10_000 : 2_000
  test(`takes ${people} people over in one go`, { timeout: 180_000 }, async () => {
    const many = await world.tenant('many')
    const lines = Array.from({ length: people }, (_, n) => `person${n}@many.example,Person ${n},viewer\n`)
    const answer = await send({ format: 'csv', document: `email,display_name,roles\n${lines.join('')}` }, many.admin)
    expect(expectStatus(answer, 201).body.data.counts.created).toBe(people)
    const listed = await many.admin.get('/iam/users', { query: { q: `person${people - 1}@` } })
    expect(listed.body.data[0]).toMatchObject({ status: 'invited', role: 'viewer' })
  })
})
