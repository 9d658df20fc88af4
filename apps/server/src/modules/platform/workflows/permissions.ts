import type { Permission } from '../../../kernel/access/permissions.ts'
import type { Step, StepType } from './declared/definition.ts'

const needed: Readonly<Record<StepType, Permission | null>> = {
  condition: null,
  set: null,
  approve: null,
  delay: null,
  for_each: null,
  notify: 'platform:write',
  http: 'platform:write',
  create_ticket: 'platform:write',
  generate_report: 'platform:write',
  set_kill_switch: 'gateway:admin',
  run_assessment: 'compliance:write',
  recalculate_trust: 'trust:write',
  quarantine_agent: 'aegis:write',
}

/** The permission that a step takes: the one of the route that does the same; null where it touches nothing. */
export function permissionOf({ type, with: input }: Pick<Step, 'type' | 'with'>): Permission | null {
  if (type !== 'for_each') return needed[type]
  const inner = input?.type
  return typeof inner === 'string' && inner in needed ? needed[inner as StepType] : null
}
