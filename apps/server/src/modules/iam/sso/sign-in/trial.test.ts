import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../../test/support/world.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { type OpenIdProvider, strangersKey } from '../testing/openid-provider.ts'
import { makeSamlProvider, type SamlProvider } from '../testing/saml-provider.ts'
import { activate, connectOpenId, type OpenIdConnection, roleId } from '../testing/sso-world.ts'

let world: OwnWorld
let alpha: TestTenant

beforeAll(async () => {
  world = await openWorld({ own: true })
  alpha = await world.tenant('alpha')
})
afterAll(() => world.close())

const begin = async (id: string, as = alpha.admin) =>
  expectStatus(await as.post(`/iam/sso-connections/${id}/test`, { mode: 'login' }), 200).body.data
const result = (id: string, trialId: string, as = alpha.admin) =>
  as.post(`/iam/sso-connections/${id}/test`, { mode: 'login', trial_id: trialId })
const stepsOf = (data: { steps: readonly { step: string; passed: boolean; detail: string }[] }) =>
  data.steps.map(({ step, passed }) => [step, passed])

/** Everything a sign-in would leave behind. */
const traces = () =>
  world.kernel.db.tenant({ tenantId: alpha.id }, (tx) =>
    tx.query(sql`
      select (select count(*)::int from iam_user) as users, (select count(*)::int from iam_sso_identity) as identities,
        (select count(*)::int from iam_session) as sessions, (select count(*)::int from iam_user_role) as roles,
        (select count(*)::int from outbox where channel ^@ 'iam.')
          + (select count(*)::int from event_log where channel ^@ 'iam.') as events,
        (select jsonb_agg(jsonb_build_array(last_login_at, last_error) order by id) from iam_sso_connection) as health`),
  )

describe('a trial over OpenID Connect', () => {
  let directory: OpenIdConnection
  let op: OpenIdProvider
  let id: string

  beforeAll(async () => {
    directory = await connectOpenId(world, alpha, { group: 'analysts', role: 'security_analyst', mode: 'add' })
    op = directory.op
    id = directory.id
  })
  afterAll(() => op.close())

  const speak = (sub: string, groups: readonly string[] = []) => directory.speak(sub, { groups: [...groups] })
  const callback: OpenIdConnection['callback'] = (query) => directory.callback(query)

  /** An administrator's browser, through the provider and back. */
  async function tried(loginUrl: string) {
    return callback(await directory.answered(loginUrl))
  }

  test('of a draft says that its domain is not proven yet, and of an active one whom it would make', async () => {
    speak('ann', ['analysts', 'elsewhere'])
    const draft = await begin(id)
    expect(draft.trial).toMatchObject({ status: 'waiting' })
    expect((await result(id, draft.trial.id)).body.data).toMatchObject({ passed: false, trial: { status: 'waiting' } })
    expectStatus(await tried(draft.trial.login_url), 303)
    const unproven = (await result(id, draft.trial.id)).body.data
    expect(stepsOf(unproven)).toEqual([
      ['answer', true],
      ['admission', false],
    ])
    expect(unproven.steps[1].detail).toBe('the e-mail address is not in a verified domain of this connection')
    expect(unproven.trial.person).toMatchObject({ email: 'ann@alpha.example', user: null })

    expectStatus(await activate(world, alpha.admin, id), 200)
    const before = await traces()
    const started = await begin(id)
    const done = expectStatus(await tried(started.trial.login_url), 303)
    expect(done.headers.location).toBe(`http://127.0.0.1:8080/sso/trial?trial_id=${started.trial.id}`)
    expect((await result(id, started.trial.id)).body.data).toMatchObject({
      passed: true,
      trial: {
        status: 'completed',
        person: {
          subject: 'ann',
          groups: ['analysts', 'elsewhere'],
          user: {
            outcome: 'created',
            id: null,
            email: 'ann@alpha.example',
            roles_before: [],
            roles: ['viewer', 'security_analyst'],
          },
        },
      },
    })
    expect(await traces()).toEqual(before)
  })

  test('is shown to who began it and to nobody else, and works once', async () => {
    speak('ann')
    const started = await begin(id)
    const query = await directory.answered(started.trial.login_url)
    expectStatus(await callback(query), 303)
    expect((await callback(query)).body.error_code).toBe('AUTH-015')
    const other = await alpha.as('tenant_admin')
    expect((await result(id, started.trial.id, other)).body.error_code).toBe('API-013')
    expect((await result(id, started.trial.id)).status).toBe(200)
  })

  test('gives no code that could be exchanged', async () => {
    speak('ann')
    const started = await begin(id)
    const done = await tried(started.trial.login_url)
    expect(done.headers.location).not.toContain('code=')
    const [flow] = await world.kernel.db.tenant({ tenantId: alpha.id }, (tx) =>
      tx.query(sql<{ code_digest: string | null; user_id: string | null; seen: string }>`
        select code_digest, user_id, encode(sealed, 'escape') as seen from iam_sso_flow where id = ${started.trial.id}`),
    )
    expect(flow).toMatchObject({ code_digest: null, user_id: null })
    expect(flow?.seen).not.toContain('ann@alpha.example')
  })

  test('C07 says what was wrong with an answer, and counts it nowhere', async () => {
    speak('mallory')
    const started = await begin(id)
    const before = await traces()
    op.tampering = { key: strangersKey() }
    expectStatus(await tried(started.trial.login_url), 303)
    op.tampering = {}
    const refused = (await result(id, started.trial.id)).body.data
    expect(stepsOf(refused)).toEqual([['answer', false]])
    expect(refused.trial.person).toBeUndefined()
    expect(await traces()).toEqual(before)
  })

  test('C14 shows that nobody above its activator would be let in', async () => {
    const { data } = expectStatus(
      await world.operator.post(
        '/iam/users',
        {
          email: 'root@alpha.example',
          role_ids: [await roleIdOf('super_admin')],
          delivery: 'password',
          password: 'the words of an operator',
        },
        { headers: { 'x-tenant-id': alpha.id } },
      ),
      201,
    ).body
    expect(data.role).toBe('super_admin')
    speak('root')
    const started = await begin(id)
    await tried(started.trial.login_url)
    const refused = (await result(id, started.trial.id)).body.data
    expect(refused.steps[1]).toMatchObject({ step: 'admission', passed: false })
  })

  async function roleIdOf(name: string): Promise<string> {
    const { data } = expectStatus(
      await world.operator.get('/iam/roles', { headers: { 'x-tenant-id': alpha.id }, query: { limit: '200' } }),
      200,
    ).body
    return data.find((role: { name: string }) => role.name === name).id
  }

  test('is begun only for a provider that can be worked with', async () => {
    const body = { name: 'Gone', type: 'oidc', oidc: { issuer: 'http://127.0.0.1:9', client_id: 'x' } }
    const made = expectStatus(await alpha.admin.post('/iam/sso-connections', body), 201).body.data
    const started = await begin(made.id)
    expect([started.passed, started.trial]).toEqual([false, undefined])
    const stray = await world.stranger.get(`/auth/sso/${made.id}/callback`, { query: { state: 'x', code: 'y' } })
    expect(stray.body.error_code).toBe('API-013')
  })
})

describe('a trial over SAML', () => {
  let idp: SamlProvider

  test('shows whom an assertion would sign in and applies nothing, before the connection is active', async () => {
    idp = await makeSamlProvider()
    const body = {
      name: 'Old directory',
      type: 'saml',
      saml: { idp_metadata_xml: idp.metadata },
      jit: { enabled: true, default_role_ids: [await roleId(alpha.admin, 'viewer')] },
      group_mappings: [{ group: 'risk', role_ids: [await roleId(alpha.admin, 'risk_manager')], mode: 'add' }],
      email_trusted: true,
    }
    const { id } = expectStatus(await alpha.admin.post('/iam/sso-connections', body), 201).body.data
    const metadata = expectStatus(await world.stranger.get(`/auth/sso/${id}/metadata`), 200).text
    const started = await begin(id)
    const before = await traces()
    const { id: requestId } = await idp.readRequest(metadata, started.trial.login_url)
    const person = { nameId: 'bob-1', email: 'bob@beta.example', groups: ['risk'] }
    const xml = await idp.respond(metadata, { requestId, person })
    const answer = await world.program.app.inject({
      method: 'POST',
      url: `/api/v1/auth/sso/${id}/callback`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ SAMLResponse: Buffer.from(xml, 'utf8').toString('base64') }).toString(),
    })
    expect(answer.statusCode).toBe(303)
    const shown = (await result(id, started.trial.id)).body.data
    expect(shown.trial.person).toMatchObject({ subject: 'bob-1', email: 'bob@beta.example', groups: ['risk'] })
    expect(stepsOf(shown)).toEqual([
      ['answer', true],
      ['admission', false],
    ])
    expect(await traces()).toEqual(before)
  })
})
