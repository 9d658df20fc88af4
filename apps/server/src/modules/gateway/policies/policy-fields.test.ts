/**
 * Every setting of a policy does what it says: it has an effect that is absent without it. A setting that takes more
 * than a row to show is covered by the file that is named for it, which has to exist and to name the setting.
 */
import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { PolicyDocumentInput } from '../policy/document.ts'
import type { GatewayServices } from '../services.ts'
import { withProvider } from '../testing/one-provider.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { leavesOf } from '../testing/policy-leaves.ts'
import { type PolicyRow, seeing } from '../testing/policy-rows.ts'
import { answerRows } from '../testing/policy-rows-answer.ts'
import { callRows } from '../testing/policy-rows-call.ts'
import { addProvider } from '../testing/support.ts'
import { say } from '../testing/upstream.ts'

const at = withProvider('fields')
const on = seeing(at)

beforeAll(async () => {
  await addProvider(at.tenant.admin, 'claude', at.upstream, { kind: 'anthropic', models: ['claude-test'] })
})
beforeEach(() => at.upstream.reply(say('Hello.')))

const parts = () => (at.world.program.assembled.modules.servicesOf('gateway') as GatewayServices).parts

/** A step that fails once, in the middle of a call. */
const broken = (fail: () => { mockRestore(): void }): PolicyRow['see'] => {
  return async ({ ask }) => {
    const spy = fail()
    const { status, body } = await ask()
    spy.mockRestore()
    return [body.error_code ?? status, body.detail?.includes('failed') ?? false]
  }
}
const thrown = () => {
  throw new Error('out of order')
}
const failed = { with: [200, false], without: ['GW-019', true] }
/** For a call of two choices the condition cannot be evaluated. */
const undecided = { id: 'odd', when: '10 / (call.choices - 2) > 100', on: ['output'], action: 'flag' }
const oneLimit = { limits: [{ id: 'l', per: 'tenant', unit: 'requests', max: 1000, window_seconds: 60 }] }

const failureRows: readonly PolicyRow[] = [
  {
    field: 'failure.rate_and_budget',
    set: { ...oneLimit, failure: { rate_and_budget: 'open' } },
    unset: oneLimit,
    see: broken(() => vi.spyOn(at.world.kernel.limits, 'peek').mockImplementation(thrown)),
    ...failed,
  },
  {
    field: 'failure.normalization',
    set: { failure: { normalization: 'open' } },
    see: broken(() => vi.spyOn(parts().analyses, 'keep').mockImplementation(thrown)),
    ...failed,
  },
  {
    field: 'failure.injection_detection',
    set: { failure: { injection_detection: 'open' } },
    see: broken(() => vi.spyOn(parts().analyses, 'injection').mockImplementation(thrown)),
    ...failed,
  },
  {
    field: 'failure.sensitive_data',
    set: { failure: { sensitive_data: 'open' } },
    see: broken(() => vi.spyOn(parts().analyses, 'sensitive').mockImplementation(thrown)),
    ...failed,
  },
  {
    field: 'failure.content_policy',
    set: { failure: { content_policy: 'open' } },
    see: broken(() => vi.spyOn(parts().analyses, 'patterns').mockImplementation(thrown)),
    ...failed,
  },
  {
    field: 'failure.output_inspection',
    set: { rules: [undecided], failure: { output_inspection: 'open' } },
    unset: { rules: [undecided] },
    see: ({ code }) => code('Hello', { n: 2 }),
    with: 200,
    without: 'GW-019',
  },
]

const rows = [...callRows, ...answerRows, ...failureRows]

describe('a policy with', () => {
  test.each(rows.map((row) => [row.field, JSON.stringify(row.set), row] as const))(
    '%s is seen: %s',
    async (_field, _set, row) => {
      await onlyPolicy(at.tenant, row.unset ?? {})
      expect(await row.see(on)).toEqual(row.without)
      at.upstream.reply(say('Hello.'))
      await onlyPolicy(at.tenant, row.set)
      expect(await row.see(on)).toEqual(row.with)
      expect(row.with).not.toEqual(row.without)
    },
  )
})

/** Settings by the file that covers them. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  '../policies/policy-content.test.ts': [
    'normalization.decode_depth',
    'injection.families.*.enabled',
    'injection.allow_patterns',
    'injection.extra_rules[].id',
    'injection.extra_rules[].family',
    'injection.extra_rules[].pattern',
    'injection.extra_rules[].weight',
    'sensitive_data.style',
    'sensitive_data.brackets',
    'sensitive_data.entities.*.restore',
    'sensitive_data.entities.*.style',
    'sensitive_data.custom[].name',
    'sensitive_data.custom[].pattern',
    'sensitive_data.custom[].context',
    'sensitive_data.custom[].confidence',
    'sensitive_data.custom[].validator',
    'sensitive_data.allow_list[].entity',
    'sensitive_data.allow_list[].values_sha256',
    'sensitive_data.allow_list[].domains',
    'content.attachments.allow_mime',
    'content.attachments.max_bytes',
    'content.attachments.remote_urls',
    'content.system_prompt.prepend',
    'content.system_prompt.append',
    'rules[].id',
    'rules[].when',
    'rules[].action',
    'rules[].message',
  ],
  '../policies/policy-output.test.ts': [
    'output.system_prompt_leak',
    'output.canary',
    'output.markdown_exfiltration',
    'output.link_allow_domains',
    'rules[].on',
  ],
  '../endpoints/denied-redaction.test.ts': [
    'content.denied_terms[].id',
    'content.denied_terms[].terms',
    'content.denied_terms[].action',
    'content.denied_terms[].on',
    'content.denied_patterns[].id',
    'content.denied_patterns[].pattern',
    'content.denied_patterns[].action',
    'content.denied_patterns[].on',
    'streaming.window_chars',
  ],
  '../endpoints/topics.test.ts': [
    'content.topics[].id',
    'content.topics[].description',
    'content.topics[].examples',
    'content.topics[].threshold',
    'content.topics[].action',
    'content.topics[].on',
  ],
  '../endpoints/classifier.test.ts': [
    'injection.classifier.enabled',
    'injection.classifier.model',
    'injection.classifier.timeout_ms',
  ],
  '../vault/vault.test.ts': ['sensitive_data.retain_in_vault', 'sensitive_data.vault_ttl_hours'],
  '../money/limits.test.ts': [
    'limits[].id',
    'limits[].unit',
    'limits[].max',
    'limits[].window_seconds',
    'limits[].currency',
  ],
  '../cache/cache.test.ts': ['cache.scope'],
  '../cache/question/rules.test.ts': ['cache.ttl_seconds', 'cache.semantic_threshold'],
  '../endpoints/client-gone.test.ts': ['upstream.on_client_disconnect'],
  '../records/original.test.ts': ['retention.level', 'retention.payload_ttl_days'],
  '../records/intent-record.test.ts': ['audit.intent_record'],
  '../../../../test/faults/gateway-database.test.ts': ['audit.on_unavailable'],
  '../policies/policy-fields.test.ts': ['schema_version'],
}

/** The setting as a member, and its parent. */
function isNamed(field: string, text: string): boolean {
  const names = field.replaceAll('[]', '').split('.')
  const [part, name] = names.filter((one) => one !== '*').slice(-2)
  const member = new RegExp(`\\b${name ?? part}['"]?\\s*[:,}]`)
  return member.test(text) && new RegExp(`\\b${part}\\b`).test(text)
}

test('another schema than the one that is known is refused', async () => {
  const document = { schema_version: 2 }
  expect((await at.tenant.admin.post('/gateway/policies', { name: 'later', document })).status).toBe(400)
})

test('every setting has its row or the file that covers it', () => {
  const covered = Object.entries(elsewhere).flatMap(([file, fields]) => fields.map((field) => ({ file, field })))
  const textOf = (file: string): string => {
    const path = new URL(file, import.meta.url)
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }
  expect(covered.filter(({ file, field }) => !isNamed(field, textOf(file)))).toEqual([])
  const named = new Set([...rows.map(({ field }) => field), ...covered.map(({ field }) => field)])
  const leaves = leavesOf(JSON.parse(JSON.stringify(PolicyDocumentInput)))
  expect(leaves.length).toBeGreaterThan(120)
  expect(leaves.filter((leaf) => !named.has(leaf))).toEqual([])
  expect([...named].filter((field) => !leaves.includes(field))).toEqual([])
})
