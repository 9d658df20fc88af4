import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { tellScores } from './tell.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('compliance-scores')
})
afterAll(() => world?.close())

interface Changed {
  readonly framework_key: string
  readonly score: number
  readonly previous: number | null
  readonly cause: { readonly kind: string; readonly id: string }
}

const told = () =>
  world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) =>
    (
      await tx.query(sql<{ data: Changed }>`
        select data from outbox where channel = 'compliance.score.changed'
        union all select data from event_log where channel = 'compliance.score.changed'`)
    ).map(({ data }) => data),
  )

test('a control that is linked to evidence moves the score, which is told with its cause', async () => {
  const [control] = expectStatus(await tenant.admin.get('/compliance/controls?ref=LLM07:2025'), 200).body.data
  const file = { name: 'policy.txt', content: Buffer.from('Prompts are reviewed.').toString('base64') }
  const body = { kind: 'document', title: 'Review', file, claims: [{ control_id: control.id }] }
  expectStatus(await tenant.admin.post('/compliance/evidence', body), 201)
  await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
    tx.execute(sql`update compliance_control set result = 'satisfied' where id = ${control.id}`),
  )
  const isTold = async () => (await told()).some((one) => one.framework_key === 'owasp-llm-2025' && one.score > 0)
  await expect.poll(isTold, { timeout: 30_000 }).toBe(true)
})

test('a score that did not move is told once', async () => {
  const again = () =>
    world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tellScores(tx, { cause: { kind: 'check', id: 'x' }, atMs: world.kernel.clock.now() }),
    )
  await again()
  const before = (await told()).length
  await again()
  expect(await told()).toHaveLength(before)
})
