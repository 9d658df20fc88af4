import type { TenantId } from '../../../../kernel/access/actor.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { IamServices } from '../../services/iam-services.ts'
import { callbackUrl, entityId } from '../addresses.ts'
import { guardedFetch } from '../egress-fetch.ts'
import type { OidcClient } from '../oidc/provider.ts'
import { refused } from '../refusals.ts'
import type { SamlParty } from '../saml/service-provider.ts'
import { unseal } from '../secrets.ts'
import type { ConnectionRow } from '../tables.ts'

/** The connection as the client of an OpenID provider. Not to be called inside a transaction. */
export async function oidcClient(
  { kernel }: Pick<IamServices, 'kernel'>,
  connection: ConnectionRow,
): Promise<OidcClient> {
  const { oidc, client_secret: secret } = connection
  if (oidc === null) throw refused('the connection is none of OpenID Connect')
  return {
    issuer: oidc.issuer,
    clientId: oidc.client_id,
    clientSecret: secret === null ? null : await opened(kernel, connection, { column: 'client_secret', secret }),
    redirectUri: callbackUrl(kernel, connection.id),
    fetch: guardedFetch(kernel.egress),
  }
}

/** The connection as a SAML service provider. Not to be called inside a transaction. */
export async function samlParty(
  { kernel }: Pick<IamServices, 'kernel'>,
  connection: ConnectionRow,
): Promise<SamlParty> {
  const { saml, sp_key: secret, sp_certificate: certificate } = connection
  if (saml === null || secret === null || certificate === null) throw refused('the connection is none of SAML')
  return {
    idp: saml,
    entityId: entityId(kernel, connection.id),
    acsUrl: callbackUrl(kernel, connection.id),
    privateKey: await opened(kernel, connection, { column: 'sp_key', secret }),
    certificate,
    contexts: connection.required_acr,
  }
}

async function opened(
  kernel: Kernel,
  connection: ConnectionRow,
  { column, secret }: { readonly column: 'client_secret' | 'sp_key'; readonly secret: Uint8Array },
): Promise<string> {
  const tenantId = connection.tenant_id as TenantId
  const value = await unseal(kernel, { tenantId, rowId: connection.id, column }, secret)
  kernel.liveSecrets.add({
    owner: tenantId,
    name: `${column} of connection ${connection.id} of tenant ${tenantId}`,
    value,
  })
  return value
}
