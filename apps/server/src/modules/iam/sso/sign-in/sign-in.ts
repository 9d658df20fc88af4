/**
 * Sign-in over a connection: to the identity provider, back from it, and to the console with a code. No token is ever in
 * an address. Network and keys are asked outside of transactions; only the tenant's administrators learn of a refused
 * answer. Tested in ../oidc/oidc.test.ts and ../saml/saml.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { ProblemError } from '../../../../kernel/errors/problem.ts'
import { originOf } from '../../../../kernel/module/request-scope.ts'
import type { RequestInfo } from '../../../../kernel/module/route.ts'
import type { IamServices } from '../../services/iam-services.ts'
import { callbackUrl, completionUrl } from '../addresses.ts'
import { activatorOf } from '../connections/activator.ts'
import { noteFailure, noteLogin } from '../connections/health.ts'
import { type AssertedIdentity, assertStrongEnough } from '../identity.ts'
import { activeConnection, answeredConnection, assertActive, type Placed } from '../lookup.ts'
import { discover, identify, type OidcSecrets } from '../oidc/provider.ts'
import { oidcClient, samlParty } from '../providers/providers.ts'
import { problemOf, reasonText, refused, SsoRefusal } from '../refusals.ts'
import { postedXml } from '../saml/prefilter.ts'
import { answeredRequest, identityIn } from '../saml/service-provider.ts'
import { unseal } from '../secrets.ts'
import { begin } from './begin.ts'
import { completeFlow, type FlowRow, takeFlow } from './flows.ts'
import { admit } from './provision.ts'
import { finishTrial } from './trial.ts'

export interface Start {
  readonly connectionId: string
  readonly codeChallenge: string
  readonly fresh: boolean
  readonly request: RequestInfo
}

/** Where the browser goes to sign in. @throws API-013, AUTH-014 */
export async function startSignIn(services: IamServices, start: Start): Promise<string> {
  const placed = await activeConnection(services.kernel, start.connectionId)
  const { codeChallenge, fresh, request } = start
  try {
    const flowId = services.kernel.random.uuid()
    return await begin(services, placed, { flowId, codeChallenge, fresh, trialBy: null, request })
  } catch (error) {
    throw await told(services, { placed, request, error })
  }
}

export interface OidcReturn {
  readonly connectionId: string
  readonly query: Readonly<Record<string, string | undefined>>
  readonly request: RequestInfo
}

/** Handles the answer of an OpenID provider; returns the browser's next address. @throws API-013, AUTH-014, AUTH-015 */
export async function returnFromOidc(services: IamServices, answer: OidcReturn): Promise<string> {
  const placed = await answeredConnection(services.kernel, answer.connectionId)
  const request = placed.connection.type === 'oidc' ? answer.query.state : undefined
  return settle(services, { placed, asked: request, request: answer.request }, async (flow) => {
    const { connection, home } = placed
    if (flow.sealed === null) throw refused('the sign-in was not started over OpenID Connect')
    const kept = await unseal(services.kernel, { tenantId: home, rowId: flow.id, column: 'sealed' }, flow.sealed)
    const secrets: OidcSecrets = JSON.parse(kept)
    const url = new URL(callbackUrl(services.kernel, connection.id))
    for (const [name, value] of Object.entries(answer.query)) if (value !== undefined) url.searchParams.set(name, value)
    const startedAt = Math.floor(Date.parse(flow.created_at) / 1000)
    const provider = await discover(await oidcClient(services, connection))
    const { email_trusted: emailTrusted } = connection
    const now = services.kernel.clock.now()
    return identify(provider, { url, secrets, startedAt, claims: connection.oidc?.claims ?? {}, emailTrusted, now })
  })
}

export interface SamlReturn {
  readonly connectionId: string
  readonly response: string | undefined
  readonly request: RequestInfo
}

/** Handles the answer of a SAML identity provider. @throws API-005, API-013, AUTH-015 */
export async function returnFromSaml(services: IamServices, answer: SamlReturn): Promise<string> {
  const placed = await answeredConnection(services.kernel, answer.connectionId)
  const { connection } = placed
  const { xml, requestId } = await posted(services, placed, answer.response)
  return settle(services, { placed, asked: requestId, request: answer.request }, async () =>
    identityIn(await samlParty(services, connection), xml, {
      requestId,
      now: services.kernel.clock.now(),
      names: connection.saml?.claims ?? {},
      emailTrusted: connection.email_trusted,
    }),
  )
}

/** The document and the request it says it answers. @throws API-005, AUTH-015 */
async function posted(
  services: IamServices,
  { connection }: Placed,
  response: string | undefined,
): Promise<{ readonly xml: string; readonly requestId: string }> {
  try {
    if (connection.type !== 'saml') throw refused('the connection is none of SAML')
    const xml = postedXml(response ?? '')
    return { xml, requestId: await answeredRequest(xml) }
  } catch (error) {
    throw error instanceof SsoRefusal ? unasked(services, connection.id, error) : error
  }
}

/** Anyone can send an unsolicited answer: it is only logged; administrators see answers that end a sign-in. */
function unasked({ kernel }: IamServices, connectionId: string, refusal: SsoRefusal): Error {
  kernel.log.warn({ connection_id: connectionId, reason: reasonText(refusal) }, 'an answer to no sign-in was refused')
  return problemOf(refusal)
}

interface Answered {
  readonly placed: Placed
  /** The request the answer claims to belong to: the OIDC state or the SAML request id. */
  readonly asked: string | undefined
  readonly request: RequestInfo
}

/** The common end of both protocols: one flow, one identity, one person, one code. */
async function settle(
  services: IamServices,
  { placed, asked, request }: Answered,
  identify: (flow: FlowRow) => Promise<AssertedIdentity>,
): Promise<string> {
  const { kernel } = services
  const { connection, home } = placed
  const scope = { tenantId: home, origin: originOf(request, null) }
  const flow =
    asked === undefined
      ? null
      : await kernel.db.tenant(scope, (tx) => takeFlow(kernel, tx, { connectionId: connection.id, request: asked }))
  if (flow === null)
    throw unasked(services, connection.id, refused('the answer belongs to no sign-in that is under way'))
  if (flow.trial_by !== null) return finishTrial(services, { placed, flow, request, identify: () => identify(flow) })
  assertActive(connection)
  try {
    const identity = await identify(flow)
    assertStrongEnough(connection, identity)
    const activator = await activatorOf(kernel.db, connection, kernel.clock.now())
    const code = await kernel.db.tenant(scope, async (tx) => {
      const user = await admit(services, tx, { connection, identity, activator })
      await noteLogin(kernel, tx, { connectionId: connection.id, subject: identity.subject })
      return completeFlow(kernel, tx, { flow, userId: user.id, identity })
    })
    return completionUrl(kernel, code)
  } catch (error) {
    return report(services, { placed, request, error })
  }
}

interface Failure {
  readonly placed: Placed
  readonly request: RequestInfo
  readonly error: unknown
}

async function report(services: IamServices, failure: Failure): Promise<never> {
  throw await told(services, failure)
}

/** Records the reason for administrators, and returns the answer for the browser. */
async function told({ kernel }: IamServices, { placed, request, error }: Failure): Promise<unknown> {
  const refusal = refusalOf(error)
  if (refusal === null) return error
  const scope: { tenantId: TenantId; origin: ReturnType<typeof originOf> } = {
    tenantId: placed.home,
    origin: originOf(request, null),
  }
  await kernel.db.tenant(scope, (tx) => noteFailure(kernel, tx, { connectionId: placed.connection.id, refusal }))
  return problemOf(refusal)
}

/** Rules of accounts that were broken on the way in (rights, quotas) are refusals like any other; faults are not. */
function refusalOf(error: unknown): SsoRefusal | null {
  if (error instanceof SsoRefusal) return error
  const isRule = error instanceof ProblemError && error.code.startsWith('IAM-')
  return isRule ? refused(`${error.code}: ${error.message}`, error) : null
}
