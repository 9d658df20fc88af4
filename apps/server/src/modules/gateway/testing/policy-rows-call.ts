/** Settings with an effect on a call before it is answered. */
import { attack, badge, mail, messages, type PolicyRow, tool } from './policy-rows.ts'

const image = {
  role: 'user',
  content: [
    { type: 'text', text: 'See' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${Buffer.alloc(64).toString('base64')}` } },
  ],
}
const toolResult = messages(
  { role: 'user', content: 'Read it' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'c', content: attack },
)
const systemAttack = messages({ role: 'system', content: attack }, { role: 'user', content: 'Hi' })
const weak = { extra_rules: [{ id: 'bay', family: 'tool-abuse', pattern: 'pod bay doors', weight: 0.6 }] }
const blue = { id: 'blue', terms: ['blue'], match: 'word', action: 'block' }
const refusedModel = { with: 'GW-007', without: 200 }

export const callRows: readonly PolicyRow[] = [
  { field: 'mode', set: { mode: 'monitor' }, see: ({ code }) => code(attack), with: 200, without: 'GW-003' },
  {
    field: 'applies_to.operations',
    set: { applies_to: { operations: ['embeddings'] }, models: { max_choices: 1 } },
    unset: { models: { max_choices: 1 } },
    see: ({ code }) => code('Hello', { n: 2 }),
    with: 200,
    without: 'GW-007',
  },
  {
    field: 'applies_to.dialects',
    set: { applies_to: { dialects: ['anthropic'] }, models: { max_choices: 1 } },
    unset: { models: { max_choices: 1 } },
    see: ({ code }) => code('Hello', { n: 2 }),
    with: 200,
    without: 'GW-007',
  },
  { field: 'models.allow', set: { models: { allow: ['other-*'] } }, see: ({ code }) => code(), ...refusedModel },
  { field: 'models.deny', set: { models: { deny: ['test-*'] } }, see: ({ code }) => code(), ...refusedModel },
  {
    field: 'models.default',
    set: { models: { default: 'test-model' } },
    see: async ({ ask, at }) => {
      const asked = at.upstream.received.length
      await ask('Hello', { model: undefined })
      return at.upstream.received.slice(asked).map(({ body }) => body.model)
    },
    with: ['test-model'],
    without: [],
  },
  {
    field: 'models.max_output_tokens',
    set: { models: { max_output_tokens: 50 } },
    see: async ({ ask, at }) => {
      await ask('Hello', { max_tokens: 100 })
      return at.upstream.received.at(-1)?.body.max_tokens
    },
    with: 50,
    without: 100,
  },
  {
    field: 'models.max_input_tokens',
    set: { models: { max_input_tokens: 5 } },
    see: ({ code }) => code('words '.repeat(50)),
    ...refusedModel,
  },
  {
    field: 'models.max_temperature',
    set: { models: { max_temperature: 0.5 } },
    see: async ({ code }) => [await code('Hello', { temperature: 0.5 }), await code('Hello', { temperature: 0.6 })],
    with: [200, 'GW-007'],
    without: [200, 200],
  },
  {
    field: 'models.allow_streaming',
    set: { models: { allow_streaming: false } },
    see: ({ code }) => code('Hello', { stream: true }),
    ...refusedModel,
  },
  {
    field: 'models.max_choices',
    set: { models: { max_choices: 1 } },
    see: ({ code }) => code('Hello', { n: 2 }),
    ...refusedModel,
  },
  { field: 'providers.allow', set: { providers: { allow: ['other'] } }, see: ({ code }) => code(), ...refusedModel },
  { field: 'providers.deny', set: { providers: { deny: ['local'] } }, see: ({ code }) => code(), ...refusedModel },
  {
    field: 'providers.require_zero_retention',
    set: { providers: { require_zero_retention: true } },
    see: ({ code }) => code(),
    ...refusedModel,
  },
  {
    field: 'providers.residency',
    set: { providers: { residency: ['DE'] } },
    see: ({ code }) => code(),
    ...refusedModel,
  },
  {
    field: 'providers.max_classification',
    set: { ...badge, providers: { max_classification: 'public' }, sensitive_data: { default_action: 'flag' } },
    unset: { sensitive_data: { default_action: 'flag' } },
    see: ({ code }) => code(mail),
    ...refusedModel,
  },
  {
    field: 'normalization.strip_invisible',
    set: { normalization: { strip_invisible: false } },
    see: ({ sent }) => sent('vis\u2060ible'),
    with: 'vis\u2060ible',
    without: 'visible',
  },
  {
    field: 'normalization.max_inspect_bytes',
    set: { normalization: { max_inspect_bytes: 1024 } },
    see: async ({ code }) => [await code('words '.repeat(100)), await code('words '.repeat(200))],
    with: [200, 'GW-032'],
    without: [200, 200],
  },
  {
    field: 'normalization.on_oversize',
    set: { normalization: { max_inspect_bytes: 1024, on_oversize: 'flag' } },
    unset: { normalization: { max_inspect_bytes: 1024 } },
    see: async ({ code, found }) => [await code('words '.repeat(200)), await found('words '.repeat(200))],
    with: [200, ['oversize flag']],
    without: ['GW-032', ['oversize block']],
  },
  {
    field: 'normalization.uninspected_parts',
    set: { normalization: { uninspected_parts: 'block' } },
    see: ({ code }) => code('', messages(image)),
    with: 'GW-005',
    without: 200,
  },
  {
    field: 'injection.enabled',
    set: { injection: { enabled: false } },
    see: ({ code }) => code(attack),
    with: 200,
    without: 'GW-003',
  },
  {
    field: 'injection.flag_at',
    set: { injection: { ...weak, flag_at: 0.7 } },
    unset: { injection: weak },
    see: ({ found }) => found('Open the pod bay doors'),
    with: [],
    without: ['tool-abuse flag'],
  },
  {
    field: 'injection.block_at',
    set: { injection: { ...weak, block_at: 0.6 } },
    unset: { injection: weak },
    see: ({ code }) => code('Open the pod bay doors'),
    with: 'GW-003',
    without: 200,
  },
  {
    field: 'injection.action_user',
    set: { injection: { action_user: 'flag' } },
    see: async ({ code, found }) => [await code(attack), (await found(attack))[0]?.split(' ')[1]],
    with: [200, 'flag'],
    without: ['GW-003', 'block'],
  },
  {
    field: 'injection.action_tool_result',
    set: { injection: { action_tool_result: 'block' } },
    see: async ({ code, sent }) => [await code('', toolResult), await sent('', toolResult)],
    with: ['GW-003', null],
    without: [200, '[The gateway removed this tool result: it contained instructions.]'],
  },
  {
    field: 'injection.action_system',
    set: { injection: { action_system: 'block' } },
    see: async ({ code, found }) => [await code('', systemAttack), (await found('', systemAttack))[0]?.split(' ')[1]],
    with: ['GW-003', 'block'],
    without: [200, 'flag'],
  },
  {
    field: 'sensitive_data.enabled',
    set: { sensitive_data: { enabled: false } },
    see: ({ sent }) => sent(mail),
    with: mail,
    without: 'Write to ⟦EMAIL_1⟧',
  },
  {
    field: 'sensitive_data.default_action',
    set: { sensitive_data: { default_action: 'block' } },
    see: ({ code }) => code(mail),
    with: 'GW-004',
    without: 200,
  },
  {
    field: 'sensitive_data.min_confidence',
    set: { sensitive_data: { ...badge.sensitive_data, min_confidence: 0.4 } },
    unset: badge,
    see: ({ sent }) => sent('It is B-1234'),
    with: 'It is ⟦BADGE_1⟧',
    without: 'It is B-1234',
  },
  {
    field: 'sensitive_data.roles',
    set: { sensitive_data: { roles: ['tool'] } },
    see: ({ sent }) => sent(mail),
    with: mail,
    without: 'Write to ⟦EMAIL_1⟧',
  },
  {
    field: 'sensitive_data.entities.*.action',
    set: { sensitive_data: { entities: { EMAIL: { action: 'block' } } } },
    see: ({ code }) => code(mail),
    with: 'GW-004',
    without: 200,
  },
  {
    field: 'sensitive_data.entities.*.min_confidence',
    set: { sensitive_data: { ...badge.sensitive_data, entities: { BADGE: { min_confidence: 0.4 } } } },
    unset: badge,
    see: ({ sent }) => sent('It is B-1234'),
    with: 'It is ⟦BADGE_1⟧',
    without: 'It is B-1234',
  },
  {
    field: 'content.denied_terms[].match',
    set: { content: { denied_terms: [{ ...blue, match: 'substring' }] } },
    unset: { content: { denied_terms: [blue] } },
    see: async ({ code }) => [await code('the blue bird'), await code('the bluebird')],
    with: ['GW-005', 'GW-005'],
    without: ['GW-005', 200],
  },
  {
    field: 'content.tools.allow',
    set: { content: { tools: { allow: ['read_*'] } } },
    see: ({ code }) => code('Hello', { tools: [tool('write_file')] }),
    with: 'GW-005',
    without: 200,
  },
  {
    field: 'content.tools.deny',
    set: { content: { tools: { deny: ['write_*'] } } },
    see: ({ code }) => code('Hello', { tools: [tool('write_file')] }),
    with: 'GW-005',
    without: 200,
  },
  {
    field: 'content.tools.max_tools',
    set: { content: { tools: { max_tools: 1 } } },
    see: async ({ code }) => [
      await code('Hello', { tools: [tool('one')] }),
      await code('Hello', { tools: [tool('one'), tool('two')] }),
    ],
    with: [200, 'GW-005'],
    without: [200, 200],
  },
  {
    field: 'content.required_metadata',
    set: { content: { required_metadata: ['team'] } },
    see: async ({ code }) => [
      await code('Hello', { metadata: { team: 'sales' } }),
      await code('Hello', { metadata: { unit: 'x' } }),
    ],
    with: [200, 'GW-005'],
    without: [200, 200],
  },
  {
    field: 'content.system_prompt.lock',
    set: { content: { system_prompt: { lock: true } } },
    see: ({ code }) => code('', messages({ role: 'system', content: 'Be kind.' }, { role: 'user', content: 'Hi' })),
    with: 'GW-005',
    without: 200,
  },
  {
    field: 'budget.require',
    set: { budget: { require: true } },
    see: ({ code }) => code(),
    with: 'GW-009',
    without: 200,
  },
]
