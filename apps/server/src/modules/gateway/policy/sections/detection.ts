import { families } from '@parapet/detect'
import Type, { type Static } from 'typebox'
import { oneOf, strictObject } from '../../../../kernel/schema/types.ts'
import { action, opt, pattern, probability, ruleId, verdict } from '../../words/policy-words.ts'
import { AllowedValues, bracketPairs, CustomEntity, EntityRules, styles } from './entities.ts'

export const Normalization = strictObject({
  strip_invisible: opt(Type.Boolean()),
  max_inspect_bytes: opt(Type.Integer({ minimum: 1024, maximum: 10_485_760 })),
  on_oversize: opt(oneOf('flag', 'block')),
  uninspected_parts: opt(verdict),
  decode_depth: opt(
    Type.Integer({
      minimum: 0,
      maximum: 3,
      description:
        'Encodings within encodings that are undone before instructions are looked for; deeper ones are flagged.',
    }),
  ),
})

const familySwitch = opt(strictObject({ enabled: opt(Type.Boolean()) }))

export const InjectionRule = strictObject({
  id: ruleId,
  family: oneOf(...families),
  pattern,
  weight: Type.Number({ minimum: 0, maximum: 1, description: 'The score a text with a match has at least.' }),
})
export type InjectionRule = Static<typeof InjectionRule>

/** Of an outside classifier, as the operator names it. */
export const ClassifierName = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,62}$', maxLength: 63 })

const Classifier = strictObject({
  enabled: opt(
    Type.Boolean({ description: 'Whether an outside classifier is asked too. It can raise a score, never lower it.' }),
  ),
  model: opt(ClassifierName),
  timeout_ms: opt(
    Type.Integer({
      minimum: 5,
      maximum: 10_000,
      description: 'For all texts of a call. Without an answer `failure.injection_detection` says what happens.',
    }),
  ),
})

export const Injection = strictObject({
  enabled: opt(Type.Boolean()),
  flag_at: opt(probability),
  block_at: opt(probability),
  action_user: opt(verdict),
  action_tool_result: opt(action),
  action_system: opt(verdict),
  families: opt(strictObject(Object.fromEntries(families.map((family) => [family, familySwitch])))),
  classifier: opt(Classifier),
  allow_patterns: opt(
    Type.Array(pattern, { maxItems: 50, description: 'What matches is not looked at: phrases known to be harmless.' }),
  ),
  extra_rules: opt(Type.Array(InjectionRule, { maxItems: 50 })),
})

export const SensitiveData = strictObject({
  enabled: opt(Type.Boolean()),
  default_action: opt(action),
  min_confidence: opt(probability),
  style: opt(oneOf(...styles)),
  brackets: opt(oneOf(...bracketPairs)),
  restore: opt(Type.Boolean()),
  retain_in_vault: opt(Type.Boolean({ description: 'Keeps redacted values, encrypted, for a later reveal.' })),
  vault_ttl_hours: opt(Type.Integer({ minimum: 1, maximum: 720 })),
  roles: opt(Type.Array(oneOf('system', 'user', 'assistant', 'tool'), { maxItems: 4 })),
  entities: opt(EntityRules),
  custom: opt(Type.Array(CustomEntity, { maxItems: 32 })),
  allow_list: opt(Type.Array(AllowedValues, { maxItems: 50 })),
})
