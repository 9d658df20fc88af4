/** Held tool calls, from the question to the one call that uses the answer. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { activeAgent } from '../testing/agents-world.ts'
import { argsDigest } from './binding.ts'
import { expireApprovals } from './expiry.ts'
import { redeemApproval } from './redeem.ts'
import { type HeldCall, requestApproval } from './request.ts'
import type { ApprovalRow } from './schema.ts'
import { awaitApproval } from './wait.ts'

let world: World
let tenant: TestTenant
let agentId: string
let approver: TestClient
let second: TestClient

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('approvals')
  agentId = (await activeAgent(world, tenant)).id
  approver = await tenant.as('security_admin')
  second = await tenant.as('tenant_admin')
})
afterAll(() => world?.close())

const guardrails = [{ guardrailId: '0190c5b0-0000-7000-8000-000000000001', version: 1 }]
let calls = 0

function call(over: Partial<HeldCall> = {}): HeldCall {
  calls += 1
  return {
    ...{ agentId, userId: null, sessionId: null, server: 'bank', tool: `wire-${calls}`, args: { to: 'x', sum: 5 } },
    ...{ guardrails, pinSha256: null, labels: ['untrusted'], riskTier: 1, destructive: false },
    ...{ approverRoles: [], minApprovers: 1, timeoutSeconds: 600, waitForm: 'retry', ...over },
  }
}

const ask = (held: HeldCall) =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => requestApproval(world, tx, held))

const redeem = (approval: ApprovalRow, held: HeldCall) =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
    redeemApproval(world, tx, { approvalId: approval.id, call: { ...held, argsSha256: argsDigest(held.args) } }),
  )

const decide = (client: TestClient, { id, args_sha256 }: ApprovalRow, decision = 'approve', over: object = {}) =>
  client.post(`/aegis/approvals/${id}/decision`, { decision, args_sha256, ...over })

const eventsOf = (id: string) =>
  world.kernel.db.system('test', (tx) =>
    tx.query(sql<{ channel: string; data: { decision?: string } }>`
      select channel, data from event_log where tenant_id = ${tenant.id} and subject = ${id} order by position`),
  )

test('a held call is asked about once, approved by a person, and made once', async () => {
  const held = call({ args: { to: 'anna.smith@example.com', sum: 5 } })
  const { approval, created } = await ask(held)
  expect([created, approval.status, approval.required_approvals]).toEqual([true, 'pending', 1])
  const again = await ask({ ...held, args: { sum: 5, to: 'anna.smith@example.com' } })
  expect([again.created, again.approval.id]).toEqual([false, approval.id])
  expect(await redeem(approval, held)).toBe(false)
  const [listed] = expectStatus(
    await approver.get('/aegis/approvals', { query: { approver: 'me', q: held.tool } }),
    200,
  ).body.data
  expect(listed).toMatchObject({ id: approval.id, tool: held.tool, args_sha256: argsDigest(held.args) })
  expect(listed.args_preview).not.toContain('anna.smith')
  const decided = expectStatus(await decide(approver, approval), 200).body.data
  expect(decided).toMatchObject({ status: 'approved', decisions: [{ decision: 'approve' }] })
  expect((await ask(held)).approval).toMatchObject({ id: approval.id, status: 'approved' })
  const made = await Promise.all(Array.from({ length: 100 }, () => redeem(approval, held)))
  expect(made.filter(Boolean)).toHaveLength(1)
  expect((await ask(held)).created).toBe(true)
  await expect
    .poll(async () => (await eventsOf(approval.id)).map(({ channel, data }) => [channel, data.decision]), {
      timeout: 30_000,
    })
    .toEqual([
      ['aegis.approval.requested', undefined],
      ['aegis.approval.decided', 'approved'],
    ])
})

test('a changed byte is another question, and an approval is good for nothing else', async () => {
  const held = call()
  const { approval } = await ask(held)
  const other = { ...held, args: { to: 'y', sum: 5 } }
  expect((await ask(other)).approval.id).not.toBe(approval.id)
  expect((await ask({ ...held, guardrails: [{ ...guardrails[0], version: 2 }] as never })).created).toBe(true)
  expectStatus(await decide(approver, approval), 200)
  for (const changed of [
    other,
    { ...held, tool: 'wire-other' },
    { ...held, pinSha256: 'a'.repeat(64) },
    { ...held, userId: agentId },
  ])
    expect(await redeem(approval, changed)).toBe(false)
  expect(await redeem(approval, held)).toBe(true)
})

test('who may not decide is told so, and what is decided stays', async () => {
  const me = expectStatus(await approver.get('/auth/me'), 200).body.data.user.id
  const { approval } = await ask(call({ userId: me }))
  const own = await decide(approver, approval)
  expect([own.status, own.body.error_code]).toEqual([403, 'AEGIS-009'])
  const { approval: ofRole } = await ask(call({ approverRoles: ['compliance_officer'] }))
  expect((await decide(approver, ofRole)).body).toMatchObject({ error_code: 'AEGIS-009', detail: /compliance_officer/ })
  const mine = (await approver.get('/aegis/approvals', { query: { approver: 'me', limit: '100' } })).body.data
  expect(mine.map(({ id }: { id: string }) => id)).not.toContain(approval.id)
  expect(mine.map(({ id }: { id: string }) => id)).not.toContain(ofRole.id)
  const wrong = await decide(second, approval, 'approve', { args_sha256: 'a'.repeat(64) })
  expect([wrong.status, wrong.body.errors?.[0]?.pointer]).toEqual([400, '/args_sha256'])
  expectStatus(await decide(second, approval, 'deny', { comment: 'Not to this address' }), 200)
  const late = await decide(second, approval)
  expect([late.status, late.body.error_code]).toEqual([409, 'AEGIS-010'])
})

test('a denial stands for as long as the question was open', async () => {
  const held = call()
  const { approval } = await ask(held)
  expectStatus(await decide(approver, approval, 'deny'), 200)
  const again = await ask(held)
  expect([again.created, again.approval.status]).toEqual([false, 'denied'])
  expect(await redeem(approval, held)).toBe(false)
})

test('two people decide about tier 4, and one of them is not two', async () => {
  const { approval } = await ask(call({ riskTier: 4 }))
  expect(expectStatus(await decide(approver, approval), 200).body.data).toMatchObject({ status: 'pending' })
  expect((await decide(approver, approval)).body.error_code).toBe('AEGIS-009')
  expect(expectStatus(await decide(second, approval), 200).body.data).toMatchObject({ status: 'approved' })
})

test('an approval ends with its time, as does the right to use it', async () => {
  const held = call()
  const { approval } = await ask(held)
  const past = (id: string) =>
    world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.execute(sql`update aegis_approval set due_at = now() - interval '1 second', expires_at = now() - interval '1 second',
        usable_until = case when usable_until is null then null else now() - interval '1 second' end where id = ${id}`),
    )
  await past(approval.id)
  expect((await decide(approver, approval)).body.error_code).toBe('AEGIS-010')
  await expireApprovals.run({ tenantId: tenant.id, kernel: world.kernel } as never)
  const read = async (id: string) =>
    (
      await world.kernel.db.read(tenant.id, sql<{ status: string }>`select status from aegis_approval where id = ${id}`)
    )[0]?.status
  expect(await read(approval.id)).toBe('expired')
  const next = await ask(held)
  expect(next.created).toBe(true)
  expectStatus(await decide(approver, next.approval), 200)
  await past(next.approval.id)
  expect(await redeem(next.approval, held)).toBe(false)
  await expireApprovals.run({ tenantId: tenant.id, kernel: world.kernel } as never)
  expect(await read(next.approval.id)).toBe('expired')
})

test('who waits for a decision hears of it, and of the end of their patience', async () => {
  const { approval } = await ask(call())
  const wait = (timeoutMs: number) =>
    awaitApproval(world.kernel, { tenantId: tenant.id, approvalId: approval.id, timeoutMs })
  expect((await wait(1))?.status).toBe('pending')
  const waiting = wait(60_000)
  expectStatus(await decide(approver, approval), 200)
  expect((await waiting)?.status).toBe('approved')
})

test('a hard kill switch of the agent expires what waits for it', async () => {
  const { approval } = await ask(call())
  const body = { scope: 'agent', value: agentId, level: 'hard', reason: 'an exercise of the incident team' }
  const made = expectStatus(await tenant.admin.post('/aegis/kill-switches', body), 201).body.data
  expect(made).toMatchObject({ source: 'aegis', status: 'active', propagation: { nodes_acked: 1 } })
  expect((await decide(approver, approval)).body.error_code).toBe('AEGIS-010')
  expectStatus(await tenant.admin.post(`/aegis/kill-switches/${made.id}/deactivate`, { reason: body.reason }), 200)
})
