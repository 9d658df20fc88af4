/**
 * Findings of the detectors in recurring texts: an agent sends its whole history with every call. No text or part of
 * one is held, only a keyed hash (HMAC-SHA-256, FIPS 198-1) of each, under a key per tenant that exists only in this
 * process and is stored nowhere. Findings of one tenant or of one set of rules are never given to another. Memory is
 * bounded in bytes, in total and per tenant. Tested in finding-memory.test.ts.
 */
import { createHmac } from 'node:crypto'
import type { TenantId } from '../../../../kernel/access/actor.ts'
import type { Random } from '../../../../kernel/crypto/random.ts'
import { bytesOf } from './size.ts'

export interface FindingMemory {
  /**
   * Findings of a tenant under one set of rules.
   * @param rules hash of the merged rules and the version of the detectors
   */
  under(tenantId: TenantId, rules: string): RuledMemory
  forget(tenantId: TenantId): void
  /** Estimated size of the memory. */
  bytes(): number
}

export interface RuledMemory {
  /** Key of a text, usable only in this memory. */
  digest(text: string): string
  /** @param look the detector and its options */
  get(look: string, digest: string): unknown
  set(look: string, digest: string, findings: unknown): void
}

export interface MemoryLimits {
  readonly bytes: number
  readonly bytesOfTenant: number
}

/** A text without findings takes 300 bytes for all detectors, so a tenant has some 25,000. */
const usual: MemoryLimits = { bytes: 16 * 2 ** 20, bytesOfTenant: 8 * 2 ** 20 }
/** For a tenant without remembered findings. */
const tenantBytes = 1_024
/** Its hash, its place in the map and its recorded size. */
const entryBytes = 120
/** Share of a tenant's limit beyond which one text would evict too many others. */
const largestShare = 1 / 8

interface Entry {
  readonly findings: unknown
  readonly bytes: number
}

interface TenantFindings {
  readonly tenantId: TenantId
  readonly key: Uint8Array
  /** Short names of the detectors under their rules. */
  readonly looks: Map<string, number>
  /** Least recently used first. */
  readonly entries: Map<string, Entry>
  bytes: number
}

export function createFindingMemory(random: Pick<Random, 'bytes'>, limits: MemoryLimits = usual): FindingMemory {
  /** Least recently used first. */
  const tenants = new Map<TenantId, TenantFindings>()
  let total = 0

  const forget = (tenantId: TenantId): void => {
    total -= tenants.get(tenantId)?.bytes ?? 0
    tenants.delete(tenantId)
  }
  const remove = (tenant: TenantFindings, id: string): void => {
    const bytes = tenant.entries.get(id)?.bytes ?? 0
    tenant.entries.delete(id)
    tenant.bytes -= bytes
    total -= bytes
  }
  const removeOldest = (tenant: TenantFindings): void => {
    const [oldest] = tenant.entries.keys()
    if (oldest === undefined) forget(tenant.tenantId)
    else remove(tenant, oldest)
  }
  const open = (tenantId: TenantId): TenantFindings => {
    const held = tenants.get(tenantId)
    const tenant = held ?? {
      ...{ tenantId, key: random.bytes(32), bytes: tenantBytes },
      ...{ looks: new Map<string, number>(), entries: new Map<string, Entry>() },
    }
    if (held === undefined) total += tenant.bytes
    tenants.delete(tenantId)
    tenants.set(tenantId, tenant)
    return tenant
  }
  const keep = (tenant: TenantFindings, id: string, findings: unknown): void => {
    const bytes = entryBytes + bytesOf(findings)
    // A call that runs while its tenant is forgotten cannot store its findings.
    if (tenants.get(tenant.tenantId) !== tenant || bytes > limits.bytesOfTenant * largestShare) return
    remove(tenant, id)
    tenant.entries.set(id, { findings, bytes })
    tenant.bytes += bytes
    total += bytes
    while (tenant.bytes > limits.bytesOfTenant && tenant.entries.size > 0) removeOldest(tenant)
    while (total > limits.bytes) removeOldest(leastUsed(tenants))
  }

  return {
    under: (tenantId, rules) => memoryUnder(open(tenantId), rules, keep),
    forget,
    bytes: () => total,
  }
}

function leastUsed(tenants: ReadonlyMap<TenantId, TenantFindings>): TenantFindings {
  const [least] = tenants.values()
  if (least === undefined) throw new Error('Nothing is held, and yet too much')
  return least
}

function memoryUnder(
  tenant: TenantFindings,
  rules: string,
  keep: (tenant: TenantFindings, id: string, findings: unknown) => void,
): RuledMemory {
  const idOf = (look: string, digest: string): string => {
    const name = `${rules}\n${look}`
    const number = tenant.looks.get(name) ?? tenant.looks.size
    tenant.looks.set(name, number)
    return `${number} ${digest}`
  }
  return {
    digest: (text) => digestOf(tenant.key, text),
    get: (look, digest) => {
      const id = idOf(look, digest)
      const entry = tenant.entries.get(id)
      if (entry === undefined) return undefined
      tenant.entries.delete(id)
      tenant.entries.set(id, entry)
      return entry.findings
    },
    set: (look, digest, findings) => keep(tenant, idOf(look, digest), findings),
  }
}

/** UTF-8 encodes all lone surrogates alike, so texts that differ only in these would have the same hash. */
function digestOf(key: Uint8Array, text: string): string {
  const isWhole = text.isWellFormed()
  const hmac = createHmac('sha256', key).update(isWhole ? 'utf8\n' : 'utf16\n')
  return hmac.update(text, isWhole ? 'utf8' : 'utf16le').digest('base64')
}
