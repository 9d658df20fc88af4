/**
 * Binds tokens of an outside issuer to a service account, in the transaction of the module that asks for it. Promises one
 * binding for each match in a tenant, and that one that was removed counts nowhere from the commit on. Tested in
 * outside-tokens.test.ts.
 */
import type { Static } from 'typebox'
import type { Actor } from '../../../kernel/access/actor.ts'
import { assertFreshSession } from '../../../kernel/auth/fresh.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { enter, leave } from '../directory/directory.ts'
import { errors } from '../errors/errors.ts'
import { assertMayTouch } from '../rights/escalation.ts'
import { findSubject } from '../rights/subjects.ts'
import { boundClaims, matchText, type OutsideMatch } from './match.ts'
import { outsideTokens } from './tables.ts'

export type OutsideBinding = Static<typeof outsideTokens.row>

export interface NewOutsideBinding {
  readonly serviceAccountId: string
  readonly match: OutsideMatch
  /** JSON pointer of the match in the request, for errors; default `/match`. */
  readonly pointer?: string
}

type Parts = Pick<Kernel, 'clock' | 'random' | 'platformKeys' | 'egress' | 'auth'>

/** @throws API-001, API-013, AUTH-009, IAM-003, IAM-021 */
export async function bindOutsideToken(
  kernel: Parts,
  tx: Tx,
  actor: Actor,
  { serviceAccountId, match, pointer = '/match' }: NewOutsideBinding,
): Promise<OutsideBinding> {
  assertFreshSession(actor, kernel.clock)
  refuseBadMatch(kernel, match, pointer)
  const subject = await findSubject(tx, serviceAccountId, kernel.clock.now())
  if (subject?.type !== 'service') throw apiErrors.notFound({ what: 'service account' })
  assertMayTouch(actor, subject)
  // Or two calls at once would both find that there is none.
  await tx.lock('iam_outside_token', tx.tenantId)
  const { issuer, claim, value, audience } = match
  const taken = await tx.first(sql`
    select 1 as found from iam_outside_token
    where issuer = ${issuer} and claim = ${claim} and value = ${value} and audience = ${audience}`)
  if (taken !== null) throw errors.outsideTokenTaken()
  const binding: OutsideBinding = {
    ...{ tenant_id: tx.tenantId, id: kernel.random.uuid(), user_id: serviceAccountId },
    ...{ issuer, claim, value, audience },
    ...{ created_by: actor.userId, created_at: kernel.clock.iso() },
  }
  await outsideTokens.insert(tx, binding)
  await enter(tx, kernel.platformKeys, { kind: 'outside_token', value: matchText(match), subject: binding.id })
  await tx.audit('iam.outside_token.create', {
    target: `outside_token:${binding.id}`,
    after: { service_account_id: serviceAccountId, ...match },
  })
  return binding
}

/** Ends a binding: its tokens are refused from the commit on, on all instances. @throws API-013, AUTH-009, IAM-003 */
export async function unbindOutsideToken(kernel: Parts, tx: Tx, actor: Actor, bindingId: string): Promise<void> {
  assertFreshSession(actor, kernel.clock)
  const binding = await outsideTokens.needForUpdate(tx, bindingId)
  const subject = await findSubject(tx, binding.user_id, kernel.clock.now())
  if (subject !== null) assertMayTouch(actor, subject)
  await endBinding(kernel, tx, binding)
}

/** Ends a binding after the decision was made: it checks no rights. */
export async function endBinding({ auth }: Pick<Kernel, 'auth'>, tx: Tx, binding: OutsideBinding): Promise<void> {
  const { id, user_id: serviceAccountId, issuer, claim, value, audience } = binding
  await leave(tx, 'outside_token', id)
  await outsideTokens.remove(tx, id)
  await auth.revoke(tx, 'key', id)
  await tx.audit('iam.outside_token.remove', {
    target: `outside_token:${id}`,
    before: { service_account_id: serviceAccountId, issuer, claim, value, audience },
  })
}

/** Bindings of a service account, the oldest first. */
export function outsideBindings(tx: Tx, serviceAccountId: string): Promise<readonly OutsideBinding[]> {
  return tx.query(sql<OutsideBinding>`
    select ${outsideTokens.columns} from iam_outside_token where user_id = ${serviceAccountId} order by created_at, id`)
}

function refuseBadMatch({ egress }: Pick<Kernel, 'egress'>, match: OutsideMatch, pointer: string): void {
  const refuse = (member: keyof OutsideMatch, detail: string): never => {
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer: `${pointer}/${member}` }])
  }
  const address = egress.checkBaseUrl(match.issuer)
  if (!address.ok) refuse('issuer', `The issuer cannot be called (${address.rule}). Give its https address.`)
  // Without TLS only addresses that the operator lets be called so, which the check above has judged.
  else if (address.url.protocol !== 'https:' && !/^[\d.]+$|^\[/.test(address.url.hostname))
    refuse('issuer', 'The issuer has to be an https address.')
  if (!boundClaims.includes(match.claim)) refuse('claim', `The claim is one of ${boundClaims.join(', ')}.`)
  for (const member of ['value', 'audience'] as const)
    if (match[member] === '' || match[member].length > 255) refuse(member, 'This has 1 to 255 characters.')
}
