import type { NamedSecrets } from '../../../../kernel/named-secrets/named-secrets.ts'
import { SecretUnreadable } from '../../../../kernel/named-secrets/unreadable.ts'
import { UpstreamFault } from '../fault.ts'
import type { Provider, ProviderSecret } from '../provider.ts'
import { adapterOf, keyFormOf } from './registry.ts'

/** The key itself, where only its name is stored. @throws UpstreamFault */
export async function openedSecret(
  namedSecrets: NamedSecrets,
  { kind }: Provider,
  secret: ProviderSecret | null,
): Promise<ProviderSecret | null> {
  if (secret?.reference === undefined) return secret
  try {
    const value = await namedSecrets.read(secret.reference)
    const problem = keyFormOf(adapterOf(kind)).problemOf(value)
    if (problem === null) return { ...secret, value }
    throw new SecretUnreadable(`What it names is no key of this kind of provider. ${problem}`)
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    throw new UpstreamFault('credential', `the key cannot be read: ${error.message}`, { cause: error })
  }
}
