import { budgetExceeded, budgetWarned } from './budgets/events.ts'
import { exportCompleted, exportDownloaded } from './exports/events.ts'
import {
  gatewayKillSwitchActivated,
  gatewayKillSwitchDeactivated,
  policyPublished,
  policyRolledBack,
  providerDegraded,
  providerRecovered,
  requestBlocked,
  requestCompleted,
  secretRotated,
} from './schemas/events.ts'
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
