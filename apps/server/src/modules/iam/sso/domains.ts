/**
 * Domains of a connection and their proof: a TXT record only the owner of the domain can set. A proven domain belongs
 * to one connection of the installation. It never asks the DNS inside a transaction. Tested in
 * connections/connections.test.ts.
 */
import { promises as dns } from 'node:dns'
import { domainToASCII } from 'node:url'
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { insertStatement } from '../../../kernel/db/table.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { errors } from '../errors/errors.ts'
import type { DomainState } from '../schemas/sso.ts'
import { type ConnectionRow, ssoDirectory } from './tables.ts'

/** Asks for the TXT records of a name: each a list of its pieces. */
export interface TxtRecords {
  resolve(name: string): Promise<readonly (readonly string[])[]>
}

export const systemTxtRecords: TxtRecords = { resolve: (name) => dns.resolveTxt(name) }

const labels = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** The domain as DNS writes it. @throws API-001 */
export function domainName(text: string): string {
  const ascii = domainToASCII(text.normalize('NFC').toLowerCase())
  if (ascii.length <= 253 && labels.test(ascii)) return ascii
  const detail = 'This is no domain of e-mail addresses.'
  throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/domains' }])
}

export interface TxtRecord {
  readonly name: string
  readonly value: string
}

/** The DNS record this tenant needs: the same on every reading, so a record once set stays valid. */
export function txtRecord(kernel: Pick<Kernel, 'platformKeys'>, tenantId: string, domain: string): TxtRecord {
  const proof = kernel.platformKeys.mac('sso-domain', `${tenantId}/${domain}`)
  return { name: `_parapet-challenge.${domain}`, value: `parapet-domain-verification=${proof}` }
}

/** The list with these domains; those that stay keep their proof. @throws API-001 */
export function withDomains(now: readonly DomainState[], wanted: readonly string[]): DomainState[] {
  const names = [...new Set(wanted.map(domainName))]
  return names.map((domain) => now.find((known) => known.domain === domain) ?? { domain, verified_at: null })
}

/** Looks for the record. @throws IAM-014 when it is not there */
export async function proveDomain(
  parts: { readonly kernel: Pick<Kernel, 'platformKeys'>; readonly txt: TxtRecords },
  tenantId: TenantId,
  domain: string,
): Promise<void> {
  const { name, value } = txtRecord(parts.kernel, tenantId, domain)
  const found = await parts.txt.resolve(name).catch(() => [])
  if (found.some((pieces) => pieces.join('') === value)) return
  throw errors.domainNotProven({ what: `There is no TXT record ${name} with the value ${value}.` })
}

/** Gives a proven domain to the connection. @throws IAM-014 when another one has it */
export async function claimDomain(tx: Tx, connectionId: string, domain: string): Promise<void> {
  const row = { kind: 'domain', name: domain, home: tx.tenantId, connection_id: connectionId }
  await tx.execute(sql`${insertStatement(ssoDirectory.from, row)} on conflict (kind, name) do nothing`)
  const owner = await tx.first(sql<{ home: string; connection_id: string }>`
    select home, connection_id from iam_sso_directory where kind = 'domain' and name = ${domain}`)
  if (owner?.home !== tx.tenantId || owner.connection_id !== connectionId)
    throw errors.domainNotProven({ what: `The domain ${domain} belongs to another connection.` })
}

/** Lets go of every domain the connection no longer names. */
export async function releaseDomains(tx: Tx, connectionId: string, kept: readonly DomainState[]): Promise<void> {
  const names = kept.map(({ domain }) => domain)
  await tx.execute(sql`
    delete from iam_sso_directory
    where kind = 'domain' and home = ${tx.tenantId} and connection_id = ${connectionId} and name <> all(${names}::text[])`)
}

/** Whether the address lies in a domain that the connection has proven. Sub-domains are domains of their own. */
export function ownsDomainOf(connection: Pick<ConnectionRow, 'domains'>, key: string): boolean {
  const domain = key.slice(key.lastIndexOf('@') + 1)
  return connection.domains.some((known) => known.domain === domain && known.verified_at !== null)
}
