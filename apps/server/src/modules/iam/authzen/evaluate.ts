/**
 * Decisions in the form of the OpenID AuthZEN Authorization API 1.0, for users and keys of the caller's tenant. A resource
 * type is a module and an action one of read, write and admin, or the action is a whole permission such as `risk:read`.
 * Unknown subjects, types and actions are denied. Tested in authzen.test.ts.
 */
import { isPermission, type Permission } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { uuidPattern } from '../directory/tenant-id.ts'
import { type Explain, explainer } from '../explain/explain.ts'
import type { Decision, Evaluation, Evaluations } from './schema.ts'

interface Evaluator {
  decide(asked: Evaluation): Promise<Decision>
}

/** Remembers the subjects of one call, so that a hundred questions about one person read it once. */
function evaluator(tx: Tx, nowMs: number): Evaluator {
  const explainers = new Map<string, Promise<Explain | null>>()
  const explainerOf = (subject: Evaluation['subject']): Promise<Explain | null> => {
    const { type, id } = subject
    if ((type !== 'user' && type !== 'api_key') || !uuidPattern.test(id)) return Promise.resolve(null)
    const key = `${type}:${id}`
    const known = explainers.get(key) ?? explainer(tx, { kind: type, id: id.toLowerCase() }, nowMs)
    explainers.set(key, known)
    return known
  }
  return {
    decide: async ({ subject, action, resource }) => {
      const permission = permissionOf(action.name, resource.type)
      if (permission === null) return denied('unknown_permission')
      const explain = await explainerOf(subject)
      if (explain === null) return denied('unknown_subject')
      const { granted, reason } = explain(permission)
      return granted ? { decision: true } : denied(reason)
    },
  }
}

const denied = (reason: string): Decision => ({ decision: false, context: { reason } })

/** The permission a question is about; null where there is none of that name. */
export function permissionOf(action: string, resourceType: string): Permission | null {
  const name = action.includes(':') ? action : `${resourceType}:${action}`
  return isPermission(name) ? name : null
}

export async function evaluate(tx: Tx, asked: Evaluation, nowMs: number): Promise<Decision> {
  const decision = await evaluator(tx, nowMs).decide(asked)
  await record(tx, [[asked, decision]])
  return decision
}

/** @throws API-001 for a question without subject, action or resource */
export async function evaluateAll(tx: Tx, asked: Evaluations, nowMs: number) {
  const { evaluations, options, ...defaults } = asked
  if (evaluations === undefined || evaluations.length === 0) return evaluate(tx, whole(defaults, ''), nowMs)
  const { decide } = evaluator(tx, nowMs)
  const stopAt = { execute_all: null, deny_on_first_deny: false, permit_on_first_permit: true } as const
  const stop = stopAt[options?.evaluations_semantic ?? 'execute_all']
  // All questions are read before the first is answered: a bad one changes nothing.
  const questions = evaluations.map((own, index) => whole({ ...defaults, ...own }, `/evaluations/${index}`))
  const decided: [Evaluation, Decision][] = []
  for (const question of questions) {
    const decision = await decide(question)
    decided.push([question, decision])
    if (decision.decision === stop) break
  }
  await record(tx, decided)
  return { evaluations: decided.map(([, decision]) => decision) }
}

function whole(parts: Omit<Evaluations, 'evaluations' | 'options'>, at: string): Evaluation {
  const { subject, action, resource, context } = parts
  if (subject !== undefined && action !== undefined && resource !== undefined)
    return { subject, action, resource, ...(context === undefined ? {} : { context }) }
  const missing = subject === undefined ? 'subject' : action === undefined ? 'action' : 'resource'
  const detail = `A question needs a ${missing}.`
  throw apiErrors.validation({ what: detail }).at([{ detail, pointer: `${at}/${missing}` }])
}

/** One audit entry per call: the subject, the requested access and the decisions. */
async function record(tx: Tx, decided: readonly (readonly [Evaluation, Decision])[]): Promise<void> {
  const [first] = decided
  if (first === undefined) return
  const [{ subject }] = first
  await tx.audit('iam.access.evaluate', {
    target: `${subject.type.slice(0, 40)}:${loggedId(subject)}`,
    after: decided.map(([asked, { decision }]) => ({
      subject: loggedId(asked.subject),
      action: asked.action.name,
      resource: asked.resource.type,
      decision,
    })),
  })
}

/** Any other id names no subject here, and may be a person's address, so it is not logged. */
function loggedId({ id }: Evaluation['subject']): string {
  return uuidPattern.test(id) ? id.toLowerCase() : 'unknown'
}
