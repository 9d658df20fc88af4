/**
 * Checks whether an identity provider works, step by step, without a sign-in. It changes nothing.
 * Tested in connections.test.ts.
 */
import type { SsoTest } from '../../schemas/sso-trials.ts'
import type { IamServices } from '../../services/iam-services.ts'
import { discover, type OidcProvider } from '../oidc/provider.ts'
import { readKeys } from '../providers/back-channel.ts'
import { oidcClient } from '../providers/providers.ts'
import { reasonText } from '../refusals.ts'
import { readCertificate } from '../saml/certificates.ts'
import type { ConnectionRow } from '../tables.ts'
import { fetchIdpMetadata } from './settings.ts'
import { daysLeft } from './views.ts'

type Step = SsoTest['steps'][number]

const passed = (step: string, detail: string): Step => ({ step, passed: true, detail })
const failed = (step: string, detail: string): Step => ({ step, passed: false, detail })

export async function checkConnection(services: IamServices, connection: ConnectionRow): Promise<SsoTest> {
  const steps = await (connection.type === 'oidc' ? checkOidc(services, connection) : checkSaml(services, connection))
  return { passed: steps.every((step) => step.passed), steps: [...steps] }
}

async function checkOidc(services: IamServices, connection: ConnectionRow): Promise<readonly Step[]> {
  const party = await oidcClient(services, connection)
  const provider = await discover(party).catch((error: unknown) => error)
  if (!isProvider(provider)) return [failed('discovery', `${party.issuer}: ${causes(provider)}. Check the issuer.`)]
  const server = provider.serverMetadata()
  const steps = [passed('discovery', `${server.issuer} answers with its metadata.`)]
  const methods = server.code_challenge_methods_supported
  steps.push(
    methods === undefined || methods.includes('S256')
      ? passed('pkce', methods === undefined ? 'The provider does not say; it is used.' : 'S256 is supported.')
      : failed('pkce', 'The provider supports PKCE, but not S256. Turn S256 on for this client.'),
  )
  const endpoints = [server.authorization_endpoint, server.token_endpoint]
  steps.push(
    endpoints.includes(undefined)
      ? failed('endpoints', 'The metadata names no authorization or token endpoint.')
      : passed('endpoints', 'Authorization and token endpoints are named.'),
  )
  steps.push(await checkKeys(party, server.jwks_uri))
  return steps
}

function isProvider(value: unknown): value is OidcProvider {
  return typeof value === 'object' && value !== null && 'serverMetadata' in value
}

function causes(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? ` (${reasonText(error.cause)})` : ''
  return `${reasonText(error)}${cause}`
}

async function checkKeys(party: Awaited<ReturnType<typeof oidcClient>>, address: string | undefined): Promise<Step> {
  if (address === undefined) return failed('keys', 'The metadata names no key set.')
  try {
    const { keys } = await readKeys(party.fetch, address)
    const signing = keys.filter(({ kty, use }) => kty !== 'oct' && use !== 'enc')
    return signing.length > 0
      ? passed('keys', `${signing.length} public signing keys are published.`)
      : failed('keys', 'The key set holds no public signing key.')
  } catch (error) {
    return failed('keys', `${reasonText(error)}. Check that the server can reach ${new URL(address).host}.`)
  }
}

async function checkSaml({ kernel }: IamServices, { saml }: ConnectionRow): Promise<readonly Step[]> {
  if (saml === null) return [failed('metadata', 'Nothing is known about the identity provider.')]
  const steps = [checkCertificates(saml.certificates, kernel.clock.now())]
  if (saml.metadata_url === null)
    return [...steps, passed('metadata', 'The metadata was pasted; it is not read again.')]
  try {
    const now = await fetchIdpMetadata(kernel, saml.metadata_url)
    const same = now.entity_id === saml.entity_id && saml.certificates.some((one) => now.certificates.includes(one))
    steps.push(
      same
        ? passed('metadata', 'The published metadata agrees with what is stored.')
        : failed(
            'metadata',
            'The provider publishes another entity or other certificates now. Give idp_metadata_url again.',
          ),
    )
  } catch (error) {
    steps.push(failed('metadata', reasonText(error)))
  }
  return steps
}

function checkCertificates(certificates: readonly string[], now: number): Step {
  const left = certificates.map((text) => daysLeft(readCertificate(text)?.expiresAt ?? null, now) ?? -1)
  const most = Math.max(...left)
  if (most < 0) return failed('certificates', 'Every certificate has ended. Give the new ones.')
  return passed('certificates', `The last certificate ends in ${most} days.`)
}
