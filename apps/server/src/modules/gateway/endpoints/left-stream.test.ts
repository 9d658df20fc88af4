/** Record of a stream whose reader has left: all findings in the text delivered by then. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import type { Actor } from '../../../kernel/access/actor.ts'
import { everyPermission } from '../../../kernel/access/permissions.ts'
import { StreamAnswer } from '../../../kernel/module/route.ts'
import { answerCall, type CallInput } from '../answering/run-call.ts'
import { askedOfChat } from '../dialects/parapet/read.ts'
import { parapetWriter } from '../dialects/parapet/writer.ts'
import type { GatewayServices } from '../services.ts'
import { eventually } from '../testing/money.ts'
import { withProvider } from '../testing/one-provider.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { streamed } from '../testing/upstream.ts'

const at = withProvider('left')
const mail = 'ann@example.org'
// Longer than the text held back to detect the beginning of a link, and shorter than the piece searched at once for
// flags.
const words = `Write to ${mail}. ${'And then some more of it. '.repeat(12)}`

let services: GatewayServices
let userId: string

beforeAll(async () => {
  services = at.world.program.assembled.modules.servicesOf('gateway') as GatewayServices
  userId = expectStatus(await at.tenant.admin.get('/auth/me'), 200).body.data.user.id
})

beforeEach(() => at.upstream.reply(streamed([words], { open: true })))

function input(): CallInput {
  const { id: tenantId } = at.tenant
  const actor: Actor = {
    ...{ kind: 'user', userId, tenantId, homeTenantId: tenantId, role: 'tenant_admin', roles: ['tenant_admin'] },
    ...{ permissions: everyPermission, operator: false, sessionId: null, keyId: null, authTime: null, amr: [] },
    ...{ rateLimitPerMinute: null, tenantRequestsPerMinute: null, tenantStatus: 'active' },
  }
  const info = {
    ...{ id: 'req_left', path: '/', ip: '127.0.0.1', userAgent: null, signal: new AbortController().signal },
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    header: () => undefined,
  }
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  return { actor, info, asked: askedOfChat({ model: 'test-model', messages, stream: true, cache: { mode: 'off' } }) }
}

const closed = async () =>
  (await at.tenant.admin.get('/gateway/requests', { query: { status: 'client_closed' } })).body.data

/** The record of a call whose reader disconnects after receiving the address. */
async function leftAtTheAddress() {
  const before = (await closed()).length
  const answer = await answerCall(services, input(), parapetWriter({ timings: false }))
  if (!(answer instanceof StreamAnswer)) throw new Error('it was asked for a stream')
  const frames = answer.chunks[Symbol.asyncIterator]()
  let given = ''
  while (!given.includes(mail)) given += (await frames.next()).value
  await frames.return?.()
  const rows = await eventually(closed, (found: { id: string }[]) => found.length > before)
  return (await at.tenant.admin.get(`/gateway/requests/${rows[0]?.id}`)).body.data
}

const foundIn = ({ security }: { security: { policy_violations: Record<string, string>[] } }) =>
  security.policy_violations.map(({ rule_id: rule, action, step }) => ({ rule, action, step }))

describe('of what a client was given before it left', () => {
  test('what the policy lets through and tells of is told', async () => {
    await onlyPolicy(at.tenant, { sensitive_data: { entities: { EMAIL: { action: 'flag' } } } })
    const row = await leftAtTheAddress()
    expect(row).toMatchObject({ status: 'client_closed', decision: 'flagged', entities: { EMAIL: 1 } })
    expect(row.security.pii_detected).toBe(true)
    expect(foundIn(row)).toEqual([{ rule: 'EMAIL', action: 'flag', step: 'output_inspection' }])
  })

  test('so is what would have been hidden, where the policy only watches streams', async () => {
    const denied_terms = [{ id: 'more', terms: ['more of it'], match: 'word', action: 'block', on: ['output'] }]
    await onlyPolicy(at.tenant, { streaming: { mode: 'monitor' }, content: { denied_terms } })
    const row = await leftAtTheAddress()
    expect(row).toMatchObject({ status: 'client_closed', decision: 'flagged', entities: { EMAIL: 1 } })
    expect(foundIn(row)).toContainEqual({ rule: 'more', action: 'would_block', step: 'output_inspection' })
  })
})
