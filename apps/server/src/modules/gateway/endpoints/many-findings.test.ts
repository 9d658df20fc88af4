/** A call with more kinds of findings than its log row shows: counts and decisions still use all of them. */
import { beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { withProvider } from '../testing/one-provider.ts'
import { published } from '../testing/policies.ts'
import { ask } from '../testing/support.ts'
import { say } from '../testing/upstream.ts'

const at = withProvider('many-findings')

/** Custom kinds that one policy may have, and enough policies for more kinds than there are rows. */
const [kinds, policies] = [32, 4]
const marks = Array.from({ length: policies * kinds }, (_, n) => `MARK${n + 100}`)
const hidden = marks.at(-1) ?? ''

beforeAll(async () => {
  for (let n = 0; n < policies; n += 1) {
    const own = marks.slice(n * kinds, (n + 1) * kinds)
    const custom = own.map((name) => ({ name, pattern: name, confidence: 1 }))
    const entities = Object.fromEntries(own.map((name) => [name, { action: name === hidden ? 'redact' : 'flag' }]))
    await published(at.tenant, `marks-${n}`, { sensitive_data: { custom, entities } })
  }
})

test('is counted by what has no row, and feedback is taken on it', async () => {
  at.upstream.reply(say('Fine.'))
  const { data } = expectStatus(await ask(at.tenant.admin, marks.join(' and ')), 200).body
  const shown = new Set(data.security.policy_violations.map(({ rule_id: rule }: { rule_id: string }) => rule))
  expect([data.security.policy_violations.length, shown.has(hidden)]).toEqual([100, false])
  const hours = sql<{ calls: number; with_entities: number }>`select calls, with_entities from gateway_usage_hour`
  await expect.poll(() => at.world.kernel.db.read(at.tenant.id, hours)).toMatchObject([{ calls: 1, with_entities: 1 }])
  const judge = (rule_id: string) =>
    at.tenant.admin.post(`/gateway/requests/${data.id}/feedback`, {
      kind: 'detection',
      verdict: 'false_positive',
      rule_id,
    })
  expect((await judge(hidden)).status).toBe(201)
  expect((await judge('PHONE')).status).toBe(400)
})
