import type { PolicyDocumentInput } from './document.ts'

/** Starting points for a policy; `baseline` is what every new tenant is given. */
export const policyTemplates = {
  baseline: {},
  strict: {
    injection: { flag_at: 0.4, block_at: 0.7, action_tool_result: 'block', action_system: 'block' },
    sensitive_data: {
      entities: { CREDIT_CARD: { action: 'block' }, SECRET: { action: 'block' }, IBAN: { action: 'block' } },
    },
    normalization: { uninspected_parts: 'block' },
    output: { sensitive_data: 'block', secrets: 'block' },
    cache: { mode: 'off' },
    retention: { level: 'metadata' },
  },
  'monitor-only': { mode: 'monitor' },
} as const satisfies Record<string, PolicyDocumentInput>

export type PolicyTemplate = keyof typeof policyTemplates
export const policyTemplateNames = ['baseline', 'strict', 'monitor-only'] as const satisfies readonly PolicyTemplate[]
