import type { Actor } from '../../../kernel/access/actor.ts'
import { readChat } from '../dialects/parapet/read.ts'
import { resolveTargets } from '../plan/targets.ts'
import type { TenantSnapshot } from '../policy/snapshot.ts'
import type { SimulatedCall } from './dry-run.ts'
import { withoutSecrets } from './sample.ts'
import type { NewSimulation } from './schema.ts'

interface Given {
  readonly actor: Actor
  readonly snapshot: TenantSnapshot
  readonly at: string
}

/** Messages as a call of the current actor. Without a model, no bound on models is applied. @throws API-001, GW-001 */
export function callOf(input: NewSimulation['input'], { actor, snapshot, at }: Given): SimulatedCall {
  const asked = input ?? { messages: [] }
  const { provider = null, model = null, stream = false } = asked
  const named = provider !== null || model !== null
  const targets = named ? resolveTargets(snapshot.providers, { provider, model }) : []
  return {
    id: null,
    call: readChat(asked),
    answer: null,
    asked: { operation: 'chat', dialect: 'parapet', provider, model, stream, tags: [] },
    actor,
    targets: targets.map((target) => ({ ...target, provider: withoutSecrets(target.provider) })),
    at,
    kept: false,
  }
}
