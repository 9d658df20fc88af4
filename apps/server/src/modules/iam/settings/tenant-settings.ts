import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Database, Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { EffectiveSettings, SettingValues } from '../schemas/tenants.ts'
import { effectiveSettings } from './settings.ts'

export interface SettingsRow {
  readonly id: string
  readonly settings: SettingValues
}

/** The settings of a tenant and of all above it, from the root down. */
export function settingsStatement(tenantId: string): SqlPart<SettingsRow> {
  return sql<SettingsRow>`
    select above.id, above.settings
    from iam_tenant own
    join iam_tenant above on above.id = any(own.path)
    where own.id = ${tenantId}
    order by cardinality(above.path)`
}

/** Effective settings of the tenant now. */
export async function settingsOf(tx: Pick<Tx, 'query'>, tenantId: string): Promise<EffectiveSettings> {
  const rows = await tx.query(settingsStatement(tenantId))
  return effectiveSettings(rows.map((row) => row.settings))
}

/** The same outside of any transaction. */
export async function readSettings(db: Pick<Database, 'read'>, tenantId: TenantId): Promise<EffectiveSettings> {
  const rows = await db.read(tenantId, settingsStatement(tenantId))
  return effectiveSettings(rows.map((row) => row.settings))
}

/** Rules a tenant, or one above it, has made for the policies of the gateway. */
export interface PolicyRules {
  /** The author of a version may not publish it. */
  readonly fourEyes: boolean
  /** A version is simulated before it is published. */
  readonly simulationRequired: boolean
  /** Content redacted by policies is revealed only to two people. */
  readonly revealSecondPerson: boolean
}

/** Rules for changing the gateway's policies and for undoing their redaction in the transaction's tenant. */
export async function policyRules(tx: Tx): Promise<PolicyRules> {
  const settings = await settingsOf(tx, tx.tenantId)
  return {
    fourEyes: settings.policy_four_eyes,
    simulationRequired: settings.policy_simulation_required,
    revealSecondPerson: settings.vault_second_person,
  }
}
