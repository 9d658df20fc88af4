import { createPublicKey, verify } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { accept, expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { IamServices } from '../services/iam-services.ts'
import { closeDueReviews } from './close.ts'
import { recommend } from './recommend.ts'
import { type ItemRow, reviewItems } from './tables.ts'

let world: World
let tenant: TestTenant
let admin: TestClient
let roleIds: Readonly<Record<string, string>>

interface Person {
  readonly id: string
  readonly client: TestClient
}
let boss: Person
let made = 0

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('alpha')
  admin = tenant.admin
  const roles: readonly { id: string; name: string }[] = expectStatus(await admin.get('/iam/roles'), 200).body.data
  roleIds = Object.fromEntries(roles.map(({ id, name }) => [name, id]))
  boss = await person(['viewer'])
})
afterAll(() => world.close())

async function person(roles: readonly string[], manager?: string): Promise<Person> {
  made += 1
  const email = `p${made}@${tenant.slug}.example`
  const body = {
    email,
    role_ids: roles.map((name) => roleIds[name]),
    ...(manager === undefined ? {} : { manager_id: manager }),
  }
  const user = expectStatus(await admin.post('/iam/users', body), 201).body.data
  await accept(world.stranger, user.invitation_url)
  return { id: user.id, client: await world.signIn(email, tenant.id) }
}

const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

async function review(more: object = {}): Promise<TestAnswer['body']> {
  const body = { name: 'Quarter', reviewer_rule: 'manager', due_at: later(7), on_no_answer: 'keep', ...more }
  return expectStatus(await admin.post('/iam/access-reviews', body), 201).body.data
}

const itemsOf = async (id: string, client = admin): Promise<readonly TestAnswer['body'][]> =>
  expectStatus(await client.get(`/iam/access-reviews/${id}`, { query: { limit: '200' } }), 200).body.data.items
const patch = (id: string, body: unknown, client = admin) => client.patch(`/iam/access-reviews/${id}`, body)
const code = (answer: TestAnswer) => [answer.status, answer.body.error_code]
const rolesOf = async (id: string): Promise<readonly string[]> =>
  expectStatus(await admin.get(`/iam/users/${id}`), 200).body.data.role_ids

describe('a review', () => {
  it('takes down who has what, for whom to decide, with a recommendation', async () => {
    const report = await person(['viewer', 'auditor'], boss.id)
    const key = expectStatus(await report.client.post('/iam/api-keys', { name: 'Mine', scopes: ['trust:read'] }), 201)
      .body.data
    const { id, counts } = await review({ scope: { include_api_keys: true } })
    const items = await itemsOf(id)
    expect(counts).toEqual({ items: items.length, undecided: items.length, kept: 0, revoked: 0 })
    const theirs = items.filter((item) => item.user_id === report.id)
    expect(theirs.map((item) => [item.subject.type, item.grant.name, item.reviewer_id])).toEqual(
      expect.arrayContaining([
        ['user', 'viewer', boss.id],
        ['user', 'auditor', boss.id],
        ['api_key', 'Mine', boss.id],
      ]),
    )
    expect(theirs.find((item) => item.subject.id === key.id)).toMatchObject({
      recommendation: 'keep',
      recommended_because: 'recently_granted',
    })
    // Only their own items are shown to reviewers, and none to others.
    expect((await itemsOf(id, boss.client)).every((item) => item.reviewer_id === boss.id)).toBe(true)
    expect(code(await report.client.get(`/iam/access-reviews/${id}`))).toEqual([200, undefined])
    expect(code(await (await tenant.as('ai_engineer')).get(`/iam/access-reviews/${id}`))).toEqual([404, 'API-013'])
    const other = await world.tenant('beta')
    expect(code(await other.admin.get(`/iam/access-reviews/${id}`))).toEqual([404, 'API-013'])
  })

  it('pages its items, each once, and takes no cursor it did not give', async () => {
    const { id, counts } = await review()
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: Record<string, string> = { limit: '2', ...(cursor === null ? {} : { cursor }) }
      const answer = expectStatus(await admin.get(`/iam/access-reviews/${id}`, { query }), 200)
      seen.push(...answer.body.data.items.map((item: { id: string }) => item.id))
      cursor = answer.body.meta.pagination.cursor
      expect(answer.body.meta.pagination.total_count).toBe(counts.items)
    } while (cursor !== null)
    expect([new Set(seen).size, seen.length]).toEqual([counts.items, counts.items])
    expect(code(await admin.get(`/iam/access-reviews/${id}`, { query: { cursor: `${seen[0]}.x` } }))).toEqual([
      400,
      'API-003',
    ])
  })

  it('is decided by its reviewers, and what they revoke is gone at once', async () => {
    const report = await person(['viewer', 'auditor'], boss.id)
    const key = expectStatus(await report.client.post('/iam/api-keys', { name: 'Mine', scopes: ['trust:read'] }), 201)
      .body.data
    const { id } = await review({ scope: { include_api_keys: true } })
    const mine = (await itemsOf(id, boss.client)).filter((item) => item.user_id === report.id)
    const item = (name: string) => mine.find((one) => one.grant.name === name)?.id
    const answer = await patch(
      id,
      {
        decisions: [
          { item_id: item('auditor'), decision: 'revoke', reason: 'left the audit team' },
          { item_id: item('Mine'), decision: 'revoke' },
          { item_id: item('viewer'), decision: 'keep' },
        ],
      },
      boss.client,
    )
    expect(expectStatus(answer, 200).body.data.applied).toEqual({ decided: 3, revoked: 2, reassigned: 0 })
    expect(await rolesOf(report.id)).toEqual([roleIds.viewer])
    expect((await report.client.with(key.secret).get('/auth/me')).status).toBe(401)
    expect((await report.client.get('/iam/users')).status).toBe(403)
    // A revoked access is not decided again.
    expect(code(await patch(id, { decisions: [{ item_id: item('auditor'), decision: 'keep' }] }, boss.client))).toEqual(
      [409, 'IAM-015'],
    )
  })

  it('C14 is not decided by somebody else, about oneself, or beyond the rights of who opened it', async () => {
    const report = await person(['viewer'], boss.id)
    const { id } = await review()
    const items = await itemsOf(id)
    const about = (userId: string) => items.find((item) => item.user_id === userId)?.id
    const decide = (client: TestClient, item_id: string, decision = 'revoke') =>
      patch(id, { decisions: [{ item_id, decision }] }, client)
    const stranger = await person(['viewer'])
    expect(code(await decide(stranger.client, about(report.id)))).toEqual([404, 'API-013'])
    const me = expectStatus(await admin.get('/auth/me'), 200).body.data.user.id
    expect(code(await decide(admin, about(me), 'keep'))).toEqual([403, 'IAM-016'])
    expect(code(await patch(id, { reassign: [{ item_id: about(report.id), reviewer_id: report.id }] }))).toEqual([
      403,
      'IAM-016',
    ])
    for (const body of [
      { reassign: [{ item_id: about(report.id), reviewer_id: boss.id }] },
      { status: 'closed' },
      { status: 'cancelled' },
      { name: 'x' },
    ])
      expect(code(await patch(id, body, boss.client))).toEqual([403, 'AUTH-004'])
    // A self-named reviewer is replaced for their own access.
    const named = await review({ reviewer_rule: `user:${boss.id}` })
    expect((await itemsOf(named.id)).find((item) => item.user_id === boss.id).reviewer_id).toBe(me)
    // The opener is demoted: their review can no longer revoke anything.
    const second = await person(['tenant_admin'])
    const theirs = expectStatus(
      await second.client.post('/iam/access-reviews', {
        name: 'x',
        reviewer_rule: 'manager',
        due_at: later(1),
        on_no_answer: 'keep',
      }),
      201,
    ).body.data
    const item = (await itemsOf(theirs.id)).find((one) => one.user_id === report.id).id
    expectStatus(await admin.patch(`/iam/users/${second.id}`, { role_ids: [roleIds.ai_engineer] }), 200)
    expect(code(await patch(theirs.id, { decisions: [{ item_id: item, decision: 'revoke' }] }, boss.client))).toEqual([
      403,
      'IAM-003',
    ])
    expect(await rolesOf(report.id)).toEqual([roleIds.viewer])
  })

  it('is handed over, and then is the new reviewer’s', async () => {
    const report = await person(['viewer'], boss.id)
    const deputy = await person(['viewer'])
    const { id } = await review()
    const item_id = (await itemsOf(id)).find((item) => item.user_id === report.id).id
    expectStatus(await patch(id, { reassign: [{ item_id, reviewer_id: deputy.id }] }), 200)
    expect(
      expectStatus(await patch(id, { decisions: [{ item_id, decision: 'keep' }] }, deputy.client), 200).body.data
        .applied.decided,
    ).toBe(1)
  })

  it('is closed with a result whose digest and signature hold', async () => {
    const report = await person(['viewer', 'auditor'], boss.id)
    const { id } = await review({ scope: { role_ids: [roleIds.auditor] }, on_no_answer: 'revoke' })
    const closed = expectStatus(await patch(id, { status: 'closed' }), 200).body.data
    expect(closed).toMatchObject({
      status: 'closed',
      counts: { undecided: 0 },
      result_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await rolesOf(report.id)).toEqual([roleIds.viewer])
    const items = await world.kernel.db.read(
      tenant.id,
      sql<ItemRow>`
      select ${reviewItems.columns} from iam_access_review_item where review_id = ${id} order by id`,
    )
    const { name, scope, opened_by, created_at, closed_at } = closed
    expect(
      canonicalHash({ tenant_id: tenant.id, review_id: id, name, scope, opened_by, created_at, closed_at, items }),
    ).toBe(closed.result_digest)
    const jwk = world.kernel.signingKeys.jwks('checkpoint').keys.find(({ kid }) => kid === closed.result_kid)
    const key = createPublicKey({ format: 'jwk', key: { ...jwk } })
    const signed = Buffer.from(`parapet/access-review\n${closed.result_digest}`)
    expect(verify(null, signed, key, Buffer.from(closed.result_signature, 'base64url'))).toBe(true)
    for (const body of [
      { status: 'cancelled' },
      { status: 'closed' },
      { decisions: [{ item_id: items[0]?.id, decision: 'keep' }] },
    ])
      expect(code(await patch(id, body))).toEqual([409, 'IAM-015'])
    const events = await world.kernel.db.system('test', (tx) =>
      tx.query(sql<{ channel: string }>`
      select channel from outbox where subject = ${`access-review/${id}`}
      union select channel from event_log where subject = ${`access-review/${id}`} order by channel`),
    )
    expect(events.map(({ channel }) => channel)).toEqual(['iam.access_review.closed', 'iam.access_review.opened'])
  })

  it('that is due is closed with the answer that was set, but for the last administrator', async () => {
    const lone = await world.tenant('delta')
    const open = async (on_no_answer: string) =>
      expectStatus(
        await lone.admin.post('/iam/access-reviews', {
          name: 'x',
          reviewer_rule: 'manager',
          due_at: later(1),
          on_no_answer,
        }),
        201,
      ).body.data.id
    const viewer = await lone.as('viewer')
    const [first, second] = [await open('suspend'), await open('revoke')]
    const services = world.program.assembled.modules.servicesOf('iam') as IamServices
    const at = Date.now() + 2 * 86_400_000
    const clock = { ...world.kernel.clock, now: () => at, iso: () => new Date(at).toISOString() }
    const run = () =>
      closeDueReviews(
        { ...services, kernel: { ...services.kernel, clock } },
        { tenantId: lone.id },
        new AbortController().signal,
      )
    await run()
    await run()
    const seen = expectStatus(await lone.admin.get(`/iam/access-reviews/${first}`), 200).body.data
    expect(seen.status).toBe('closed')
    expect(
      seen.items.map((item: { grant: { name: string }; outcome: string }) => [item.grant.name, item.outcome]).sort(),
    ).toEqual([
      ['tenant_admin', 'refused'],
      ['viewer', 'suspended'],
    ])
    expect((await viewer.get('/auth/me')).status).toBe(401)
    const rest = expectStatus(await lone.admin.get(`/iam/access-reviews/${second}`), 200).body.data.items
    expect(rest.map((item: { outcome: string }) => item.outcome).sort()).toEqual(['refused', 'revoked'])
  })
})

it('recommends by the last use', () => {
  const day = (n: number) => new Date(n * 86_400_000).toISOString()
  const now = 1_000 * 86_400_000
  const because = (live: boolean, granted: number, used: number | null) =>
    recommend({ live, grantedAt: day(granted), lastUsedAt: used === null ? null : day(used) }, now).recommended_because
  expect([
    because(false, 999, 999),
    because(true, 0, 999),
    because(true, 0, 910),
    because(true, 0, 909),
    because(true, 999, null),
    because(true, 909, null),
  ]).toEqual(['not_active', 'recently_used', 'recently_used', 'unused_90_days', 'recently_granted', 'never_used'])
})

/** A review as its users see it: a state, and a decision per item. */
interface Model {
  status: 'open' | 'closed' | 'cancelled'
  readonly decided: Map<string, 'keep' | 'revoke'>
}

it('goes only where its model goes, whatever is asked of it in whatever order', async () => {
  const commands = fc.array(
    fc.oneof(
      fc.record({
        kind: fc.constant('decide' as const),
        item: fc.nat(2),
        decision: fc.constantFrom('keep' as const, 'revoke' as const),
      }),
      fc.record({ kind: fc.constantFrom('closed' as const, 'cancelled' as const, 'rename' as const) }),
    ),
    { minLength: 3, maxLength: 10 },
  )
  const subject = await person(['viewer'])
  await fc.assert(
    fc.asyncProperty(commands, async (list) => {
      expectStatus(
        await admin.patch(`/iam/users/${subject.id}`, {
          role_ids: ['viewer', 'auditor', 'ai_engineer'].map((name) => roleIds[name]),
        }),
        200,
      )
      const { id } = await review({ on_no_answer: 'keep' })
      const mine = (await itemsOf(id)).filter((item) => item.user_id === subject.id)
      const model: Model = { status: 'open', decided: new Map() }
      for (const command of list) {
        const item = command.kind === 'decide' ? mine[command.item]?.id : ''
        const body =
          command.kind === 'decide'
            ? { decisions: [{ item_id: item, decision: command.decision }] }
            : command.kind === 'rename'
              ? { name: 'Other' }
              : { status: command.kind }
        const allowed = model.status === 'open' && !(command.kind === 'decide' && model.decided.get(item) === 'revoke')
        expect([command, (await patch(id, body)).status]).toEqual([command, allowed ? 200 : 409])
        if (!allowed) continue
        if (command.kind === 'decide') model.decided.set(item, command.decision)
        else if (command.kind !== 'rename') model.status = command.kind
      }
      const left = mine.filter((item) => model.decided.get(item.id) !== 'revoke').map((item) => item.grant.role_id)
      expect(new Set(await rolesOf(subject.id))).toEqual(new Set(left))
      expect((await admin.get(`/iam/access-reviews/${id}`)).body.data.status).toBe(model.status)
    }),
    { numRuns: 8 },
  )
})
