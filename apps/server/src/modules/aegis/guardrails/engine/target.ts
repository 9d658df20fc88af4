/** Which calls a guardrail is about. An empty list stands for all. Pure. Tested in evaluate.test.ts. */
import { compileWildcard } from '../../agents/wildcard.ts'
import type { Target } from '../declared/schema.ts'
import type { EvaluationContext } from './context.ts'

type Condition = (context: EvaluationContext) => boolean

/** Null for a guardrail that is about all calls. */
export function compileTarget(target: Target): Condition | null {
  const conditions = [...ofAgents(target), ...ofTools(target)]
  const [only] = conditions
  if (only === undefined) return null
  return conditions.length === 1 ? only : (context) => conditions.every((holds) => holds(context))
}

function ofAgents({ agent_ids, tags, tiers, environments, data_classes }: Target): readonly Condition[] {
  return [
    ...among(agent_ids, ({ agent }, ids: ReadonlySet<string>) => agent !== null && ids.has(agent.id)),
    ...among(tags, ({ agent }, wanted: ReadonlySet<string>) => agent?.tags.some((tag) => wanted.has(tag)) ?? false),
    ...among(tiers, ({ agent }, wanted: ReadonlySet<number>) => agent !== null && wanted.has(agent.tier)),
    ...among(environments, ({ agent }, wanted: ReadonlySet<string>) => agent !== null && wanted.has(agent.env)),
    ...among(
      data_classes,
      ({ agent }, wanted: ReadonlySet<string>) => agent?.dataClasses.some((one) => wanted.has(one)) ?? false,
    ),
  ]
}

function ofTools({ server_slugs, tools = [] }: Target): readonly Condition[] {
  const tests = tools.map(compileWildcard)
  const isNamed: Condition = ({ server, tool }) => {
    if (tool === null) return false
    const whole = `${server?.slug ?? 'local'}/${tool.name}`
    return tests.some((fits) => fits(tool.name) || fits(whole))
  }
  return [
    ...among(server_slugs, ({ server }, wanted: ReadonlySet<string>) => server !== null && wanted.has(server.slug)),
    ...(tools.length === 0 ? [] : [isNamed]),
  ]
}

function among<T>(
  wanted: readonly T[] | undefined,
  holds: (context: EvaluationContext, wanted: ReadonlySet<T>) => boolean,
): readonly Condition[] {
  if (wanted === undefined || wanted.length === 0) return []
  const set = new Set(wanted)
  return [(context) => holds(context, set)]
}
