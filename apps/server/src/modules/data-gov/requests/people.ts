/** The identifiers of a request: encrypted until it ends, masked for people, and completed by what tables know. */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Alias } from '../declared/consent-schema.ts'
import type { Correction, RunRow } from '../declared/retention-schema.ts'
import { findUsers } from '../retention/find-users.ts'
import type { Person } from './erase.ts'

const addressOf = (rowId: string) => ({ table: 'data_gov_run', column: 'sealed_aliases', rowId })

export const sealAliases = (
  { tenantKeys }: Pick<Kernel, 'tenantKeys'>,
  tenantId: TenantId,
  id: string,
  content: SealedContent,
) => tenantKeys.encrypt(tenantId, addressOf(id), Buffer.from(JSON.stringify(content)))

export interface SealedContent {
  readonly aliases: readonly Alias[]
  readonly corrections: readonly Correction[]
}

/** Empty once the request has ended. */
export async function openSealed(
  { tenantKeys }: Pick<Kernel, 'tenantKeys'>,
  { tenant_id: tenantId, id, sealed_aliases: sealed }: RunRow,
): Promise<SealedContent> {
  if (sealed === null) return { aliases: [], corrections: [] }
  const bytes = await tenantKeys.decrypt(tenantId as TenantId, addressOf(id), sealed)
  const content = JSON.parse(Buffer.from(bytes).toString('utf8')) as SealedContent | readonly Alias[]
  // Requests from before there were corrections have the identifiers alone.
  return 'aliases' in content ? content : { aliases: content, corrections: [] }
}

export const openAliases = async (kernel: Pick<Kernel, 'tenantKeys'>, run: RunRow): Promise<readonly Alias[]> =>
  (await openSealed(kernel, run)).aliases

/** Accounts and all identifiers of the person. */
export async function personIn(kernel: Kernel, tx: Tx, aliases: readonly Alias[]): Promise<Person> {
  const given = aliases.map(({ value }) => value.trim())
  const users = await findUsers(kernel, tx, given)
  return { userIds: users.ids, aliases: [...new Set([...given, ...users.aliases])] }
}

/** `a***@e***.example`: the form and the first letters. */
export function maskedAlias({ kind, value }: Alias): string {
  const [local = '', domain] = value.split('@')
  const ending = domain?.includes('.') === true ? domain.slice(domain.lastIndexOf('.')) : ''
  const shown =
    domain === undefined ? `${local.slice(0, 1)}***` : `${local.slice(0, 1)}***@${domain.slice(0, 1)}***${ending}`
  return `${kind}: ${shown}`.slice(0, 100)
}
