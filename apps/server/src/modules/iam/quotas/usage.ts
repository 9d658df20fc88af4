/** Usage of a tenant's quotas; accounts, keys and requests include all tenants below it. Only rows are counted here. */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { perMinute, requestQuotaKey } from '../../../kernel/limits/per-minute.ts'
import type { QuotaUsage, QuotaValues } from '../schemas/quotas.ts'
import type { IamServices } from '../services/iam-services.ts'
import { megabytesOf, subtreeUsageStatement } from './quotas.ts'

export async function quotaUsage(
  { kernel, tokensToday }: IamServices,
  tenantId: TenantId,
  { requests_per_minute: requests }: QuotaValues,
): Promise<QuotaUsage> {
  const [counted] = await kernel.db.read(tenantId, subtreeUsageStatement(tenantId, kernel.clock.iso()))
  const asked = requests === undefined ? null : await kernel.limits.peek(requestQuotaKey(tenantId), perMinute(requests))
  return {
    ...(counted ?? { users: 0, service_accounts: 0, api_keys: 0 }),
    requests_per_minute: asked === null ? 0 : asked.limit - asked.remaining,
    llm_tokens_per_day: await tokensToday(tenantId),
    storage_mb: megabytesOf(await kernel.blobs.usage(tenantId)),
  }
}
