import type { PolicyDocumentInput } from './document.ts'

/** Identifiers of a person that no answer needs in full. */
const identities = {
  US_SSN: { action: 'block' },
  NATIONAL_ID: { action: 'block' },
  PASSPORT: { action: 'redact' },
  DRIVING_LICENSE: { action: 'redact' },
} as const

/** Starting points for a policy; every new tenant gets `baseline`. Tested in policy-lifecycle.test.ts. */
export const policyTemplates = {
  baseline: {},
  strict: {
    injection: { flag_at: 0.4, block_at: 0.7, action_tool_result: 'block', action_system: 'block' },
    sensitive_data: {
      entities: { CREDIT_CARD: { action: 'block' }, SECRET: { action: 'block' }, IBAN: { action: 'block' } },
    },
    normalization: { uninspected_parts: 'block' },
    output: { sensitive_data: 'block', secrets: 'block', markdown_exfiltration: 'block', unsafe_code: 'flag' },
    cache: { mode: 'off' },
    retention: { level: 'metadata' },
  },
  /**
   * Identifiers listed in HIPAA's Safe Harbor (45 CFR 164.514(b)(2)) do not leave, including names, dates of birth and
   * addresses. Those are hard to tell from ordinary words and are therefore redacted at a lower confidence. Providers
   * must have zero retention.
   */
  healthcare: {
    providers: { require_zero_retention: true },
    sensitive_data: {
      min_confidence: 0.5,
      entities: {
        ...identities,
        PERSON: { action: 'redact', min_confidence: 0.6 },
        ADDRESS: { action: 'redact' },
        IP_ADDRESS: { action: 'redact' },
        MAC_ADDRESS: { action: 'redact' },
        COORDINATES: { action: 'redact' },
        MEDICAL_RECORD: { action: 'redact' },
        HEALTH_INSURANCE: { action: 'redact' },
        SECRET: { action: 'block' },
      },
    },
    normalization: { uninspected_parts: 'block' },
    output: { sensitive_data: 'redact', secrets: 'block' },
    cache: { scope: 'user' },
    retention: { level: 'metadata' },
  },
  /**
   * Card numbers never leave (PCI DSS 4.0, 3.4 and 3.5); accounts and tax numbers leave hidden; tools and models get no
   * identities. Answers keep nothing of either.
   */
  finance: {
    sensitive_data: {
      entities: {
        ...identities,
        CREDIT_CARD: { action: 'block', restore: false },
        IBAN: { action: 'redact' },
        BIC: { action: 'redact' },
        TAX_ID: { action: 'redact' },
        US_EIN: { action: 'redact' },
        CRYPTO: { action: 'redact' },
        SECRET: { action: 'block' },
      },
    },
    injection: { block_at: 0.7, action_tool_result: 'block' },
    output: { sensitive_data: 'redact', secrets: 'block', markdown_exfiltration: 'block', unsafe_code: 'flag' },
    cache: { scope: 'user', ttl_seconds: 300 },
    retention: { payload_ttl_days: 7 },
  },
  'monitor-only': { mode: 'monitor' },
} as const satisfies Record<string, PolicyDocumentInput>

export type PolicyTemplate = keyof typeof policyTemplates
export const policyTemplateNames = [
  'baseline',
  'strict',
  'healthcare',
  'finance',
  'monitor-only',
] as const satisfies readonly PolicyTemplate[]
