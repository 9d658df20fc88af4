import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, type OwnWorld, openWorld, password } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { type MailSink, openMailSink } from '../../../kernel/mail/testing/mail-sink.ts'
import { warnOfCertificates } from '../sso/connections/jobs.ts'

let world: OwnWorld
let sink: MailSink
const operator = 'operator@root.example'

beforeAll(async () => {
  sink = await openMailSink()
  world = await openWorld({ environment: { PARAPET_SMTP_URL: sink.url } })
})
afterAll(async () => {
  await world.close()
  await sink.close()
})

const letters = (words: string) => sink.letters.filter(({ to, text }) => to.includes(operator) && text.includes(words))
const inTenant = (statement: Parameters<OwnWorld['kernel']['db']['read']>[1]) =>
  world.kernel.db.tenant({ tenantId: world.root.id }, (tx) => tx.query(statement))

test('whoever administers accounts gets a letter about every change of a way in, and about its certificate', async () => {
  const { admin } = world.root
  const oidc = { issuer: 'https://idp.example', client_id: 'parapet' }
  const made = expectStatus(await admin.post('/iam/sso-connections', { name: 'D', type: 'oidc', oidc }), 201).body.data
  await expect.poll(() => letters(`/sso-connections/${made.id}`).length).toBe(1)
  expect(letters('connection')[0]).toMatchObject({ subject: 'Your organization' })
  expectStatus(await admin.patch(`/iam/sso-connections/${made.id}`, { name: 'Directory' }), 200)
  await expect.poll(() => letters(`/sso-connections/${made.id}`).length).toBe(2)
  await inTenant(sql`
    update iam_sso_connection set status = 'active', certificate_expires_at = now() + interval '3 days'
    where id = ${made.id}`)
  await world.kernel.db.tenant({ tenantId: world.root.id }, (tx) => warnOfCertificates(world.kernel, tx))
  await expect.poll(() => letters('The certificate').length).toBe(1)
})

test('people get a letter when their password was changed', async () => {
  const body = { current_password: password, new_password: 'another long phrase of mine 9' }
  expectStatus(await world.root.admin.post('/auth/password', body), 200)
  await expect.poll(() => letters('password of your account was changed').length).toBe(1)
})
