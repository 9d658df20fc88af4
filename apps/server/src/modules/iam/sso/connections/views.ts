import type { Kernel } from '../../../../kernel/kernel.ts'
import type { SsoConnection } from '../../schemas/sso.ts'
import { backchannelLogoutUrl, callbackUrl, entityId } from '../addresses.ts'
import { txtRecord } from '../domains.ts'
import type { ConnectionRow } from '../tables.ts'

const dayMs = 86_400_000

/** The resource: whether there is a secret, never the secret; the data for the identity provider; the health. */
export function connectionView(kernel: Kernel, row: ConnectionRow): SsoConnection {
  const { id, tenant_id, oidc, saml } = row
  return {
    id,
    tenant_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    name: row.name,
    type: row.type,
    status: row.status,
    domains: row.domains.map((state) => ({ ...state, txt_record: txtRecord(kernel, tenant_id, state.domain) })),
    oidc: oidc === null ? null : { ...oidc, client_secret_set: row.client_secret !== null },
    saml,
    enforced: row.enforced,
    break_glass_user_ids: row.break_glass_user_ids,
    jit: { enabled: row.jit_enabled, default_role_ids: row.default_role_ids },
    group_mappings: row.group_mappings,
    link_policy: row.link_policy,
    required_acr: row.required_acr,
    required_amr: row.required_amr,
    second_factor_acr: row.second_factor_acr,
    email_trusted: row.email_trusted,
    activated_by: row.activated_by,
    certificate_expires_at: row.certificate_expires_at,
    service_provider: {
      redirect_uri: callbackUrl(kernel, id),
      backchannel_logout_uri: oidc === null ? null : backchannelLogoutUrl(kernel, id),
      entity_id: saml === null ? null : entityId(kernel, id),
      certificate: row.sp_certificate,
    },
    health: {
      certificate_days_left: daysLeft(row.certificate_expires_at, kernel.clock.now()),
      last_login_at: row.last_login_at,
      last_error: row.last_error,
      last_error_at: row.last_error_at,
    },
  }
}

/** Whole days until then; negative once it is over. */
export function daysLeft(expiresAt: string | null, nowMs: number): number | null {
  return expiresAt === null ? null : Math.floor((Date.parse(expiresAt) - nowMs) / dayMs)
}
