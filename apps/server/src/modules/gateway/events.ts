import { requestCompleted, requestBlocked, policyPublished, policyRolledBack, gatewayKillSwitchActivated, gatewayKillSwitchDeactivated, providerDegraded, secretRotated, providerRecovered } from './schemas/events.ts'
import { exportCompleted, exportDownloaded } from './exports/events.ts'
import { budgetExceeded, budgetWarned } from './budgets/events.ts'
import { vaultRevealed } from './vault/events.ts'

export const gatewayEvents = [
  requestCompleted,
  requestBlocked,
  policyPublished,
  policyRolledBack,
  gatewayKillSwitchActivated,
  gatewayKillSwitchDeactivated,
  providerDegraded,
  providerRecovered,
  secretRotated,
  vaultRevealed,
  exportCompleted,
  exportDownloaded,
  budgetWarned,
  budgetExceeded,
] as const
