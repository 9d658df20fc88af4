/**
 * A trial sign-in without a session: the administrator who begins it sees the provider's claims and the account the
 * person would have here. It runs the whole sign-in, in a transaction that is rolled back. The result is sealed, for an
 * hour, for that administrator. A draft can be tried; then the rights of the tester stand in for those of the
 * activator. Tested in ../oidc/oidc.test.ts and ../saml/saml.test.ts.
 */
import type { Actor } from '../../../../kernel/access/actor.ts'
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { ProblemError } from '../../../../kernel/errors/problem.ts'
import { originOf } from '../../../../kernel/module/request-scope.ts'
import type { RequestInfo } from '../../../../kernel/module/route.ts'
import { emailKey } from '../../directory/email-address.ts'
import type { Grantor } from '../../rights/escalation.ts'
import { roleNamesOfUser } from '../../rights/granted-roles.ts'
import type { SsoTest, SsoTrial, TrialPerson } from '../../schemas/sso-trials.ts'
import type { IamServices } from '../../services/iam-services.ts'
import { trialUrl } from '../addresses.ts'
import { activatorOf } from '../connections/activator.ts'
import { checkConnection } from '../connections/check.ts'
import { type AssertedIdentity, assertStrongEnough } from '../identity.ts'
import type { Placed } from '../lookup.ts'
import { reasonText, SsoRefusal } from '../refusals.ts'
import { seal, unseal } from '../secrets.ts'
import { type ConnectionRow, ssoFlows } from '../tables.ts'
import { begin } from './begin.ts'
import type { FlowRow } from './flows.ts'
import { admit } from './provision.ts'
import { saysTwoFactors } from './strength.ts'

export interface TrialStart {
  readonly actor: Actor
  readonly connection: ConnectionRow
  readonly request: RequestInfo
}

/** Looks at the provider first, and gives an address to sign in at when it can be worked with. */
export async function startTrial(services: IamServices, { actor, connection, request }: TrialStart): Promise<SsoTest> {
  const checked = await checkConnection(services, connection)
  if (!checked.passed) return checked
  const flowId = services.kernel.random.uuid()
  const placed = { home: actor.tenantId, connection }
  const beginning = { flowId, codeChallenge: noExchange, fresh: false, trialBy: actor, request }
  const login_url = await begin(services, placed, beginning)
  const { expires_at } = await services.kernel.db.tenant({ tenantId: actor.tenantId }, (tx) =>
    ssoFlows.need(tx, flowId),
  )
  return { ...checked, trial: { id: flowId, status: 'waiting', expires_at, login_url } }
}

/** A digest that no code has: a trial has no code to exchange. */
const noExchange = '-'

interface Sealed {
  readonly steps: SsoTest['steps']
  readonly person: TrialPerson | null
}

/** Result of a trial, for the person who began it. @throws API-013 */
export async function readTrial(
  { kernel }: IamServices,
  ask: { readonly actor: Actor; readonly connectionId: string; readonly trialId: string },
): Promise<SsoTest> {
  const { actor, connectionId, trialId } = ask
  const flow = await kernel.db.tenant({ tenantId: actor.tenantId, readOnly: true }, (tx) => ssoFlows.get(tx, trialId))
  if (flow === null || flow.trial_by !== actor.userId || flow.connection_id !== connectionId) {
    throw apiErrors.notFound({ what: 'trial' })
  }
  const { id, expires_at, trial_done_at: done, sealed } = flow
  if (done === null || sealed === null) {
    const status: SsoTrial['status'] = Date.parse(expires_at) > kernel.clock.now() ? 'waiting' : 'expired'
    return { passed: false, steps: [], trial: { id, status, expires_at } }
  }
  const text = await unseal(kernel, { tenantId: actor.tenantId, rowId: id, column: 'sealed' }, sealed)
  const { steps, person }: Sealed = JSON.parse(text)
  const trial = { id, status: 'completed' as const, expires_at, ...(person === null ? {} : { person }) }
  return { passed: steps.every(({ passed }) => passed), steps, trial }
}

export interface TrialEnd {
  readonly placed: Placed
  readonly flow: FlowRow
  readonly request: RequestInfo
  readonly identify: () => Promise<AssertedIdentity>
}

/** Stores the outcome the provider's answer would have had; returns the browser's next address. */
export async function finishTrial(services: IamServices, end: TrialEnd): Promise<string> {
  const { kernel } = services
  const { placed, flow } = end
  const result = await judged(services, end)
  const sealed = await seal(kernel, { tenantId: placed.home, rowId: flow.id, column: 'sealed' }, JSON.stringify(result))
  const origin = originOf(end.request, null)
  await kernel.db.tenant({ tenantId: placed.home, origin }, async (tx) => {
    await ssoFlows.patch(tx, flow.id, { sealed, trial_done_at: kernel.clock.iso() })
    const passed = result.steps.every((step) => step.passed)
    const target = `sso_connection:${placed.connection.id}`
    await tx.audit('iam.sso_connection.trial', { target, after: { trial_id: flow.id, passed } })
  })
  return trialUrl(kernel, flow.id)
}

async function judged(services: IamServices, { placed, flow, identify }: TrialEnd): Promise<Sealed> {
  let identity: AssertedIdentity
  try {
    identity = await identify()
  } catch (error) {
    return { steps: [refusedStep('answer', error)], person: null }
  }
  const steps = [{ step: 'answer', passed: true, detail: 'The answer of the provider is genuine and belongs here.' }]
  try {
    assertStrongEnough(placed.connection, identity)
    const user = await wouldBe(services, { placed, flow, identity })
    const detail = `${user.email ?? 'The person'} would be ${outcomes[user.outcome]}, as ${user.roles.join(', ')}.`
    return {
      steps: [...steps, { step: 'admission', passed: true, detail }],
      person: personOf(placed.connection, identity, user),
    }
  } catch (error) {
    return { steps: [...steps, refusedStep('admission', error)], person: personOf(placed.connection, identity, null) }
  }
}

const outcomes = {
  signed_in: 'signed in',
  linked: 'linked to the account of this address',
  created: 'given an account',
} as const

/** Only what a sign-in could be refused for: a fault of ours stays one. */
function refusedStep(step: string, error: unknown): SsoTest['steps'][number] {
  const isRule = error instanceof ProblemError && error.code.startsWith('IAM-')
  if (!(error instanceof SsoRefusal || isRule)) throw error
  return { step, passed: false, detail: isRule ? `${error.code}: ${error.message}` : reasonText(error) }
}

function personOf(
  { second_factor_acr }: ConnectionRow,
  identity: AssertedIdentity,
  user: TrialPerson['user'],
): TrialPerson {
  const two_factors = saysTwoFactors(identity, second_factor_acr)
  const { subject, email, emailVerified: email_verified, name, groups, acr, amr } = identity
  return { subject, email, email_verified, name, groups: [...groups], acr, amr: [...amr], two_factors, user }
}

type WouldBe = NonNullable<TrialPerson['user']>

/** Carries the result out of a transaction that must not be committed. */
class RolledBack extends Error {
  readonly result: WouldBe

  constructor(result: WouldBe) {
    super('a trial changes nothing')
    this.result = result
  }
}

interface Arriving {
  readonly placed: Placed
  readonly flow: FlowRow
  readonly identity: AssertedIdentity
}

async function wouldBe(services: IamServices, arriving: Arriving): Promise<WouldBe> {
  const { connection, home } = arriving.placed
  const activator = await grantorOf(services, arriving)
  try {
    return await services.kernel.db.tenant({ tenantId: home }, async (tx) => {
      const before = await accountBefore(tx, arriving)
      const subject = await admit(services, tx, { connection, identity: arriving.identity, activator })
      throw new RolledBack({
        outcome: before?.outcome ?? 'created',
        id: before?.id ?? null,
        email: before?.email ?? arriving.identity.email,
        roles_before: [...(before?.roles ?? [])],
        roles: subject.roles.map(({ name }) => name),
      })
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.result
    throw error
  }
}

/** The person whose rights limit the connection: its activator, or the tester if it was never activated. */
function grantorOf({ kernel }: IamServices, { placed, flow }: Arriving): Promise<Grantor> {
  const { connection } = placed
  const trier = { activated_by: flow.trial_by, activated_by_tenant: flow.trial_by_tenant }
  return activatorOf(kernel.db, connection.activated_by === null ? trier : connection, kernel.clock.now())
}

interface Before {
  readonly outcome: 'signed_in' | 'linked'
  readonly id: string
  readonly email: string | null
  readonly roles: readonly string[]
}

async function accountBefore(tx: Tx, { placed, identity }: Arriving): Promise<Before | null> {
  const key = identity.email === null ? null : emailKey(identity.email)
  return tx.first(sql<Before>`
    select u.id, u.email, case when i.user_id is null then 'linked' else 'signed_in' end as outcome,
      ${roleNamesOfUser} as roles
    from iam_user u
    left join iam_sso_identity i on i.tenant_id = u.tenant_id and i.user_id = u.id
      and i.connection_id = ${placed.connection.id} and i.subject = ${identity.subject}
    where i.user_id is not null or u.email_key = ${key}
    order by i.user_id is null
    limit 1`)
}
