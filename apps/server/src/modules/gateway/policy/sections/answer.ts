import Type, { type Static } from 'typebox'
import { oneOf, strictObject } from '../../../../kernel/schema/types.ts'
import { action, on, opt, reaction, ruleId, verdict } from '../../words/policy-words.ts'

export const Output = strictObject({
  enabled: opt(Type.Boolean()),
  sensitive_data: opt(action),
  secrets: opt(action),
  system_prompt_leak: opt(verdict),
  canary: opt(
    Type.Boolean({ description: 'Marks the system text, so that a leak is certain when the mark comes out.' }),
  ),
  markdown_exfiltration: opt(action),
  link_allow_domains: opt(
    Type.Array(Type.String({ pattern: '^(?:\\*\\.)?[a-z0-9.-]{1,253}$', maxLength: 255 }), {
      maxItems: 200,
      description: 'Where links and images may point; empty finds only what carries data away.',
    }),
  ),
  unsafe_code: opt(verdict),
  tool_call_arguments: opt(oneOf('inspect', 'skip')),
  json_schema: opt(oneOf('check', 'off')),
  on_invalid_json: opt(verdict),
  refusal: opt(oneOf('allow', 'flag')),
})

export const Streaming = strictObject({
  mode: opt(
    Type.Unsafe<'monitor' | 'window' | 'buffer'>({
      ...oneOf('monitor', 'window', 'buffer'),
      description:
        'Text leaves when no rule can change it any more (`window`), when all of it was looked at (`buffer`), or at once: ' +
        '`monitor` only notes what it finds, which counts as a call that failed open.',
    }),
  ),
  window_chars: opt(
    Type.Integer({ minimum: 16, maximum: 4096, description: 'Held back for patterns of this policy, in characters.' }),
  ),
  on_block: opt(oneOf('finish', 'error')),
})

export const ConditionRule = strictObject({
  id: ruleId,
  when: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'CEL over principal, call, security, route and now.',
  }),
  on: opt(on),
  action: reaction,
  message: opt(Type.String({ minLength: 1, maxLength: 300 })),
})
export type ConditionRule = Static<typeof ConditionRule>
export const ConditionRules = Type.Array(ConditionRule, { maxItems: 50 })
