/** Long-lived parts of the module's money: data of each tenant, and access to its budgets. */
import type { Kernel } from '../../../kernel/kernel.ts'
import type { IamApi } from '../../iam/api.ts'
import { type Alarm, createAlarm } from '../budgets/alarm.ts'
import { createReservations, type Reservations } from '../budgets/reserve.ts'
import { createTenantSnapshots, type TenantSnapshots } from '../policy/snapshot.ts'
import { loadMoney, type TenantMoney } from './load.ts'
import { createTokenQuota, type TokenQuota } from './token-quota.ts'

export interface Money {
  /** Kept in memory, so a call without a budget needs no database query. */
  readonly tenants: TenantSnapshots<TenantMoney>
  readonly reservations: Reservations
  readonly alarm: Alarm
  readonly tokens: TokenQuota
}

type Directory = Pick<IamApi, 'roleNames' | 'onRolesChanged' | 'quotas' | 'onTenantChanged'>

export function createMoney(kernel: Kernel, iam: Directory): Money {
  const tenants = createTenantSnapshots(kernel, (tenantId) => loadMoney({ kernel, iam }, tenantId))
  iam.onRolesChanged(tenants.forget)
  iam.onTenantChanged(tenants.forget)
  const tokens = createTokenQuota(kernel)
  return { tenants, reservations: createReservations(kernel.db), alarm: createAlarm(kernel), tokens }
}
