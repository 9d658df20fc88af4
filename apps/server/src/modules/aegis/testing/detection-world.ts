/** Events for the detection rules of a tenant, handed to their handler as the kernel does. */

import type { TestTenant, World } from '../../../../test/support/world.ts'
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'
import { createRuleCache, type RuleCache } from '../rules/detection/cache.ts'
import { detection } from '../rules/detection/handler.ts'

export interface Given {
  readonly channel: string
  readonly data: Readonly<Record<string, unknown>>
  /** Seconds after now. */
  readonly second?: number
}

let position = 1_000_000

/** One batch, in one transaction. `cache` is another instance's where it is another one. */
export async function feed(
  { kernel }: Pick<World, 'kernel'>,
  { id: tenantId }: Pick<TestTenant, 'id'>,
  given: readonly Given[],
  cache: RuleCache = createRuleCache(kernel),
): Promise<void> {
  const now = kernel.clock.now()
  const events = given.map(({ channel, data, second = 0 }): LoggedEvent => {
    position += 1
    return {
      ...{ position, id: kernel.random.uuid(), tenantId, channel, sequence: position, type: 'x', subject: 'x' },
      ...{ time: new Date(now + second * 1_000).toISOString(), traceparent: null, causationDepth: 0, data },
    }
  })
  await kernel.db.tenant({ tenantId }, (tx) => detection.handle({ tx, events, services: { detection: cache }, kernel }))
}

export const ofRule = (ruleId: string) => ({ query: { rule_id: ruleId } })
