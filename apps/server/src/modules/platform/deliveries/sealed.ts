/**
 * Credentials and signing secrets of an integration, sealed with the tenant's key in one value. Keys may read the database,
 * so nothing here is called within a transaction. Tested in ../integrations/integrations.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { WebhookSecret } from '../../../kernel/webhooks/sign.ts'

export interface Secrets {
  readonly credentials: Readonly<Record<string, unknown>>
  /** Of webhooks, the one that signs first. */
  readonly signing: readonly WebhookSecret[]
}

export const noSecrets: Secrets = { credentials: {}, signing: [] }

type Keys = Pick<Kernel, 'tenantKeys' | 'liveSecrets'>

const addressOf = (id: string) => ({ table: 'platform_integration', column: 'sealed', rowId: id })

export interface SealedOf {
  readonly tenantId: TenantId
  readonly id: string
}

export function sealSecrets(kernel: Keys, { tenantId, id }: SealedOf, secrets: Secrets): Promise<Uint8Array> {
  remember(kernel, tenantId, secrets)
  return kernel.tenantKeys.encrypt(tenantId, addressOf(id), Buffer.from(JSON.stringify(secrets)))
}

export async function openSecrets(
  kernel: Keys,
  { tenantId, id }: SealedOf,
  sealed: Uint8Array | null,
): Promise<Secrets> {
  if (sealed === null) return noSecrets
  const bytes = await kernel.tenantKeys.decrypt(tenantId, addressOf(id), sealed)
  const secrets = JSON.parse(Buffer.from(bytes).toString('utf8')) as Secrets
  remember(kernel, tenantId, secrets)
  return secrets
}

/** So that none of them gets into a log line, an answer's excerpt or a stored message. */
function remember({ liveSecrets }: Keys, tenantId: TenantId, { credentials, signing }: Secrets): void {
  const texts = [...Object.values(credentials), ...signing.map(({ value }) => value)]
  for (const value of texts)
    if (typeof value === 'string') liveSecrets.add({ owner: tenantId, name: 'integration', value })
}
