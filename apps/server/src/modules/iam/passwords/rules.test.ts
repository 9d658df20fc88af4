import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import {
  accept,
  expectStatus,
  type OwnWorld,
  openWorld,
  password,
  type TestTenant,
} from '../../../../test/support/world.ts'
import { effectiveSettings } from '../settings/settings.ts'
import { passwordRules } from './rules.ts'

const stolen = 'the password of somebody else entirely'
const folder = mkdtempSync(join(tmpdir(), 'parapet-breached-'))
let world: OwnWorld

beforeAll(async () => {
  const path = join(folder, 'breached.txt')
  const digest = createHash('sha1').update(stolen).digest('hex').toUpperCase()
  writeFileSync(path, ['0'.repeat(40), digest, 'F'.repeat(40)].sort().join(':7\r\n'))
  world = await openWorld({ environment: { PARAPET_BREACHED_PASSWORDS_FILE: path } })
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true })
})

interface Person {
  readonly id: string
  readonly email: string
  readonly client: TestClient
}

let people = 0

async function person(tenant: TestTenant): Promise<Person> {
  const email = `person${++people}@${tenant.slug}.example`
  const roleId = (await tenant.admin.get('/iam/roles?q=viewer')).body.data[0].id
  const made = expectStatus(await tenant.admin.post('/iam/users', { email, role_ids: [roleId] }), 201).body.data
  await accept(world.stranger, made.invitation_url)
  return { id: made.id, email, client: await world.signIn(email, tenant.id) }
}

async function withSettings(slug: string, settings: object): Promise<TestTenant> {
  const tenant = await world.tenant(slug)
  expectStatus(await tenant.admin.patch(`/iam/tenants/${tenant.id}`, { settings }), 200)
  return tenant
}

const change = (client: TestClient, new_password: string, current_password = password): Promise<TestAnswer> =>
  client.post('/auth/password', { current_password, new_password })

async function enroll(client: TestClient): Promise<string> {
  const { factor_id, secret_base32: secret } = (await client.post('/auth/mfa/totp', {})).body.data
  const code = generateSync({ secret, epoch: Math.floor(Date.now() / 1000) })
  expectStatus(await client.post('/auth/mfa/totp/verify', { factor_id, code }), 200)
  return factor_id
}

describe('the length a tenant asks for', () => {
  test('holds for new passwords, is told in the refusal, and leaves those there are alone', async () => {
    const tenant = await world.tenant('long')
    const { client, email } = await person(tenant)
    expectStatus(await tenant.admin.patch(`/iam/tenants/${tenant.id}`, { settings: { password_min_length: 35 } }), 200)
    expect((await world.signIn(email, tenant.id)).token).not.toBe('')
    const refused = await change(client, 'thirty-four are not thirty-five ..')
    expect(refused.body).toMatchObject({
      error_code: 'IAM-002',
      reasons: ['too_short'],
      min_length: 35,
      max_length: 256,
    })
    expect(refused.body.detail).toContain('35 to 256 characters')
    expectStatus(await change(client, 'but these are thirty-six characters!'), 200)
  })

  test('holds for invitations and for first passwords too', async () => {
    const tenant = await withSettings('inviting', { password_min_length: 40 })
    const roleId = (await tenant.admin.get('/iam/roles?q=viewer')).body.data[0].id
    const made = await tenant.admin.post('/iam/users', { email: 'i@inviting.example', role_ids: [roleId] })
    const token = made.body.data.invitation_url.split('#')[1]
    const refused = await world.stranger.post('/auth/invitations/accept', { token, password })
    expect(refused.body).toMatchObject({ error_code: 'IAM-002', min_length: 40 })
    const given = { email: 'g@inviting.example', role_ids: [roleId], delivery: 'password', password }
    expect((await tenant.admin.post('/iam/users', given)).body).toMatchObject({ error_code: 'IAM-002', min_length: 40 })
  })

  test('is never less than what a tenant above asks for', () => {
    const own = fc.record(
      {
        password_min_length: fc.integer({ min: 15, max: 128 }),
        password_min_length_with_factor: fc.integer({ min: 8, max: 128 }),
        password_blocked_words: fc.array(fc.constantFrom('falcon', 'osprey', 'kestrel'), { minLength: 1 }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(own, { maxLength: 4 }), own, fc.boolean(), (above, child, hasFactor) => {
        const parent = passwordRules(effectiveSettings(above), hasFactor)
        const rules = passwordRules(effectiveSettings([...above, child]), hasFactor)
        expect(rules.minLength).toBeGreaterThanOrEqual(parent.minLength)
        expect(rules.minLength).toBeLessThanOrEqual(rules.minLengthAlone)
        expect(rules.blockedWords).toEqual(expect.arrayContaining([...parent.blockedWords]))
      }),
    )
  })

  test('is at least 15 alone and 8 beside a second factor', async () => {
    const tenant = await world.tenant('bounds')
    for (const settings of [{ password_min_length: 14 }, { password_min_length_with_factor: 7 }]) {
      const refused = await tenant.admin.patch(`/iam/tenants/${tenant.id}`, { settings })
      expect([refused.status, refused.body.error_code]).toEqual([400, 'API-001'])
    }
  })
})

describe('a password beside a second factor', () => {
  const short = 'nine-tail'

  test('may be shorter, and then the last factor is not removed from beside it', async () => {
    const { client } = await person(await world.tenant('factors'))
    expect((await change(client, short)).body).toMatchObject({ reasons: ['too_short'], min_length: 15 })
    const factorId = await enroll(client)
    expect((await change(client, 'seven-7')).body).toMatchObject({ reasons: ['too_short'], min_length: 8 })
    expectStatus(await change(client, short), 200)
    expect((await client.delete(`/auth/mfa/${factorId}`)).body.error_code).toBe('IAM-007')
    expectStatus(await change(client, 'long enough to stand alone', short), 200)
    expectStatus(await client.delete(`/auth/mfa/${factorId}`), 200)
  })

  test('has to be changed when an administrator takes the factor away', async () => {
    const tenant = await world.tenant('removed')
    const { client, id, email } = await person(tenant)
    await enroll(client)
    expectStatus(await change(client, short), 200)
    expectStatus(await tenant.admin.post(`/iam/users/${id}/reset-credentials`, { factors: ['totp'] }), 200)
    const again = await world.stranger.post('/auth/login', { email, password: short })
    const limited = world.stranger.with(expectStatus(again, 200).body.data.access_token)
    expect((await limited.get('/auth/me')).body.data).toMatchObject({
      user: { must_change_password: true },
      permissions: [],
    })
    expect((await change(limited, 'another9', short)).body).toMatchObject({ reasons: ['too_short'], min_length: 15 })
    expectStatus(await change(limited, 'long enough to stand alone', short), 200)
    expect((await limited.get('/auth/me')).body.data.permissions).not.toEqual([])
  })
})

describe('a password that others would try', () => {
  test('because it was stolen somewhere is refused', async () => {
    const { client } = await person(await world.tenant('stolen'))
    expect((await change(client, stolen)).body.reasons).toEqual(['breached'])
    expectStatus(await change(client, `${stolen}!`), 200)
  })

  test('because it is made of a word of the tenant is refused', async () => {
    const tenant = await withSettings('words', { password_blocked_words: ['Skywatcher', 'Osprey'] })
    const { client } = await person(tenant)
    expect((await change(client, 'Skyw4tcher-0sprey-2026')).body.reasons).toEqual(['context'])
  })

  test('but a word that would never be found is no setting', async () => {
    const tenant = await world.tenant('numbers')
    const body = { settings: { password_blocked_words: ['falcon', '2026'] } }
    const refused = await tenant.admin.patch(`/iam/tenants/${tenant.id}`, body)
    expect(refused.body.errors).toMatchObject([{ pointer: '/settings/password_blocked_words/1' }])
    const child = { name: 'c', slug: 'numbers-child', admin_email: 'c@numbers.example', ...body }
    expect((await tenant.admin.post('/iam/tenants', child)).status).toBe(400)
  })

  test('is looked for in a list whose presence health tells', async () => {
    const { checks } = (await world.operator.get('/admin/health?checks=breached_passwords')).body.data
    expect(checks.breached_passwords).toMatchObject({ status: 'pass', observed: { configured: true } })
  })
})
