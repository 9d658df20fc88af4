/** All shipped rules, and the version by which stored ones are known to be these. Tested in pack.test.ts. */
import { canonicalHash } from '../../../../kernel/crypto/canonical-json.ts'
import { directRules } from '../declared/direct.ts'
import type { PackRule } from './form.ts'
import { gatewayRules } from './gateway.ts'
import { gatewayOperationRules } from './gateway-operation.ts'
import { guardrailRules } from './guardrails.ts'
import { identityRules } from './identity.ts'
import { platformRules } from './platform.ts'

const openedByModules: readonly PackRule[] = Object.entries(directRules).map(([key, rule]) => ({
  key,
  name: rule.name,
  description: rule.description,
  category: 'platform_event',
  level: rule.level,
  tags: rule.tags,
  definition: {
    type: 'match',
    sources: [],
    group_by: [...rule.groupBy],
    window_seconds: null,
    threshold: null,
    field: null,
    correlation: null,
  },
}))

/** Rules over events. */
export const eventRules: readonly PackRule[] = [
  ...gatewayRules,
  ...gatewayOperationRules,
  ...identityRules,
  ...platformRules,
  ...guardrailRules,
]

export const pack: readonly PackRule[] = [...eventRules, ...openedByModules]

/** Changes with any change of the pack. */
export const packVersion = canonicalHash(pack).slice(0, 16)
