/**
 * The keys of a provider as a whole. Promises that a key named without a value stays as it is, that an omitted key
 * cannot be decrypted any more, and that a key is never sent to an address it was not given for. Tested in
 * provider-pool.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { addressOf } from '../providers/vendors/registry.ts'
import type { PatchProvider, ProviderRow } from '../schemas/provider.ts'
import type { ProviderSecretRow, SecretInput } from '../schemas/provider-secret.ts'
import { providerSecrets } from '../schemas/tables.ts'
import { originOf } from '../snapshots/provider-secrets.ts'
import { secretsOf } from './provider-views.ts'

type Place = Pick<ProviderRow, 'kind' | 'base_url' | 'settings'>

/** Whether keys that are there may stay where a provider is changed. Some kinds have their address by their settings. */
export function mayKeepKeys(row: Place, input: PatchProvider): boolean {
  return originOf(addressAt(row)) === originOf(addressAt(placeAfter(row, input)))
}

/** The members that determine a provider's address, after the change. */
export function placeAfter(row: Place, { base_url, settings }: PatchProvider): Place {
  return { kind: row.kind, base_url: base_url ?? row.base_url, settings: settings ?? row.settings }
}

const addressAt = ({ kind, base_url: baseUrl, settings }: Place) => addressOf({ kind, baseUrl, settings })

/** Whether it names a key that is there and gives none. */
export function isKept({ value, ref }: Pick<SecretInput, 'value' | 'ref'>): boolean {
  return value === undefined && ref === undefined
}

export interface PoolChange {
  /** The provider before the change, locked. */
  readonly row: ProviderRow
  readonly input: PatchProvider
  /** Rows of the keys that are given. */
  readonly given: readonly ProviderSecretRow[]
}

/** Changes to the keys, by their ids; for the audit log. */
export interface PoolMoves {
  readonly keys_added: readonly string[]
  readonly keys_removed: readonly string[]
}

/** Puts the keys of the input in place of those that are there; null where the input says nothing about them. @throws API-001 */
export async function changePool(tx: Tx, { row, input, given }: PoolChange): Promise<PoolMoves | null> {
  const there = (await secretsOf(tx, [row.id])).map(({ name }) => name)
  const stays = input.secrets?.filter(isKept) ?? []
  const keeps = input.secrets === undefined ? there.length > 0 : stays.length > 0
  // Once more, for an address that was changed by someone else since it was read.
  if (keeps && !mayKeepKeys(row, input))
    throw problemAt('/secrets', 'The keys were given for the old address.', 'Send the keys for the new address.')
  if (input.secrets === undefined) return null
  checkNames(input.secrets, { there, isMoved: isMoved(row, input) })
  const gone = there.filter((name) => !stays.some(({ id }) => id === name))
  await shredKeys(tx, sql`provider_id = ${row.id} and name = any(${gone})`)
  for (const key of stays) await changeKept(tx, row.id, key)
  for (const secret of given) await providerSecrets.insert(tx, secret)
  const added = given.map(({ name }) => name)
  return { keys_added: added, keys_removed: gone }
}

function isMoved(row: ProviderRow, input: PatchProvider): boolean {
  const after = placeAfter(row, input)
  return row.base_url !== after.base_url || addressAt(row) !== addressAt(after)
}

interface Known {
  readonly there: readonly string[]
  /** Keys for another address take the place of those that are there. */
  readonly isMoved: boolean
}

function checkNames(secrets: readonly SecretInput[], { there, isMoved: moved }: Known): void {
  for (const [index, secret] of secrets.entries()) {
    const isThere = there.includes(secret.id)
    if (isKept(secret) && !isThere)
      throw problemAt(`/secrets/${index}/value`, 'A key is not valid.', 'There is no key of this id: give its value.')
    if (!isKept(secret) && isThere && !moved)
      throw problemAt(`/secrets/${index}/value`, 'A key is not valid.', 'This key is there: rotate-secret replaces it.')
  }
}

function problemAt(pointer: string, what: string, detail: string) {
  return apiErrors.validation({ what }).at([{ detail, pointer }])
}

/** Versions that still stand in for this one hold no longer than they did. */
async function changeKept(tx: Tx, providerId: string, { id, weight, expires_at: end }: SecretInput): Promise<void> {
  const endsAt = end === undefined ? null : new Date(end).toISOString()
  await tx.execute(
    sql`
      update gateway_provider_secret
      set weight = coalesce(${weight ?? null}::int, weight), expires_at = coalesce(${endsAt}::timestamptz, expires_at)
      where provider_id = ${providerId} and name = ${id} and valid_until is null`,
  )
}

/** Overwritten before they are removed, so that an old page of the table holds nothing that opens. */
export async function shredKeys(tx: Tx, which: ReturnType<typeof sql>): Promise<void> {
  await tx.execute(sql`update gateway_provider_secret set ciphertext = ''::bytea where ${which}`)
  await tx.execute(sql`delete from gateway_provider_secret where ${which}`)
}
